// SPDX-License-Identifier: MIT
// What the elections for networks that stay as they are cost: messages and time against the number
// of nodes, in the worst case that is known, on average and at best, with the constants that fit.
// Writes docs/complexity.md and its pictures. It counts and does not time: the same on every
// machine.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bellwether/catalogue/catalogue.hpp"
#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/tables/units.hpp"
#include "bellwether/sim/simulate.hpp"
#include "complexity_studies.hpp"

namespace bellwether::complexity {
namespace {

using observe::RunReport;
using scenario::Scenario;

/// One size of one case: the mean over its runs.
struct Point {
  double n = 0, links = 0, messages = 0, most = 0, units = 0;
  std::uint64_t runs = 0;
};

Scenario scenario_of(const Study& study, const Case& order, core::NodeIndex n, std::uint64_t seed) {
  Scenario s;
  s.algorithm = study.algorithm;
  s.seed = seed;
  s.network.topology = study.topology;
  s.network.nodes = n;
  s.network.one_way = study.one_way;
  if (order.names) {
    s.network.names = order.names(n);
    s.network.nodes = static_cast<core::NodeIndex>(s.network.names.size());
  } else {
    s.network.ids = order.ids;
  }
  s.network.anonymous = study.anonymous;
  s.network.degree = 8;
  s.start.initiators = order.initiators;
  s.stop.time = std::chrono::hours(1'000'000);
  return s;
}

RunReport run(const Scenario& s) {
  return sim::simulate(catalogue::algorithm(s.algorithm), s, {});
}

/// Few runs where one of them is large: their costs scatter little there.
std::uint64_t runs_of(const Case& order, core::NodeIndex n) {
  if (!order.drawn) return 1;
  return std::clamp<std::uint64_t>(40'000 / n, 8, 200);
}

Point measure(const Study& study, const Case& order, core::NodeIndex n) {
  Point point;
  point.runs = runs_of(order, n);
  for (std::uint64_t seed = 1; seed <= point.runs; ++seed) {
    const RunReport r = run(scenario_of(study, order, n, seed));
    if (!r.agreed) throw std::runtime_error(std::string(study.algorithm) + " did not elect");
    const auto runs = static_cast<double>(point.runs);
    point.n = static_cast<double>(r.nodes);
    point.links += static_cast<double>(r.links) / runs;
    point.messages += static_cast<double>(r.messages) / runs;
    point.most = std::max(point.most, static_cast<double>(r.messages));
    // One unit is a millisecond: the delay of every message, and the length of a round.
    point.units += core::seconds(r.time) * 1000 / runs;
  }
  return point;
}

/// a * law(n) + b * n by least squares of relative errors; b is 0 where the law is linear itself.
struct Fit {
  double a = 0, b = 0;
};
Fit fitted(const std::vector<Point>& points, Law law, bool with_linear) {
  double xx = 0, xz = 0, zz = 0, xy = 0, zy = 0;
  for (const Point& p : points) {
    const double x = value_of(law, p.n, p.links) / p.messages, z = p.n / p.messages;
    xx += x * x;
    xz += x * z;
    zz += z * z;
    xy += x;
    zy += z;
  }
  const double determinant = xx * zz - xz * xz;
  if (!with_linear || std::abs(determinant) < 1e-12 * xx * zz) return {xy / xx, 0};
  return {(xy * zz - zy * xz) / determinant, (zy * xx - xy * xz) / determinant};
}

struct Measured {
  const Study* study;
  std::vector<std::vector<Point>> cases;  // beside study->cases
};

Measured measure(const Study& study) {
  Measured out{&study, {}};
  for (const Case& order : study.cases) {
    std::vector<Point> points;
    for (const core::NodeIndex n : study.sizes) {
      if (order.most_nodes > 0 && n > order.most_nodes) continue;
      points.push_back(measure(study, order, n));
      std::fprintf(stderr, "  %s, %s, %u nodes: %.0f messages\n", study.algorithm, order.name, n,
                   points.back().messages);
    }
    out.cases.push_back(std::move(points));
  }
  return out;
}

std::string rounded(double value) {
  return std::abs(value) < 100 ? fmt::format("{:.3f}", value) : fmt::format("{:.0f}", value);
}

Law law_of(const Study& study, const Case& order) {
  return order.law == Law::of_the_study ? study.law : order.law;
}

Fit fit_of(const Study& study, const Case& order, const std::vector<Point>& points) {
  const Law law = law_of(study, order);
  return fitted(points, law, law == Law::n_log_n || law == Law::square);
}

std::string fit_text(const Study& study, const Case& order, const std::vector<Point>& points) {
  const Fit fit = fit_of(study, order, points);
  std::string out = fmt::format("{} {}", rounded(fit.a), text_of(law_of(study, order)));
  if (fit.b != 0) out += fmt::format(" {} {} n", fit.b < 0 ? "-" : "+", rounded(std::abs(fit.b)));
  return out;
}

/// Whether the average has the leading constant that was published, within 2 %.
bool constant_is_met(const Measured& m) {
  for (std::size_t i = 0; i < m.cases.size() && m.study->constant > 0; ++i) {
    if (!m.study->cases[i].plotted) continue;
    const double found = fit_of(*m.study, m.study->cases[i], m.cases[i]).a;
    if (std::abs(found / m.study->constant - 1) < 0.02) continue;
    fmt::print(stderr, "{}: a constant of {:.4f}, and {:.4f} is published\n", m.study->algorithm,
               found, m.study->constant);
    return false;
  }
  return true;
}

/// The largest size whose messages exceed the published worst case; 0: none does.
double beyond_bound(const Study& study, const std::vector<Point>& points) {
  if (!study.bound) return 0;
  for (const Point& p : points)
    if (p.most > study.bound(p.n, p.links)) return p.n;
  return 0;
}

std::string table(const std::vector<const Measured*>& group) {
  std::string out =
      "| algorithm | case | n up to | messages there | time there | fitted | published |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const Measured* m : group)
    for (std::size_t i = 0; i < m->cases.size(); ++i) {
      const Case& order = m->study->cases[i];
      const Point& last = m->cases[i].back();
      const auto whole = [](double value) {
        return report::grouped(static_cast<std::uint64_t>(std::llround(value)));
      };
      out += fmt::format(
          "| {} | {} | {} | {} | {} | {} | {} |\n",
          i == 0 ? fmt::format("[`{0}`](algorithms/{0}.md)", m->study->algorithm) : std::string(),
          order.name, whole(last.n), whole(last.messages), whole(last.units),
          fit_text(*m->study, order, m->cases[i]), order.published);
    }
  return out;
}

report::Figure figure(const std::string& title, const std::vector<const Measured*>& group) {
  report::Figure out;
  out.title = title;
  out.x = {"nodes", true};
  out.y = {"messages", true};
  for (const Measured* m : group)
    for (std::size_t i = 0; i < m->cases.size(); ++i) {
      if (!m->study->cases[i].plotted) continue;
      report::Curve curve{m->study->algorithm, {}};
      for (const Point& p : m->cases[i]) {
        const double y = p.messages;
        curve.samples.push_back({p.n, y, y, y});
      }
      out.curves.push_back(std::move(curve));
    }
  return out;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

int main_of(const std::filesystem::path& docs) {
  std::string page(page_head);
  bool fine = true;
  for (const Group& group : groups()) {
    std::vector<Measured> measured;
    for (const Study& study : group.studies) measured.push_back(measure(study));
    std::vector<const Measured*> all;
    for (const Measured& m : measured) all.push_back(&m);
    page += fmt::format("\n## {}\n\n{}\n\n{}", group.title, group.about, table(all));
    page += fmt::format("\n![Messages against nodes](pictures/complexity-{}.svg)\n", group.key);
    write(docs / "pictures" / fmt::format("complexity-{}.svg", group.key),
          report::figure_svg(figure(std::string(group.title) + ": messages on average", all)));
    for (const Measured& m : measured) fine = constant_is_met(m) && fine;
    for (const Measured& m : measured)
      for (const auto& points : m.cases)
        if (const double n = beyond_bound(*m.study, points); n > 0) {
          fmt::print(stderr, "{}: above its published worst case at {} nodes\n", m.study->algorithm,
                     n);
          fine = false;
        }
  }
  page += page_tail;
  write(docs / "complexity.md", page);
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::complexity

int main(int argc, char** argv) {
  try {
    return bellwether::complexity::main_of(argc > 1 ? argv[1] : "docs");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
