// SPDX-License-Identifier: MIT
// Lists of what breaks a rule today. They may only shrink.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether::tidy {

struct Known {
  std::string_view what;
  std::string_view why;
};

/// `found`: what breaks the rule, and what to say of it. All of it must be known, and all that is
/// known must still be found.
inline void expect_only(const std::vector<Known>& list,
                        const std::map<std::string, std::string>& found) {
  std::set<std::string_view> names;
  for (const Known& known : list) {
    names.insert(known.what);
    EXPECT_TRUE(found.contains(std::string(known.what)))
        << known.what << " keeps the rule now; take it off the list";
  }
  for (const auto& [what, sentence] : found) EXPECT_TRUE(names.contains(what)) << sentence;
}

}  // namespace bellwether::tidy
