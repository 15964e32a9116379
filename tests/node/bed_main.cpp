// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "node/namespace.hpp"

int main(int argc, char** argv) {
  bellwether::bed::enter_own_namespaces();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
