// SPDX-License-Identifier: MIT
// What the documents show is what happens: see README.md.
#include "pages/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/program.hpp"

namespace bellwether::pages {
namespace {

namespace fs = std::filesystem;
using cli_test::Folder;
using cli_test::project;

constexpr const char* own_algorithm = "docs/tutorial/own-algorithm.md";

std::string content_of(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// All pages, but those whose blocks are not for a shell.
std::vector<std::string> pages() {
  std::vector<std::string> out{"README.md", "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(project("docs"))) {
    const std::string name = fs::relative(entry.path(), project("")).string();
    if (name.ends_with(".md") && !name.starts_with("docs/site/")) out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string flags_of(const std::string& command) {
  const Folder folder;
  std::istringstream words(command);
  std::string name;
  words >> name;
  return cli_test::run(folder, {name, "--help"}).out;
}

fs::path beside_program(const char* name) {
  return fs::path(BELLWETHER_PROGRAM).parent_path() / name;
}

/// The unshare options for a network namespace with ports of its own; empty where not allowed.
cli_test::Arguments own_network() {
  for (const cli_test::Arguments& words :
       {cli_test::Arguments{"--net"}, {"--user", "--map-root-user", "--net"}}) {
    std::string command = "unshare";
    for (const std::string& word : words) command += " " + word;
    if (std::system((command + " ip link set lo up 2> /dev/null").c_str()) == 0) return words;
  }
  return {};
}

/// The shell that does all of page.sh. A page with nodes or servers has its own loopback: the same
/// page may be tried out elsewhere at this moment.
cli_test::Program begin_page(const Folder& folder, const Page& page) {
  constexpr auto limit = std::chrono::minutes(20);  // nothing takes as long, unless it never ends
  const bool speaks = page.script.find("127.0.0.1") != std::string::npos;
  cli_test::Arguments words = speaks ? own_network() : cli_test::Arguments{};
  if (words.empty()) return {folder, {"page.sh"}, "/dev/null", "/bin/bash", limit};
  words.insert(words.end(), {"/bin/sh", "-c", "ip link set lo up; exec /bin/bash page.sh"});
  return {folder, words, "/dev/null", "/usr/bin/unshare", limit};
}

/// Does all of a page; returns what was wrong.
std::string try_out(const Page& page) {
  const Folder folder;
  for (const char* name : {"scenarios", "experiments", "examples"})
    fs::create_directory_symlink(project(name), folder.path() / name);
  const fs::path build = fs::path(BELLWETHER_PROGRAM).parent_path();
  fs::create_directory_symlink(build, folder.path() / "build");
  if (fs::exists(BELLWETHER_MY_ELECTION))
    fs::create_symlink(BELLWETHER_MY_ELECTION, folder.path() / "my-election");
  folder.write("page.sh", "exec 2>&1\nexport PATH=" + build.string() +
                              ":$PATH\nunset BELLWETHER_SOCKET\n"
                              // mpirun asks for more than a page should show
                              "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                              "OMPI_MCA_rmaps_base_oversubscribe=1 "
                              "OMPI_MCA_btl_base_warn_component_unused=0\n"
                              "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n" +
                              page.script);
  return compare(page, begin_page(folder, page).wait().out);
}

class Pages : public testing::TestWithParam<std::string> {};

TEST_P(Pages, ShowWhatHappens) {
  const Page page = read_page(content_of(project(GetParam())));
  for (const std::string& command : page.others) {
    const std::string help = flags_of(command);
    EXPECT_FALSE(help.empty()) << "there is no command: bellwether " << command;
    std::istringstream words(command);
    for (std::string word; words >> word && word != "--";) {
      if (!word.starts_with("--")) continue;
      EXPECT_NE(help.find(word.substr(0, word.find('='))), std::string::npos)
          << "bellwether " << command << ": there is no " << word;
    }
  }
  for (const Command& command : page.commands)
    EXPECT_FALSE(command.text.starts_with("sleep "))
        << "what takes a moment takes longer elsewhere; wait until it is so";
  if (GetParam() == own_algorithm || page.commands.empty()) return;
  if (GetParam() == "docs/ns3.md" && !fs::exists(beside_program("bellwether-ns3")))
    GTEST_SKIP() << "ns-3 is not here";
  if (content_of(project(GetParam())).find("$ mpirun") != std::string::npos &&
      std::system("command -v mpirun >/dev/null") != 0)
    GTEST_SKIP() << "MPI is not here";
  EXPECT_EQ(try_out(page), "");
}

INSTANTIATE_TEST_SUITE_P(Documents, Pages, testing::ValuesIn(pages()),
                         [](const testing::TestParamInfo<std::string>& page) {
                           std::string name = page.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
                               '_');
                           return name;
                         });

TEST(OwnAlgorithm, ShowsWhatHappens) {
  if (!fs::exists(BELLWETHER_MY_ELECTION)) GTEST_SKIP() << "tests/install builds my-election";
  const Page page = read_page(content_of(project(own_algorithm)));
  EXPECT_FALSE(page.commands.empty());
  EXPECT_EQ(try_out(page), "");
}

/// The mean of a metric over those rows of experiments/results/NAME.csv that begin so, as the
/// documents print it.
std::string mean_of(const std::string& name, const std::vector<std::string>& labels,
                    const std::string& metric, double factor, const char* form = "%.3g") {
  std::ifstream in(project("experiments/results/" + name + ".csv"));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> out;
    std::istringstream words(line);
    for (std::string cell; std::getline(words, cell, ',');) out.push_back(cell);
    return out;
  };
  std::string line;
  std::getline(in, line);
  const auto head = cells(line);
  const auto column =
      static_cast<std::size_t>(std::find(head.begin(), head.end(), metric) - head.begin());
  double sum = 0;
  int runs = 0;
  while (std::getline(in, line)) {
    const auto row = cells(line);
    if (!std::equal(labels.begin(), labels.end(), row.begin()) || column >= row.size() ||
        row[column].empty())
      continue;
    sum += std::stod(row[column]);
    ++runs;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), form, runs == 0 ? -1 : sum / runs * factor);
  return text.data();
}

/// The tables of the page say what the committed results do: two of them by other means than the
/// script that writes them, and all of them, with the pictures, by that script.
TEST(WhichAlgorithm, FiguresAreThoseOfTheResults) {
  const std::string page = content_of(project("docs/which-algorithm.md"));
  for (const char* name : {"drumbeat", "drumbeat-frugal", "drumbeat-steady", "cel-2",
                           "topology-aware-2", "central-hierarchy", "height", "hierarchy",
                           "flooding", "vasudevan", "gomez-calzado", "cel", "topology-aware"}) {
    std::string wrong = "| `" + std::string(name) + "` |", bytes = wrong;
    for (const char* world : {"still", "moving", "radio", "slow-radio"}) {
      wrong += " " + mean_of("which-" + std::string(world), {name}, "instability", 100) + " |";
      bytes += " " + mean_of("which-" + std::string(world), {name}, "bytes_per_s", 1e-3) + " |";
    }
    for (const std::string& row : {wrong, bytes})
      EXPECT_NE(page.find(row + "\n"), std::string::npos) << row;
  }
}

TEST(WhichAlgorithm, TablesAndPicturesAreThoseOfTheScript) {
  if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "Python is not here";
  EXPECT_EQ(std::system((project("scripts/which-algorithm") + " --check").c_str()), 0);
}

/// Chapter 5 on both engines: the tables say what the committed results do.
TEST(BothEngines, FiguresAreThoseOfTheResults) {
  const std::string page = content_of(project("docs/ns3.md"));
  struct Column {
    const char* metric;
    double factor;
    const char* form;
  };
  for (const char* world : {"random-walk", "levy-walk"})
    for (const char* election : {"Gomez-Calzado", "CEL-1", "CEL-0.7", "Topology Aware"})
      for (const char* range : {"30", "45", "60", "80"}) {
        std::string row = "| " + std::string(election) + " | " + range + " m |";
        for (const Column& column : {Column{"instability", 100, "%.1f %%"},
                                     {"messages_per_node_per_s", 1, "%.2f"},
                                     {"leader_path_median_hops", 1, "%.2f"},
                                     {"power_mean_w", 1, "%.4f"},
                                     {"delivery_ratio", 100, "%.1f %%"}})
          for (const char* engine : {"", "-ns3"})
            row += " " +
                   mean_of("thesis-" + std::string(world) + "-short" + engine, {election, range},
                           column.metric, column.factor, column.form) +
                   " |";
        EXPECT_NE(page.find(row + "\n"), std::string::npos) << world << ": " << row;
      }
}

/// The reader itself: what is wrong is seen.
TEST(Reader, SeesWhatIsWrong) {
  const auto wrong = [](const std::string& block) {
    return try_out(read_page("```console\n" + block + "```\n"));
  };
  EXPECT_EQ(wrong("$ echo a  b; echo c\na b\n...\nc\n"), "");
  EXPECT_EQ(wrong("$ echo a \\\n> b\na b\n"), "");
  EXPECT_EQ(wrong("$ for i in 1 2; do\n> echo $i\n> done\n1\n2\n"), "");
  EXPECT_NE(wrong("$ echo a\nb\n").find("quotes what is not printed: b"), std::string::npos);
  EXPECT_NE(wrong("$ echo a; echo b\nb\na\n").find("not printed: a"), std::string::npos);
  EXPECT_NE(wrong("$ false\n").find("fails"), std::string::npos);
  EXPECT_NE(wrong("$ exit 0\n").find("does not end"), std::string::npos);
  EXPECT_EQ(try_out(read_page("```toml\n# file: x.toml\na = 1\n```\n```console\n$ cat x.toml\na = "
                              "1\n```\n")),
            "");
  EXPECT_EQ(read_page("```sh\nsudo bellwether node --id 1 # x\n```\n").others,
            std::vector<std::string>{"node --id 1 "});
}

}  // namespace
}  // namespace bellwether::pages
