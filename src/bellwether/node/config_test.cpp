// SPDX-License-Identifier: MIT
#include "bellwether/node/config.hpp"
#include "bellwether/core/problem.hpp"

#include <gtest/gtest.h>

#include "bellwether/node/log.hpp"
#include "bellwether/node/slack.hpp"
#include "bellwether/node/system.hpp"

namespace bellwether::node {
namespace {

using namespace std::chrono_literals;
using core::Time;

Config good() {
  Config config;
  config.plain = true;
  return config;
}

template <class Change>
std::string complaint(Change&& change) {
  Config config = good();
  try {
    change(config);
    validate(config);
    return "";
  } catch (const core::Problem& error) {
    return error.what();
  }
}

TEST(NodeConfig, EveryKeyIsDescribedAndReadable) {
  for (const ConfigKey& key : config_keys()) {
    EXPECT_TRUE(key.description.ends_with(".")) << key.name;
    if (key.default_text.empty()) continue;
    Config config;
    EXPECT_NO_THROW(set_key(config, key.name, {key.default_text})) << key.name;
    EXPECT_EQ(config, Config{}) << key.name << ": what is printed as the default is read as it";
  }
}

TEST(NodeConfig, ABareNumberIsMilliseconds) {
  Config config;
  set_key(config, "period", {"50"});
  EXPECT_EQ(config.period, 50ms);
  set_key(config, "timeout", {"1.5 s"});
  EXPECT_EQ(config.timeout, 1500ms);
}

TEST(NodeConfig, WhatMakesNoSenseIsRefusedWithTheKey) {
  EXPECT_EQ(complaint([](Config&) {}), "");
  EXPECT_NE(complaint([](Config& c) { c.plain = false; }).find("keygen"), std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.timeout = 150ms; }).find("twice the period"),
            std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.period = 1ms; }).find("period:"), std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.group = ""; }).find("group:"), std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.port = 0; }).find("port:"), std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.mtu = 100; }).find("mtu:"), std::string::npos);
  EXPECT_EQ(complaint([](Config& c) { c.hook_limit = 24h * 365 * 290; }),
            "hook_limit: must be from 1 ms to 86400 s, not 9145440000 s");
  EXPECT_EQ(complaint([](Config& c) { c.listen_first = -1s; }),
            "listen_first: must be from 0 s to 600 s, not -1 s");
  EXPECT_NE(complaint([](Config& c) { c.most_members = 4294967295u; }).find("most_members:"),
            std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.record_megabytes = 0; }).find("record_megabytes:"),
            std::string::npos);
  EXPECT_NE(complaint([](Config& c) { c.socket_mode = 999; }).find("socket_mode:"),
            std::string::npos);
  EXPECT_NE(
      complaint([](Config& c) { set_key(c, "perod", {"1s"}); }).find("did you mean \"period\""),
      std::string::npos);
  EXPECT_NE(complaint([](Config& c) { set_key(c, "port", {"many"}); }).find("whole number"),
            std::string::npos);
}

TEST(NodeConfig, SomeKeysChangeWhileTheNodeRuns) {
  Config running = good(), wanted = good();
  wanted.priority = 5;
  wanted.on_change = "true";
  EXPECT_TRUE(need_restart(running, wanted).empty());
  wanted.period = 1s;
  wanted.options["rho"] = "0.5";
  EXPECT_EQ(need_restart(running, wanted), (std::vector<std::string>{"period", "options"}));
}

TEST(NodeLog, TextAndJson) {
  const LogFields fields{{"leader", "3"}, {"why", "two words"}, {"name", "x\"y"}};
  EXPECT_EQ(log_text("leader", fields), "leader leader=3 why=\"two words\" name=\"x\\\"y\"");
  EXPECT_EQ(log_json("T", LogLevel::info, "leader", fields),
            "{\"time\":\"T\",\"level\":\"info\",\"event\":\"leader\",\"leader\":3,\"why\":\"two "
            "words\",\"name\":\"x\\\"y\"}");
  EXPECT_EQ(log_text("two\nlines", {}), "two lines");
}

TEST(Slack, OnTimeThereIsNone) {
  Slack slack(20ms, 300ms);
  Time now = 10s;
  for (int i = 0; i < 1000; ++i, now += 100ms) slack.rang(now + 5ms, now);
  EXPECT_EQ(slack.now(now), 0ms);
}

TEST(Slack, FollowsTheWorstOfTheLastSeconds) {
  Slack slack(20ms, 300ms);
  slack.rang(10s + 100ms, 10s);
  EXPECT_EQ(slack.now(10s + 100ms), 200ms);
  slack.rang(10s + 250ms, 10s + 200ms);
  EXPECT_EQ(slack.now(17s), 200ms);
  EXPECT_EQ(slack.now(30s), 0ms);
}

TEST(Slack, OneFreezeIsAnAccidentAndTwoAreAHabit) {
  Slack slack(20ms, 300ms);
  slack.rang(60s, 50s);
  EXPECT_EQ(slack.now(60s), 0ms);
  slack.rang(60s + 150ms, 60s + 100ms);
  EXPECT_EQ(slack.now(61s), 100ms) << "what else there is counts";
  slack.rang(62s, 61s);
  EXPECT_EQ(slack.now(62s), 600ms);
  EXPECT_EQ(slack.now(1000s), 0ms);
}

TEST(SteadyTime, Rises) {
  const SteadyTime clock;
  const Time a = clock.now(), b = clock.now();
  EXPECT_LE(a, b);
  EXPECT_GT(a, std::chrono::hours(24 * 365 * 50)) << "since 1970";
}

TEST(EpochFile, ComesBackAboveAllThatWasKept) {
  const std::string path = testing::TempDir() + "epoch-" + std::to_string(getpid());
  std::remove(path.c_str());
  {
    EpochFile file(path);
    EXPECT_EQ(file.at_least(), 0u);
    EXPECT_TRUE(file.keep(5));
    EXPECT_TRUE(file.keep(60));
  }
  EXPECT_GE(EpochFile(path).at_least(), 60u);
  EXPECT_TRUE(EpochFile(path).settle(77));
  EXPECT_EQ(EpochFile(path).at_least(), 77u);
  std::FILE* out = std::fopen(path.c_str(), "w");
  std::fputs("many\n", out);
  std::fclose(out);
  EXPECT_THROW(EpochFile{path}, core::Problem);
  EXPECT_THROW(EpochFile{"/nowhere/at/all"}, core::Problem);
  std::remove(path.c_str());
}

TEST(EpochFile, RefusesFoldersAndDevices) {
  for (const char* path : {"/dev/zero", "/tmp", "/dev/full"})
    EXPECT_THROW(EpochFile{path}, core::Problem) << path;
}

TEST(NewFiles, AreRemovedUnlessTheyAreKept) {
  const std::string path = testing::TempDir() + "new-" + std::to_string(getpid());
  const std::string old = path + "-old", kept = path + "-kept";
  const auto write = [](const std::string& to) { std::fclose(std::fopen(to.c_str(), "w")); };
  write(old);
  {
    const NewFiles files({path, old, ""});
    write(path);
  }
  {
    NewFiles files({kept});
    write(kept);
    files.keep();
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  EXPECT_EQ(access(old.c_str(), F_OK), 0);
  EXPECT_EQ(access(kept.c_str(), F_OK), 0);
  std::remove(old.c_str());
  std::remove(kept.c_str());
}

TEST(EpochFile, BelongsToOneNodeAtATime) {
  const std::string path = testing::TempDir() + "epoch-one-" + std::to_string(getpid());
  std::remove(path.c_str());
  {
    EpochFile first(path);
    EXPECT_THROW(EpochFile{path}, core::Problem);
    EXPECT_TRUE(first.keep(5));  // which makes a new file
    EXPECT_THROW(EpochFile{path}, core::Problem);
  }
  EXPECT_GE(EpochFile(path).at_least(), 5u) << "it is free when its node is gone";
  std::remove(path.c_str());
}

}  // namespace
}  // namespace bellwether::node
