// SPDX-License-Identifier: MIT
#include "bellwether/core/human_bytes.hpp"

#include <gtest/gtest.h>

namespace bellwether::core {
namespace {

TEST(HumanBytes, HaveThreeDigits) {
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1'000), "1.00 kB");
  EXPECT_EQ(human_bytes(9'999), "10.0 kB");
  EXPECT_EQ(human_bytes(99'990), "100 kB");
  EXPECT_EQ(human_bytes(999'999), "1.00 MB");
  EXPECT_EQ(human_bytes(18'446'744'073'709'551'615u), "18.4 EB");
}

}  // namespace
}  // namespace bellwether::core
