// SPDX-License-Identifier: MIT
// The results of an experiment as one page: no script, no network, nothing beside it.
#pragma once

#include "bellwether/experiment/results.hpp"

namespace bellwether::report {

std::string page_html(const experiment::Results& results);

}  // namespace bellwether::report
