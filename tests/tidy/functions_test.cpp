// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <iostream>

#include "known.hpp"
#include "tree.hpp"

namespace bellwether::tidy {
namespace {

TEST(TidyFunctions, AreSeenInEveryFile) {
  std::size_t functions = 0, in_headers = 0, lambdas = 0;
  for (const Source& source : sources()) {
    EXPECT_EQ(source.outline.stopped_at, 0)
        << place(source, source.outline.stopped_at)
        << "tidy does not understand this; tests/tidy/outline.cpp has to learn it";
    for (const Function& function : source.outline.functions) {
      ++(function.lambda ? lambdas : functions);
      if (!function.lambda && source.is_header()) ++in_headers;
    }
  }
  std::cout << functions << " functions, " << in_headers << " of them in headers, and " << lambdas
            << " lambdas\n";
  EXPECT_GT(functions, 4000u);
  EXPECT_GT(in_headers, 1000u);
}

TEST(TidyFunctions, FitSeventyLines) {
  std::map<std::string, std::string> found;
  for (const Source& source : sources())
    for (const Function& function : source.outline.functions)
      if (function.lines() > 70)
        found[source.path + " " + function.name] = place(source, function.first) + function.name +
                                                   " has " + std::to_string(function.lines()) +
                                                   " lines, more than 70";
  expect_only({{"src/bellwether/check/cycles.cpp Cycles::components",
                "Tarjan's algorithm without recursion, one line too long"}},
              found);
}

}  // namespace
}  // namespace bellwether::tidy
