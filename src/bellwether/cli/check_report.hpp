// SPDX-License-Identifier: MIT
// A verdict for people, and for programs.
#pragma once

#include "bellwether/check/spec.hpp"

namespace bellwether::cli {

std::string verdict_text(const check::Spec& spec, const check::Verdict& verdict, bool states);
std::string verdict_json(const check::Spec& spec, const check::Verdict& verdict);

}  // namespace bellwether::cli
