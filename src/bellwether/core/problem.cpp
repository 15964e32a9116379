// SPDX-License-Identifier: MIT
#include "bellwether/core/problem.hpp"

namespace bellwether::core {

std::string Location::text() const {
  std::string out = name;
  for (const std::size_t number : {line, column})
    if (number != 0) out.append(1, ':').append(std::to_string(number));
  return out;
}

Problem::Problem(std::string sentence) : Problem({}, {}, std::move(sentence)) {}

Problem::Problem(std::string key, std::string sentence)
    : Problem({}, std::move(key), std::move(sentence)) {}

Problem::Problem(Location where, std::string key, std::string sentence)
    : where_(std::move(where)), key_(std::move(key)), sentence_(std::move(sentence)) {
  if (!where_.empty()) text_.append(where_.text()).append(": ");
  // A flag with the name of the key says it already.
  if (!key_.empty() && where_.name != "--" + key_) text_.append(key_).append(": ");
  text_.append(sentence_);
}

const char* Problem::what() const noexcept { return text_.c_str(); }

}  // namespace bellwether::core
