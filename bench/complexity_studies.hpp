// SPDX-License-Identifier: MIT
// Which elections docs/complexity.md measures, where, and what was published about each.
#pragma once

#include <string_view>
#include <vector>

#include "bellwether/core/ids.hpp"

namespace bellwether::complexity {

/// What messages grow like.
enum class Law : unsigned char { of_the_study, linear, n_log_n, square, links, links_root_n };
double value_of(Law law, double n, double links);
std::string_view text_of(Law law);

struct Case {
  const char* name;                // "worst known", "average", "best known"
  const char* ids;                 // the order of the ids; empty: that of `names`
  const char* published;           // of this case
  bool drawn = false;              // over several seeds
  bool plotted = false;            // the curve of this algorithm in the picture
  core::NodeIndex most_nodes = 0;  // 0: up to the largest of the study
  std::uint64_t initiators = 0;    // 0: all
  std::vector<core::NodeId> (*names)(core::NodeIndex n) = nullptr;
  Law law = Law::of_the_study;
};

struct Study {
  const char* algorithm;
  const char* topology;
  bool one_way = false;
  bool anonymous = false;
  Law law = Law::n_log_n;
  std::vector<core::NodeIndex> sizes;
  std::vector<Case> cases;
  double constant = 0;  // published for the average, before the law; 0: none is
  double (*bound)(double n,
                  double links) = nullptr;  // the published worst case, announcement incl.
};

struct Group {
  const char* key;
  const char* title;
  const char* about;
  std::vector<Study> studies;
};
std::vector<Group> groups();

extern const std::string_view page_head;
extern const std::string_view page_tail;

}  // namespace bellwether::complexity
