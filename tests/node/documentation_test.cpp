// SPDX-License-Identifier: MIT
// What docs/node.md says can be typed, written and read is so.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "node/daemons_on_loopback.hpp"

namespace bellwether::bed {
namespace {

std::string page() {
  std::ifstream in(std::string(BELLWETHER_SOURCE_DIR) + "/docs/node.md");
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::set<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> out;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    out.insert((*at)[1]);
  return out;
}

std::pair<int, std::string> run_node(std::vector<std::string> words) {
  words.insert(words.begin(), node_program());
  const Namespace here(Namespace::Here{});
  Process process(here, words);
  const int status = process.wait(patience).value_or(-1);
  return {status, process.log()};
}

TEST(Documentation, EveryCommandOfThePageIsThere) {
  // Those of the large program are tried out by tests/cli.
  const std::set<std::string> others{"list", "run", "describe", "replay", "node"};
  const auto commands = all_matches(page(), "(?:`|\\n|\\$ )bellwether ([a-z]+)");
  EXPECT_GT(commands.size(), 6u);
  for (const std::string& command : commands) {
    if (others.contains(command)) continue;
    const auto [status, text] = run_node({command, "--help"});
    EXPECT_EQ(status, 0) << command << "\n" << text;
  }
}

TEST(Documentation, EveryFlagOfThePageIsThere) {
  std::string help;
  for (const char* command : {"node", "leader", "lock", "replay", "status"})
    help += run_node({command, "--help"}).second;
  const auto flags = all_matches(page(), "[ `](--[a-z][a-z-]+)");
  EXPECT_GT(flags.size(), 6u);
  for (const std::string& flag : flags) {
    if (flag == "--unix-socket" || flag == "--replay") continue;  // of curl; of bellwether run
    EXPECT_NE(help.find(flag), std::string::npos) << flag;
  }
}

TEST(Documentation, TheConfigurationOfThePageIsGood) {
  const std::string text = page();
  const auto begin = text.find("```toml\n") + 8;
  std::string toml = text.substr(begin, text.find("```", begin) - begin);
  TestFolder folder;
  folder.write("group.key", std::string(64, 'd') + "\n");
  const auto put = [&](const std::string& what, const std::string& with) {
    const auto at = toml.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    toml.replace(at, what.size(), with);
  };
  put("/etc/bellwether/group.key", folder.path("group.key"));
  put("/var/lib/bellwether/epoch", folder.path("epoch"));
  put("[\"wlan0\", \"eth0\"]", "[\"lo\"]");
  const auto [status, said] =
      run_node({"node", "--check-config", "--config", folder.write("node.toml", toml)});
  EXPECT_EQ(status, 0) << said;
}

TEST(Documentation, TheRequestsAndMetricsOfThePageAreThere) {
  DaemonsOnLoopback nodes(2);
  ASSERT_TRUE(nodes.agree({0, 1}, 2)) << nodes.logs();
  const std::string text = page();
  const auto requests = all_matches(text, "`GET (/[a-z0-9/]+)");
  EXPECT_GE(requests.size(), 6u);
  for (const std::string& path : requests)
    if (path != "/v1/events") {
      EXPECT_FALSE(nodes.client(0).get(path).empty()) << path;
    }
  for (const char* path : {"/v1/resign", "/v1/pause", "/v1/resume"}) {
    EXPECT_NE(text.find(std::string("`POST ") + path), std::string::npos);
    EXPECT_FALSE(nodes.client(0).post(path).empty()) << path;
  }
  const auto begin = text.find("**Metrics**");
  const auto names =
      all_matches(text.substr(begin, text.find('\n', begin) - begin), "`(?:bellwether)?(_[a-z_]+)");
  EXPECT_GT(names.size(), 4u);
  const std::string metrics = nodes.client(0).get("/metrics");
  for (const std::string& name : names)
    EXPECT_NE(metrics.find("bellwether" + name), std::string::npos) << name << "\n" << metrics;
  // Every reason to refuse a frame is explained, and no other.
  const auto table = text.find("| reason | the frame |");
  ASSERT_NE(table, std::string::npos);
  EXPECT_EQ(all_matches(text.substr(table, text.find("\n\n", table) - table), "\n\\| `([a-z-]+)`"),
            all_matches(metrics, "frames_refused_total\\{reason=\"([a-z-]+)\"\\}"));
}

/// The words that people search for.
TEST(Documentation, ThePageUsesTheTermsOfTheField) {
  const std::string text = page();
  for (const char* term : {"split brain", "lease", "eligible", "failover", "mutual exclusion",
                           "quorum", "fencing token", "hysteresis", "preemption", "idempotent"})
    EXPECT_NE(text.find(term), std::string::npos) << term;
}

/// A lock cannot exclude across partitions: the first thing that is said of it.
TEST(Documentation, TheLimitOfLocksIsSaidFirst) {
  const std::string text = page();
  const auto locks = text.find("### Locks\n");
  ASSERT_NE(locks, std::string::npos);
  EXPECT_EQ(text.find("**Across partitions a lock cannot exclude**"), locks + 11);
  const std::string help = run_node({"lock", "--help"}).second;
  const auto limit = help.find("Across partitions a lock cannot exclude");
  EXPECT_LT(limit, help.find("Within one component"));
  EXPECT_NE(help.find("--lease + --settle + 2 timeouts"), std::string::npos) << help;
}

}  // namespace
}  // namespace bellwether::bed
