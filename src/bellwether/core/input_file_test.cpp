// SPDX-License-Identifier: MIT
#include "bellwether/core/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "bellwether/core/problem.hpp"

namespace bellwether::core {
namespace {

namespace fs = std::filesystem;

class InputFile : public testing::Test {
 protected:
  InputFile() : folder_(fs::path(testing::TempDir()) / ("input_file_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~InputFile() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  fs::path folder_;
};

std::string says(const std::string& path, std::uint64_t limit = 1000) {
  try {
    read_file(path, limit);
  } catch (const Problem& problem) {
    EXPECT_EQ(problem.where(), Location(path));
    return problem.sentence();
  }
  return "";
}

TEST_F(InputFile, IsReadWholeUpToItsLimit) {
  EXPECT_EQ(read_file(write("empty", ""), 0), "");
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>(i % 251);
  EXPECT_EQ(read_file(write("all", text), text.size()), text);
  EXPECT_EQ(says(path("all"), text.size() - 1), "is larger than 300 kB; name a smaller file");
  EXPECT_EQ(says(path("all"), 65'536), "is larger than 65.5 kB; name a smaller file");
}

TEST_F(InputFile, RefusesWhatIsNoFile) {
  EXPECT_EQ(says(path("none")), "there is no such file");
  EXPECT_EQ(says(path("")), "is a folder; name a file in it");
  EXPECT_EQ(says("/dev/zero"), "is a device; name a file");
  EXPECT_EQ(says(path("none") + "/below"), "there is no such file");
}

TEST_F(InputFile, MayBeAPipe) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string text(200'000, 'x');
  std::thread writer([&] { std::ofstream(pipe) << text; });
  const std::string read = read_file(pipe, text.size());
  writer.join();
  EXPECT_EQ(read, text);
}

}  // namespace
}  // namespace bellwether::core
