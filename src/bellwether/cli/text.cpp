// SPDX-License-Identifier: MIT
#include "bellwether/cli/text.hpp"

#include <sstream>
#include <vector>

#include "bellwether/core/fields.hpp"

namespace bellwether::cli {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (column > indent && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string model_text(const core::Model& m) {
  std::vector<std::string> parts;
  const bool apart = m.shape == core::Shape::any && m.tolerates_changes;
  parts.emplace_back(apart ? "any network, which may be partitioned" : core::name_of(m.shape));
  parts.emplace_back(m.synchronous ? "synchronous rounds" : "asynchronous messages");
  parts.emplace_back(m.needs_ids ? "nodes have ids" : "nodes may be anonymous");
  if (m.randomized) parts.emplace_back("randomized");
  if (m.knows == core::Knows::nodes) parts.emplace_back("every node knows the number of nodes");
  if (m.knows == core::Knows::diameter)
    parts.emplace_back("every node knows the diameter, or an upper bound of it");
  if (m.needs_direction) parts.emplace_back("all nodes agree which way is clockwise");
  if (m.needs_all) parts.emplace_back("all nodes start");
  parts.emplace_back(m.tolerates_one_way ? "links may go one way" : "links go both ways");
  parts.emplace_back(m.tolerates_changes ? "links may come and go" : "links do not change");
  parts.emplace_back(m.tolerates_crashes ? "nodes may crash and come back" : "nodes do not crash");
  if (!m.synchronous) {
    parts.emplace_back(m.tolerates_loss ? "messages may be lost" : "no message is lost");
    parts.emplace_back(m.tolerates_reordering ? "messages may be reordered"
                                              : "messages stay in order");
    if (m.tolerates_duplicates) parts.emplace_back("messages may arrive twice");
  }
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

}  // namespace bellwether::cli
