// SPDX-License-Identifier: MIT
// The real program, run as people run it: a process with arguments, a folder, two streams and a
// status.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace bellwether::cli_test {

using Arguments = std::vector<std::string>;

/// A folder that goes away with its owner.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  /// The names of all files in it.
  std::set<std::string> files() const;

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int status = -1;  // 128 + signal when a signal ended it, as in a shell
  std::string out;
  std::string err;
};

/// One running program. No test hangs: the program is ended at its time limit.
class Program {
 public:
  /// `input` is the file that it reads as standard input.
  Program(const Folder& folder, const Arguments& arguments, const std::string& input = "/dev/null",
          const std::string& program = BELLWETHER_PROGRAM,
          std::chrono::seconds limit = std::chrono::minutes(20));
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Waits until the text is on standard error; false when the program ends without it.
  bool says(const std::string& text);
  void signal(int number) const;
  Outcome wait();

 private:
  bool over();

  Folder streams_;
  pid_t pid_ = -1;
  int status_ = -1;
  std::chrono::steady_clock::time_point deadline_;
};

/// Runs the program to its end in a folder.
Outcome run(const Folder& folder, const Arguments& arguments,
            const std::string& input = "/dev/null");

/// The path of a file of the project.
std::string project(const std::string& name);

}  // namespace bellwether::cli_test
