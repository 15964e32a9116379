// SPDX-License-Identifier: MIT
#include "bellwether/experiment/row.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "bellwether/core/fields.hpp"
#include "bellwether/core/time.hpp"
#include "bellwether/observe/metrics/metric_facts.hpp"

namespace bellwether::experiment {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> make_columns() {
  std::vector<std::string> out{"nodes", "links", "events", "messages", "bytes", "time_s", "agreed"};
  for (const observe::MetricFact& fact : observe::metric_facts())
    if (fact.total) out.emplace_back(fact.name);
  return out;
}

/// Numbers and texts one after the other. Only processes of one program, on machines of one kind,
/// speak to each other so.
class Packer {
 public:
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(const std::string& value) {
    number<std::uint64_t>(value.size());
    bytes_ += value;
  }
  void numbers(const std::vector<double>& values) {
    number<std::uint64_t>(values.size());
    for (const double each : values) number(each);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number<std::uint64_t>())); }
  std::vector<double> numbers() {
    const std::size_t count = number<std::uint64_t>();
    const std::string_view all =
        take(count <= bytes_.size() ? count * sizeof(double) : bytes_.size() + 1);
    std::vector<double> out(count);
    std::memcpy(out.data(), all.data(), all.size());
    return out;
  }
  bool done() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw std::invalid_argument("a row ends too early");
    const std::string_view out = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return out;
  }
  std::string_view bytes_;
};

}  // namespace

std::span<const std::string> columns() {
  static const std::vector<std::string> all = make_columns();
  return all;
}

bool has_column(std::string_view name) {
  return std::find(columns().begin(), columns().end(), name) != columns().end();
}

std::size_t column(std::string_view name) {
  const auto at = std::find(columns().begin(), columns().end(), name);
  if (at == columns().end()) throw std::out_of_range("there is no column " + std::string(name));
  return static_cast<std::size_t>(at - columns().begin());
}

Row make_row(std::uint32_t point, const observe::RunReport& report,
             std::span<const std::string> kept_series) {
  Row row{point, report.seed, std::string(core::name_of(report.ended)), report.fingerprint, {}, {}};
  row.values.assign(columns().size(), none);
  const auto put = [&](std::string_view name, double value) {
    if (has_column(name)) row.values[column(name)] = value;
  };
  put("nodes", report.nodes);
  put("links", static_cast<double>(report.links));
  put("events", static_cast<double>(report.events));
  put("messages", static_cast<double>(report.messages));
  put("bytes", static_cast<double>(report.bytes));
  put("time_s", core::seconds(report.time));
  put("agreed", report.agreed ? 1 : 0);
  for (const observe::Metric& metric : report.metrics) put(metric.name, metric.value);
  if (!report.series || kept_series.empty()) return row;
  const auto& names = report.series->columns;
  for (const auto& values : report.series->rows) {
    SeriesPoint moment{values.front(), {}};
    for (const std::string& name : kept_series) {
      const auto at = std::find(names.begin(), names.end(), name);
      moment.values.push_back(
          at == names.end() ? none : values[static_cast<std::size_t>(at - names.begin())]);
    }
    row.series.push_back(std::move(moment));
  }
  return row;
}

std::string pack(const Row& row) {
  Packer out;
  out.number(row.point);
  out.number(row.seed);
  out.text(row.ended);
  out.text(row.fingerprint);
  out.numbers(row.values);
  out.number<std::uint64_t>(row.series.size());
  for (const SeriesPoint& each : row.series) {
    out.number(each.time_s);
    out.numbers(each.values);
  }
  return out.take();
}

Row unpack(std::string_view bytes) {
  Unpacker in(bytes);
  Row row;
  row.point = in.number<std::uint32_t>();
  row.seed = in.number<std::uint64_t>();
  row.ended = in.text();
  row.fingerprint = in.text();
  row.values = in.numbers();
  for (std::uint64_t i = in.number<std::uint64_t>(); i > 0; --i) {
    SeriesPoint moment;
    moment.time_s = in.number<double>();
    moment.values = in.numbers();
    row.series.push_back(std::move(moment));
  }
  if (!in.done()) throw std::invalid_argument("a row goes on behind its end");
  return row;
}

}  // namespace bellwether::experiment
