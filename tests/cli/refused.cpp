// SPDX-License-Identifier: MIT
#include "cli/refused.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bellwether::cli_test {

void refused(const Folder& folder, const Arguments& arguments, const Parts& parts) {
  std::string command = "bellwether";
  for (const std::string& word : arguments) command += ' ' + word;
  SCOPED_TRACE(command);
  const auto before = folder.files();
  const Outcome outcome = run(folder, arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("bellwether: ")) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with("\n"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos)
        << '"' << part << "\" is not in: " << outcome.err;
  EXPECT_EQ(folder.files(), before);
}

}  // namespace bellwether::cli_test
