// SPDX-License-Identifier: MIT
// Elections in files of their own: `--algorithm FILE.cpp`.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

const std::string ring_of_trust = project("examples/one-file/ring_of_trust.cpp");
const std::string ring = project("scenarios/lelann-ring.toml");

/// A folder for the test, and a cache of its own.
class PluginTest : public testing::Test {
 protected:
  PluginTest() { setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }
  ~PluginTest() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("CXX");
  }

  /// What the cache holds of libraries, in order.
  std::vector<std::string> libraries() const {
    std::vector<std::string> out;
    const auto folder = cache_.path() / "bellwether/plugins";
    if (!std::filesystem::exists(folder)) return out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_TRUE(entry.path().extension() == ".so" || entry.path().extension() == ".d");
      if (entry.path().extension() == ".so") out.push_back(entry.path().filename());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  /// The example with some of its text replaced.
  void write_changed(const std::string& name, const std::string& what, const std::string& by) {
    std::string text = example_.read("ring_of_trust.cpp");
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    folder_.write(name, text.replace(at, what.size(), by));
  }
  /// The example for links that come and go, as on real machines.
  void write_for_any_network(const std::string& name) {
    write_changed(name, ".shape = Shape::ring, .needs_direction = true, .tolerates_one_way = true",
                  ".tolerates_changes = true, .tolerates_crashes = true");
  }
  /// One line on standard error, nothing on standard output; returns the line.
  std::string refused(const Arguments& arguments, int status = 2) {
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  }
  std::string printed(const Arguments& arguments) {
    const Outcome outcome = run(folder_, arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }

  Folder folder_;

 private:
  struct Example : Folder {
    Example() { std::filesystem::copy_file(ring_of_trust, path() / "ring_of_trust.cpp"); }
  };
  Folder cache_;
  Example example_;
};

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

TEST_F(PluginTest, EveryCommandTakesAFileAndCompilesItOnce) {
  const std::string ran = printed({"run", ring, "--algorithm", ring_of_trust});
  EXPECT_TRUE(has(ran, "ring-of-trust"));
  EXPECT_TRUE(has(ran, "yes: all nodes name one leader"));
  const auto made = libraries();
  ASSERT_EQ(made.size(), 1u);
  setenv("CXX", "/bin/false", 1);  // another compiler is asked for what is not in the cache
  EXPECT_TRUE(has(refused({"run", ring, "--algorithm", ring_of_trust}), "cannot be compiled"));
  unsetenv("CXX");

  EXPECT_EQ(printed({"run", ring, "--algorithm=" + ring_of_trust}), ran);
  EXPECT_EQ(printed({"run", ring, "-a", ring_of_trust}), ran);
  EXPECT_TRUE(has(printed({"describe", ring_of_trust}), "lowest"));
  EXPECT_TRUE(has(printed({"check", ring_of_trust, "--graph", "ring:3", "--one-way"}),
                  "ring-of-trust: no violation"));
  const std::string compared =
      printed({"compare", ring, "--algorithm", ring_of_trust, "--runs", "1", "--quiet"});
  EXPECT_TRUE(has(compared, "ring-of-trust"));
  EXPECT_TRUE(has(compared, "chang-roberts"));
  EXPECT_EQ(libraries(), made) << "all of these took it from the cache";
}

TEST_F(PluginTest, ALibraryIsTakenAsItIs) {
  printed({"describe", ring_of_trust});
  ASSERT_EQ(libraries().size(), 1u);
  const std::string cached =
      std::string(std::getenv("XDG_CACHE_HOME")) + "/bellwether/plugins/" + libraries()[0];
  std::filesystem::copy_file(cached, folder_.path() / "trust.so");
  EXPECT_TRUE(has(printed({"run", ring, "--algorithm", "trust.so"}), "ring-of-trust"));
}

TEST_F(PluginTest, AFileThatIncludesAnotherIsCompiledAnewWhenThatChanges) {
  folder_.write("title.hpp", "#define TITLE \"the first title\"\n");
  write_changed("mine.cpp", "\"an id goes round while everybody trusts it more than themselves\"",
                "TITLE");
  folder_.write("mine.cpp", "#include \"title.hpp\"\n" + folder_.read("mine.cpp"));
  EXPECT_TRUE(has(printed({"describe", "mine.cpp"}), "the first title"));
  folder_.write("title.hpp", "#define TITLE \"the second title\"\n");
  EXPECT_TRUE(has(printed({"describe", "mine.cpp"}), "the second title"));
  EXPECT_EQ(libraries().size(), 2u);
}

TEST_F(PluginTest, WhereNoCacheCanBeWrittenItIsCompiledAllTheSame) {
  folder_.write("file", "");
  setenv("XDG_CACHE_HOME", (folder_.path() / "file").c_str(), 1);
  EXPECT_TRUE(has(printed({"describe", ring_of_trust}), "ring-of-trust"));
}

TEST_F(PluginTest, AnExperimentTakesIt) {
  const auto experiment = [&](const std::string& algorithms) {
    folder_.write("e.toml", "name = \"e\"\nscenario = \"" + ring +
                                "\"\nmetrics = [\"messages\"]\n[matrix]\n" + algorithms +
                                "network.nodes = [5, 7]\n[repeat]\nruns = 1\n");
  };
  const Arguments with{"sweep", "e.toml", "-q", "--set", "start.initiators=all", "--algorithm"};
  const auto sweep = [&](const std::string& file) {
    Arguments all = with;
    all.push_back(file);
    return all;
  };
  experiment("algorithm = [\"lelann\"]\n");
  EXPECT_TRUE(has(refused(sweep(ring_of_trust)),
                  "--algorithm: the matrix lists algorithms, and ring-of-trust is not among them"));
  experiment("algorithm = [\"lelann\", \"ring-of-trust\"]\n");
  EXPECT_TRUE(has(printed(sweep(ring_of_trust)), "ring-of-trust"));
  std::filesystem::remove(folder_.path() / "e.sqlite");
  std::filesystem::remove(folder_.path() / "e.csv");
  experiment("");
  EXPECT_TRUE(has(printed(sweep(ring_of_trust)), "2 runs in e.sqlite"));
  // Rows of an election as it was are not mixed with those of an edited one.
  write_changed("ring_of_trust.cpp", "bool lowest = false;", "bool lowest = true;");
  EXPECT_TRUE(has(refused(sweep("ring_of_trust.cpp")), "was made by version"));
}

TEST_F(PluginTest, AViolationIsReplayedWithTheFile) {
  // Every node leads.
  write_changed("bad.cpp", "return leader_; }", "return self_; }");
  const Outcome checked = run(folder_, {"check", "bad.cpp", "--graph", "ring:3"});
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_TRUE(has(checked.out, "run --replay ring-of-trust-violation.jsonl --algorithm bad.cpp"));
  const Outcome replayed =
      run(folder_, {"run", "--replay", "ring-of-trust-violation.jsonl", "--algorithm", "bad.cpp"});
  EXPECT_TRUE(has(replayed.out, "ring-of-trust")) << replayed.err;
}

TEST_F(PluginTest, ANodeElectsWithIt) {
  write_for_any_network("mine.cpp");
  EXPECT_TRUE(has(printed({"node", "--check-config", "--plain", "--algorithm", "mine.cpp"}),
                  "the configuration is good"));
}

TEST_F(PluginTest, TheViewerPlaysIt) {
  Program viewer(folder_, {"view", ring, "--algorithm", ring_of_trust, "--no-browser"});
  EXPECT_TRUE(viewer.says("open this address in a browser"));
  viewer.signal(SIGINT);
  const Outcome outcome = viewer.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(libraries().size(), 1u);
}

TEST_F(PluginTest, ItRunsOnNs3) {
  const auto beside = std::filesystem::path(BELLWETHER_PROGRAM).parent_path() / "bellwether-ns3";
  if (!std::filesystem::exists(beside)) GTEST_SKIP() << "ns-3 is not here";
  write_for_any_network("mine.cpp");
  EXPECT_TRUE(has(
      printed({"run", project("scenarios/thesis-levy-walk.toml"), "--set", "stop.time=2 s", "--set",
               "neighbours.reliable=true", "--algorithm", "mine.cpp", "--engine", "ns3"}),
      "ring-of-trust on"));
}

TEST_F(PluginTest, TheCacheKeepsTheNewest) {
  const std::string cache = std::string(std::getenv("XDG_CACHE_HOME")) + "/bellwether/plugins/";
  std::filesystem::create_directories(cache);
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
  for (int i = 0; i < 200; ++i) {
    const std::string name = cache + "old" + std::to_string(i) + ".so";
    std::ofstream(name) << i;
    std::filesystem::last_write_time(name, long_ago + std::chrono::seconds(i));
  }
  printed({"describe", ring_of_trust});
  const auto kept = libraries();
  EXPECT_EQ(kept.size(), 127u) << "128 files, of which one says what the new one includes";
  EXPECT_FALSE(std::filesystem::exists(cache + "old0.so"));
  EXPECT_TRUE(std::filesystem::exists(cache + "old199.so"));
}

TEST_F(PluginTest, HeadersThatAreNewerThanTheProgram) {
  const auto program = folder_.path() / "bellwether";
  std::filesystem::copy_file(BELLWETHER_PROGRAM, program);
  std::filesystem::last_write_time(
      program, std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 30));
  std::filesystem::create_directory(folder_.path() / "include");
  std::filesystem::create_symlink(project("src/bellwether"), folder_.path() / "include/bellwether");
  const Outcome outcome =
      Program(folder_, {"describe", ring_of_trust}, "/dev/null", program).wait();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.err, "which is newer than this program; build the program again first"));
  EXPECT_EQ(libraries().size(), 0u);
}

TEST_F(PluginTest, MissingFiles) {
  EXPECT_EQ(refused({"run", ring, "--algorithm", "./none.cpp"}),
            "bellwether: ./none.cpp: there is no such file\n");
  EXPECT_EQ(refused({"check", "none.so", "--graph", "ring:3"}),
            "bellwether: none.so: there is no such file\n");
}

TEST_F(PluginTest, ACompilerThatIsNotThere) {
  setenv("CXX", "no-such-compiler -O2", 1);
  EXPECT_TRUE(has(refused({"describe", ring_of_trust}),
                  "bellwether: CXX: there is no program no-such-compiler; set CXX to"));
}

TEST_F(PluginTest, TheFirstErrorOfTheCompilerWithItsLine) {
  write_changed("mine.cpp", "// SPDX-License-Identifier: MIT\n", "int x = no_such_name;\n");
  EXPECT_TRUE(refused({"run", ring, "--algorithm", "./mine.cpp"})
                  .starts_with("bellwether: ./mine.cpp:1: 'no_such_name' was not declared"));
  EXPECT_TRUE(libraries().empty());
  // A handler that is missing is noticed in a header: the line of the file leads there.
  write_changed("mine.cpp", "void timeout(Step&, Timer) {}", "");
  const std::string sentence = refused({"run", ring, "--algorithm", "./mine.cpp"});
  EXPECT_TRUE(sentence.starts_with("bellwether: ./mine.cpp:")) << sentence;
}

TEST_F(PluginTest, NotAPlugin) {
  folder_.write("mine.cpp", "int answer() { return 42; }\n");
  EXPECT_TRUE(has(refused({"describe", "mine.cpp"}),
                  "mine.cpp: says nowhere which class is the election; end it with: extern \"C\""));
  folder_.write("mine.so", "no library\n");
  EXPECT_TRUE(has(refused({"describe", "mine.so"}), "mine.so: cannot be loaded: "));
  folder_.write("mine.cpp", "int missing(int);\nint answer() { return missing(1); }\n");
  EXPECT_TRUE(has(refused({"describe", "mine.cpp"}), "undefined symbol: missing(int); is"));
}

TEST_F(PluginTest, AnotherVersionOfTheInterface) {
  write_changed("mine.cpp", "{ return plugin<RingOfTrust>(); }",
                "{\n  static constexpr Plugin other{host_version + 1, nullptr};\n"
                "  return &other;\n}");
  EXPECT_EQ(refused({"run", ring, "--algorithm", "mine.cpp"}),
            "bellwether: mine.cpp: is a plug-in for version 3 of the host interface, and this "
            "program has version 2; compile it with the headers of this program\n");
}

TEST_F(PluginTest, ANameThatIsTaken) {
  write_changed("mine.cpp", "\"ring-of-trust\"", "\"bully\"");
  EXPECT_EQ(refused({"run", ring, "--algorithm", "mine.cpp"}),
            "bellwether: mine.cpp: there is an algorithm bully already; give yours another name\n");
}

TEST_F(PluginTest, ACrashIsBlamedOnItsHandler) {
  write_changed("mine.cpp", "void receive(Step& step, Port, const Message& message) {",
                "void receive(Step& step, Port, const Message& message) {\n"
                "    *static_cast<volatile int*>(nullptr) = 1;");
  EXPECT_TRUE(
      refused({"run", ring, "--algorithm", "mine.cpp"}, 1)
          .starts_with("bellwether: mine.cpp: ring-of-trust crashed in its handler receive: "
                       "segmentation fault (SIGSEGV)"));
  write_changed("mine.cpp", "void start(Step& step) {",
                "void start(Step& step) { std::terminate();");
  EXPECT_TRUE(has(refused({"check", "mine.cpp", "--graph", "ring:3"}, 1),
                  "ring-of-trust crashed in its handler start: it was aborted (SIGABRT)"));
}

}  // namespace
}  // namespace bellwether::cli_test
