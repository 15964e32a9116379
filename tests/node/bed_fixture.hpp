// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "node/test_bed.hpp"

namespace bellwether::bed {

/// Skips its tests, with the reason, where no network can be had.
class BedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = Network::unavailable()) GTEST_SKIP() << *why;
  }
};

}  // namespace bellwether::bed
