// SPDX-License-Identifier: MIT
// sweep, report, reproduce and compare, as people use them: killed, resumed, on several processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <pugixml.hpp>
#include <sstream>
#include <thread>

#include "bellwether/json/json.hpp"
#include "cli/program.hpp"

namespace bellwether::cli_test {
namespace {

using namespace std::chrono_literals;

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << part << "\" is not in:\n" << text;
}

/// Two algorithms, two ranges, some seconds of sixty nodes that move.
std::string experiment(const std::string& time, int runs) {
  return "name = \"wrong\"\nabout = \"who is wrong, & how often\"\nscenario = \"" +
         project("scenarios/thesis-random-waypoint.toml") + "\"\n[set]\nstop.time = \"" + time +
         "\"\n[matrix]\nalgorithm = [\"flooding\", \"cel-2\"]\nradio.range = [60, 90]\n" +
         "[repeat]\nruns = " + std::to_string(runs) + "\n";
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  std::sort(out.begin(), out.end());
  return out;
}

/// More runs of each point than any machine makes before it is stopped.
const std::string endless = "10000";

void done(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Sweep, GivesTheSameRowsOnOneCoreAndOnTwo) {
  const Folder folder;
  folder.write("e.toml", experiment("5 s", 3));
  const Outcome one = run(folder, {"sweep", "e.toml", "--out", "one.sqlite", "-j", "1", "-q"});
  done(one);
  EXPECT_TRUE(has(one.out, "12 runs in one.sqlite"));
  EXPECT_TRUE(has(one.out, "cel-2"));
  done(run(folder, {"sweep", "e.toml", "--out", "two.sqlite", "-j", "2", "-q"}));
  EXPECT_EQ(sorted_lines(folder.read("one.csv")), sorted_lines(folder.read("two.csv")));
  EXPECT_EQ(sorted_lines(folder.read("one.csv")).size(), 13u);
}

TEST(Sweep, KilledAndResumedGivesTheSameRows) {
  const Folder folder;
  folder.write("e.toml", experiment("100 s", 6));
  {
    Program program(folder, {"sweep", "e.toml", "--out", "killed.sqlite", "-j", "1", "--progress",
                             "--runs", endless});
    EXPECT_TRUE(program.says(" runs/s"));  // the first row has been kept
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait().status, 128 + SIGKILL);
  }
  const std::size_t before = sorted_lines(folder.read("killed.csv")).size();
  EXPECT_GT(before, 1u);
  // Results that are not whole can be looked at.
  done(run(folder, {"report", "killed.sqlite", "--text"}));
  // Of four points: more than there is, however late it was killed.
  const std::string runs = std::to_string(before / 4 + 5);
  done(run(folder, {"sweep", "e.toml", "--out", "killed.sqlite", "-q", "--runs", runs}));
  done(run(folder, {"sweep", "e.toml", "--out", "whole.sqlite", "-q", "--runs", runs}));
  EXPECT_GT(sorted_lines(folder.read("whole.csv")).size(), before + 10);
  EXPECT_EQ(sorted_lines(folder.read("killed.csv")), sorted_lines(folder.read("whole.csv")));
}

TEST(Sweep, InterruptedSaysHowToGoOn) {
  const Folder folder;
  folder.write("e.toml", experiment("100 s", 6));
  Program program(folder, {"sweep", "e.toml", "-j", "1", "--progress", "--runs", endless});
  EXPECT_TRUE(program.says(" runs/s"));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(has(outcome.out, "run the same command again to resume"));
}

TEST(Sweep, MakesOnlyWhatIsMissing) {
  const Folder folder;
  folder.write("e.toml", experiment("2 s", 2));
  done(run(folder, {"sweep", "e.toml", "-q"}));
  const std::string before = folder.read("wrong.csv");
  done(run(folder, {"sweep", "e.toml", "-q"}));
  EXPECT_EQ(folder.read("wrong.csv"), before);
  done(run(folder, {"sweep", "e.toml", "-q", "--runs", "3"}));
  EXPECT_TRUE(folder.read("wrong.csv").starts_with(before));
  EXPECT_EQ(sorted_lines(folder.read("wrong.csv")).size(), 13u);
}

/// Bounded by `timeout`; nothing, where there is no mpirun.
TEST(Sweep, UnderMpiGivesTheSameRows) {
  if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
  const Folder folder;
  folder.write("e.toml", experiment("5 s", 3));
  done(run(folder, {"sweep", "e.toml", "--out", "alone.sqlite", "-q"}));
  const std::string command = "cd " + folder.path().string() +
                              " && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                              "timeout 1000 mpirun --oversubscribe -n 2 " BELLWETHER_PROGRAM
                              " sweep e.toml --out many.sqlite -q > many.txt 2> many.err";
  const int status = std::system(command.c_str());
  if (has(folder.read("many.err"), "built without MPI")) GTEST_SKIP() << "built without MPI";
  EXPECT_EQ(status, 0) << folder.read("many.err");
  EXPECT_EQ(sorted_lines(folder.read("alone.csv")), sorted_lines(folder.read("many.csv")));
  EXPECT_TRUE(has(folder.read("many.txt"), "12 runs in many.sqlite"));
}

/// One of three ranks is killed when the first row is there; its work is done by the others.
TEST(Sweep, ALostRankLosesNoRows) {
  if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
  const Folder folder;
  folder.write("e.toml", experiment("400 s", 4));
  folder.write("rank.sh",
               "if [ \"$OMPI_COMM_WORLD_RANK\" = 2 ]; then\n"
               "  \"$@\" &\n  rank=$!\n"
               "  until [ \"$(wc -l < many.csv)\" -gt 1 ]; do sleep 0.05; done 2> /dev/null\n"
               "  kill -9 $rank && echo lost > lost.txt\n  wait $rank\n  exit 0\nfi\n"
               "exec \"$@\"\n");
  done(run(folder, {"sweep", "e.toml", "--out", "alone.sqlite", "-q"}));
  const std::string command =
      "cd " + folder.path().string() +
      " && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 1000 "
      "mpirun --oversubscribe --enable-recovery -n 3 sh rank.sh " BELLWETHER_PROGRAM
      " sweep e.toml --out many.sqlite -q > many.txt 2> many.err";
  const int status = std::system(command.c_str());
  if (has(folder.read("many.err"), "built without MPI")) GTEST_SKIP() << "built without MPI";
  EXPECT_EQ(status, 0) << folder.read("many.err");
  EXPECT_EQ(folder.read("lost.txt"), "lost\n");
  EXPECT_EQ(sorted_lines(folder.read("alone.csv")), sorted_lines(folder.read("many.csv")));
}

TEST(Report, IsOnePageThatNeedsNothingElse) {
  const Folder folder;
  folder.write("e.toml", experiment("5 s", 3));
  done(run(folder, {"sweep", "e.toml", "-q"}));
  done(run(folder, {"report", "wrong.sqlite"}));
  const std::string page = folder.read("wrong.html");
  EXPECT_TRUE(has(page, "who is wrong, &amp; how often"));
  EXPECT_TRUE(has(page, "<svg"));
  EXPECT_EQ(page.find("<script src"), page.npos);
  EXPECT_EQ(page.find("<link"), page.npos);
  for (std::size_t at = page.find("src=\""); at != page.npos; at = page.find("src=\"", at + 1))
    EXPECT_EQ(page.substr(at + 5, 5), "data:");
}

TEST(Report, HasFiguresForAPaper) {
  const Folder folder;
  folder.write("e.toml", experiment("5 s", 3) +
                             "[[figure]]\ntitle = \"Wrong leaders\"\nx = \"radio.range\"\n"
                             "y = \"instability\"\nby = \"algorithm\"\n");
  done(run(folder, {"sweep", "e.toml", "-q"}));
  done(run(folder, {"report", "wrong.sqlite", "--svg", "--tikz", "--csv", "--out", "figures"}));
  pugi::xml_document svg;
  EXPECT_TRUE(svg.load_string(folder.read("figures/01-wrong-leaders.svg").c_str()));
  EXPECT_TRUE(has(folder.read("figures/01-wrong-leaders.tex"), "\\begin{axis}"));
  EXPECT_TRUE(has(folder.read("figures/01-wrong-leaders.csv"), "flooding"));
}

TEST(Reproduce, ListsAndRunsQuickly) {
  const Folder folder;
  const Outcome list = run(folder, {"reproduce", "--list"});
  done(list);
  EXPECT_EQ(sorted_lines(list.out).size(), 22u);
  EXPECT_LT(list.out.find("figure-5.4"), list.out.find("figure-5.10"));
  const std::string thesis = project("experiments/thesis");
  EXPECT_EQ(run(folder, {"reproduce", "--list", "--experiments", thesis}).out, list.out);
  const Outcome all = run(folder, {"reproduce", "--quick", "-q"});
  done(all);
  EXPECT_TRUE(has(all.out, "components at 90 m"));
  EXPECT_TRUE(has(all.out, "prove nothing"));
  for (const char* page : {"figure-4.14", "figure-5.11", "table-5.2", "figure-A.2"})
    EXPECT_TRUE(has(folder.read("reproduction/" + std::string(page) + ".html"), "<svg")) << page;
}

TEST(Compare, RefusesAnAlgorithmThatDoesNotExist) {
  const Folder folder;
  const Outcome outcome = run(folder, {"compare", "first-election", "--algorithm", "nonsense"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome.err, "--algorithm: unknown algorithm \"nonsense\"")) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST(Compare, IsALeagueTable) {
  const Folder folder;
  const std::string scenario = project("scenarios/thesis-random-waypoint.toml");
  const Arguments words{"compare", scenario, "--set", "stop.time=5s", "--runs", "2", "-q"};
  const Outcome table = run(folder, words);
  done(table);
  EXPECT_TRUE(has(table.out, "instability (%)"));
  EXPECT_TRUE(has(table.out, "\ncel-2 "));
  EXPECT_TRUE(has(table.out, " *"));
  EXPECT_TRUE(has(table.out, "left out\n"));
  EXPECT_TRUE(has(table.out, "chang-roberts"));
  EXPECT_TRUE(has(table.out, ": needs ")) << "one reason for all who share it";
  Arguments json = words;
  json.emplace_back("--json");
  const auto parsed = json::Json::parse(run(folder, json).out);
  EXPECT_GT(parsed.at("algorithms").size(), 5u);
  EXPECT_TRUE(parsed.at("algorithms").at(0).contains("instability"));
  EXPECT_EQ(run(folder, words).out, table.out) << "the same seeds, the same table";
}

/// flooding ends after 4 s, cel after 30 s: over times of their own, flooding would look better.
TEST(Compare, MeasuresAllOverTheSameTime) {
  const Folder folder;
  const Arguments words{"compare", "partition-heals", "--runs", "5", "-q"};
  Arguments json = words;
  json.emplace_back("--json");
  const auto parsed = json::Json::parse(run(folder, json).out);
  std::map<std::string, double> instability;
  for (const auto& row : parsed.at("algorithms")) {
    EXPECT_EQ(row.at("measured_time_s").get<double>(), 30) << row.dump();
    instability[row.at("algorithm").get<std::string>()] =
        row.at("instability").at("mean").get<double>();
  }
  EXPECT_LT(instability.at("cel"), instability.at("flooding"));
  const std::string table = run(folder, words).out;
  EXPECT_TRUE(has(table, "means to elect")) << "a note where criteria differ";
  EXPECT_TRUE(has(table, "\n  highest-id: vasudevan\n")) << table;
  EXPECT_FALSE(has(run(folder, {"compare", "partition-heals", "--runs", "1", "-q", "--set",
                                "metrics.oracle=majority"})
                       .out,
                   "means to elect; "));
}

/// At 3 s the network is cut, and vasudevan has not noticed yet.
TEST(Compare, WhoNamesALeaderThatCannotBeReachedHasNotSettled) {
  const Folder folder;
  const auto parsed = json::Json::parse(run(folder, {"compare", "partition-heals", "--runs", "2",
                                                     "-q", "--json", "--set", "stop.time=3s"})
                                            .out);
  for (const auto& row : parsed.at("algorithms"))
    EXPECT_EQ(row.contains("settling_time_s"),
              row.at("algorithm").get<std::string>() != "vasudevan")
        << row.dump();
}

void refused(const Folder& folder, const Arguments& words, const std::vector<std::string>& parts) {
  std::string command;
  for (const std::string& word : words) command += ' ' + word;
  SCOPED_TRACE(command);
  const auto before = folder.files();
  const Outcome outcome = run(folder, words);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& part : parts) EXPECT_TRUE(has(outcome.err, part));
  EXPECT_EQ(folder.files(), before);
}

TEST(Experiments, BadOnesAreRefusedInOneSentence) {
  const Folder folder;
  const auto with = [&](const std::string& more) {
    folder.write("e.toml",
                 "scenario = \"" + project("scenarios/first-election.toml") + "\"\n" + more);
  };
  refused(folder, {"sweep"}, {"experiment", "bellwether sweep --help"});
  refused(folder, {"sweep", "none.toml"}, {"none.toml", "no such file"});
  with("");
  refused(folder, {"sweep", "e.toml"}, {"the matrix is empty"});
  with("[matrix]\nnetwork.nodse = [4]\n");
  refused(folder, {"sweep", "e.toml"}, {"network.nodse", "did you mean"});
  with("[matrix]\nalgorithm = [\"chang-robert\"]\n");
  refused(folder, {"sweep", "e.toml"}, {"chang-robert", "did you mean"});
  with("[matrix]\nalgorithm = [\"cel\"]\n[set]\noptions.rho2 = 1\n");
  refused(folder, {"sweep", "e.toml"}, {"rho2", "[[variant]]"});
  with("[matrix]\nnetwork.nodes = [4]\n[repeat]\nuntil = \"instabilty\"\nat_most = 9\n");
  refused(folder, {"sweep", "e.toml"}, {"instabilty", "did you mean \"instability\""});
  with("[matrix]\nnetwork.nodes = [4, 5]\n");
  refused(folder, {"sweep", "e.toml", "--set", "network.nodes=9"}, {"axis of the matrix"});
  refused(folder, {"sweep", "e.toml", "--set", "nonsense"}, {"key=value"});
  refused(folder, {"sweep", "e.toml", "--jobs", "0"}, {"--jobs"});
  refused(folder, {"sweep", "e.toml", "--out", "no/such/r.sqlite"}, {"cannot be opened"});
  with("[matrix]\nnetwork.topology = [\"star\"]\n");
  refused(folder, {"sweep", "e.toml"}, {"the point network.topology = star: ", "ring", "[[skip]]"});
  with("[matrix]\nnetwork.nodes = [4, 5]\n");
  done(run(folder, {"sweep", "e.toml", "--out", "r.sqlite", "-q"}));
  with("[matrix]\nnetwork.nodes = [4, 5]\n[set]\nchannel.max = \"70 ms\"\n");
  refused(
      folder, {"sweep", "e.toml", "--out", "r.sqlite"},
      {"another experiment: channel.max was ", "is \"70 ms\" now; name another file with --out"});
  refused(folder, {"report", "none.sqlite"}, {"no such file"});
  refused(folder, {"reproduce", "4.99"}, {"unknown figure or table \"4.99\""});
  refused(folder, {"reproduce", "--experiments", "nowhere"}, {"no experiments in nowhere"});
  refused(folder, {"reproduce", "5.8", "4.14", "--short"},
          {"figure-4.14.toml: has no short version"});  // said before the first is run
  refused(folder, {"sweep", "e.toml", "--short", "--quick"}, {"--short"});
  with("[matrix]\nradio.rnge = [4]\n");
  refused(folder, {"sweep", "e.toml"}, {"e.toml: matrix: radio.rnge: unknown key"});
  folder.write("f.toml", "scenario = \"nowhere.toml\"\n[matrix]\nnetwork.nodes = [4]\n");
  refused(folder, {"sweep", "f.toml"},
          {"f.toml: scenario: there is no file \"nowhere.toml\"", "experiment's folder"});
  refused(folder, {"sweep", "e.toml", "--engine", "both"}, {"unknown engine \"both\""});
  refused(folder, {"compare", "none.toml"}, {"no such file"});
}

/// One point of many that cannot run: said before the first run, and by a dry run in the same
/// words.
TEST(Experiments, AnUnfitPointIsRefusedBeforeTheFirstRun) {
  const Folder folder;
  const auto unfit = [&](const std::string& matrix, const std::vector<std::string>& parts) {
    folder.write("e.toml",
                 "scenario = \"" + project("scenarios/partition-heals.toml") + "\"\n" + matrix);
    refused(folder, {"sweep", "e.toml", "-q"}, parts);
    refused(folder, {"sweep", "e.toml", "--dry-run"}, parts);
  };
  unfit("[matrix]\nalgorithm = [\"cel-2\", \"height\"]\nchannel.loss = [0, 0.1]\n",
        {"e.toml: the point algorithm = height, channel.loss = 0.1: ",
         "height assumes that nothing is lost", "[[skip]]"});
  unfit("[matrix]\nalgorithm = [\"cel\"]\noptions.rho = [0.5, 7]\n",
        {"the point algorithm = cel, options.rho = 7: ", "rho"});
  unfit("[matrix]\nnetwork.topology = [\"grid\", \"file\"]\n",
        {"network.topology = file", "file"});
  unfit("[matrix]\nstart.initiators = [1, 1000]\n", {"there are only ", "start.initiators = 1000"});
  unfit("series = [\"instabilty\"]\n[matrix]\nnetwork.nodes = [6]\n", {"series", "instabilty"});
  // What is left out need not fit.
  folder.write("e.toml", "name = \"fits\"\nscenario = \"" +
                             project("scenarios/partition-heals.toml") +
                             "\"\n[set]\nstop.time = \"1 s\"\n[matrix]\nalgorithm = [\"cel-2\", "
                             "\"height\"]\nchannel.loss = [0, 0.1]\n[[skip]]\nwhere = { "
                             "algorithm = \"height\", channel.loss = 0.1 }\n");
  const Outcome rest = run(folder, {"sweep", "e.toml", "-q", "--runs", "1"});
  done(rest);
  EXPECT_TRUE(has(rest.out, "3 runs in fits.sqlite"));
}

TEST(Experiments, AnUnfitPointIsRefusedUnderMpi) {
  if (std::system("command -v mpirun > /dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
  const Folder folder;
  folder.write("e.toml", "scenario = \"" + project("scenarios/partition-heals.toml") +
                             "\"\n[matrix]\nalgorithm = [\"cel-2\", \"height\"]\n"
                             "channel.loss = [0.1]\n");
  const std::string command = "cd " + folder.path().string() +
                              " && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                              "timeout 1000 mpirun --oversubscribe -n 2 " BELLWETHER_PROGRAM
                              " sweep e.toml --out many.sqlite -q > /dev/null 2> err";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_TRUE(has(folder.read("err"), "height assumes that nothing is lost"));
  EXPECT_EQ(folder.files(), (std::set<std::string>{"e.toml", "err"}));
}

/// An experiment that grows keeps its rows, and gets those that a fresh sweep of all would make.
TEST(Experiments, AnExtendedExperimentMakesOnlyWhatIsMissing) {
  const Folder folder;
  const auto with = [&](const std::string& ranges, int runs) {
    folder.write("e.toml", "name = \"r\"\nscenario = \"" +
                               project("scenarios/thesis-random-waypoint.toml") +
                               "\"\n[set]\nstop.time = \"2 s\"\n[matrix]\nalgorithm = "
                               "[\"flooding\", \"cel-2\"]\nradio.range = [" +
                               ranges + "]\n[repeat]\nruns = " + std::to_string(runs) + "\n");
  };
  with("60, 90", 2);
  done(run(folder, {"sweep", "e.toml", "-q"}));
  std::string before = folder.read("r.csv");
  const auto extended = [&](const std::string& ranges, int runs, std::size_t rows) {
    SCOPED_TRACE(ranges);
    with(ranges, runs);
    done(run(folder, {"sweep", "e.toml", "-q"}));
    const std::string after = folder.read("r.csv");
    EXPECT_TRUE(after.starts_with(before)) << "the rows that were there are the first";
    done(run(folder, {"sweep", "e.toml", "-q", "--out", "fresh.sqlite"}));
    EXPECT_EQ(sorted_lines(after), sorted_lines(folder.read("fresh.csv")));
    EXPECT_EQ(sorted_lines(after).size(), rows + 1);
    std::filesystem::remove(folder.path() / "fresh.sqlite");
    before = after;
  };
  extended("60, 75, 90", 2, 12);
  extended("60, 75, 90, 100", 2, 16);
  extended("60, 75, 90, 100", 3, 24);
  done(run(folder, {"report", "r.sqlite", "--text"}));
  EXPECT_TRUE(has(run(folder, {"report", "r.sqlite", "--text"}).out, "100"));
}

TEST(Experiments, ReportReadsOnlyResults) {
  const Folder folder;
  folder.write("empty.sqlite", "");
  folder.write("garbage.sqlite", std::string(5000, '\x7f'));
  refused(folder, {"report", "/tmp"}, {"/tmp: is a folder"});
  refused(folder, {"report", "/dev/zero"}, {"/dev/zero: is not a regular file"});
  refused(folder, {"report", "empty.sqlite"}, {"is not a results file"});
  refused(folder, {"report", "garbage.sqlite"}, {"is not a results file"});
  refused(folder, {"report", "none.sqlite"}, {"no such file"});
  EXPECT_EQ(folder.read("empty.sqlite"), "");
}

TEST(Experiments, NothingStaysBehindWhereResultsCannotBeWritten) {
  const Folder folder;
  folder.write("e.toml", experiment("1 s", 1));
  std::filesystem::create_directory(folder.path() / "r.csv");
  for (const char* out : {"no/such/r.sqlite", "/dev/full", "e.toml/r.sqlite", "r.sqlite", "."})
    refused(folder, {"sweep", "e.toml", "-q", "--out", out}, {});
  EXPECT_FALSE(std::filesystem::exists("/dev/full.csv"));
  done(run(folder, {"sweep", "e.toml", "-q", "--out", "good.sqlite"}));
  refused(folder, {"report", "good.sqlite", "--out", "no/such/page.html"}, {"cannot be written"});
  refused(folder, {"report", "good.sqlite", "--out", "/dev/full"}, {"cannot be written"});
  refused(folder, {"report", "good.sqlite", "--svg", "--out", "e.toml/figures"}, {"created"});
}

/// What a killed sweep has left is whole after the first look at it.
TEST(Experiments, AReportOfAKilledSweepLeavesNoJournal) {
  const Folder folder;
  folder.write("e.toml", experiment("100 s", 6));
  {
    Program program(folder, {"sweep", "e.toml", "-j", "1", "--progress", "--runs", endless});
    EXPECT_TRUE(program.says(" runs/s"));
    program.signal(SIGKILL);
    program.wait();
  }
  done(run(folder, {"report", "wrong.sqlite", "--text"}));
  EXPECT_EQ(folder.files(), (std::set<std::string>{"e.toml", "wrong.csv", "wrong.sqlite"}));
}

/// What reproduce runs can be swept by its name, anywhere.
TEST(Experiments, APublishedExperimentIsAPartOfTheProgram) {
  const Folder folder;
  const Outcome one = run(folder, {"sweep", "figure-4.14", "--quick", "--dry-run"});
  done(one);
  EXPECT_EQ(
      run(folder, {"sweep", project("experiments/thesis/figure-4.14.toml"), "--quick", "--dry-run"})
          .out,
      one.out);
}

TEST(Experiments, ADryRunListsThePoints) {
  const Folder folder;
  folder.write("e.toml", experiment("5 s", 3));
  const Outcome outcome = run(folder, {"sweep", "e.toml", "--dry-run"});
  done(outcome);
  EXPECT_TRUE(has(outcome.out, "4 points, 3 runs each"));
  EXPECT_TRUE(has(outcome.out, "algorithm = cel-2  radio.range = 90"));
  EXPECT_EQ(folder.files().size(), 1u);
}

}  // namespace
}  // namespace bellwether::cli_test
