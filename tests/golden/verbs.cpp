// SPDX-License-Identifier: MIT
// The words of a script. README.md lists them.
#include <charconv>
#include <map>

#include "golden/script.hpp"
#include "golden/stage.hpp"

namespace bellwether::golden {
namespace {

using Words = std::span<const std::string>;  // without the verb

std::uint64_t number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    throw BadScript("`" + std::string(word) + "` is not a number");
  return value;
}

NodeId node(std::string_view word) {
  return NodeId{number(word)};
}

/// "1-2" or "1->2", by the sign between.
std::pair<NodeId, NodeId> pair(std::string_view word, std::string_view sign) {
  const std::size_t place = word.find(sign);
  if (place == std::string_view::npos)
    throw BadScript("`" + std::string(word) + "` is not of the form 1" + std::string(sign) + "2");
  return {node(word.substr(0, place)), node(word.substr(place + sign.size()))};
}

bool flag(Words words, std::size_t place, std::string_view name) {
  if (words.size() <= place) return false;
  if (words[place] != name)
    throw BadScript("`" + words[place] + "` stands where only `" + std::string(name) + "` may");
  return true;
}

std::unique_ptr<Stage> network(Words words) {
  std::vector<NodeId> ids;
  OptionTexts options;
  for (const std::string& word : words.subspan(1)) {
    const std::size_t place = word.find('=');
    if (place == std::string::npos)
      ids.push_back(node(word));
    else
      options.emplace_back(word.substr(0, place), word.substr(place + 1));
  }
  return make_stage(words[0], ids, options);
}

void start(Stage& stage, Words words) {
  if (words[0] == "all" && words.size() == 1) return stage.start_all();
  std::vector<NodeId> some;
  for (const std::string& word : words) some.push_back(node(word));
  stage.start(some);
}

void show(Stage& stage, Words words) {
  if (words.empty()) return stage.show_all();
  for (const std::string& word : words) stage.show(node(word));
}

void set_time(Stage& stage, Words words) {
  const bool all = words.size() == 1;
  stage.set_time(all ? std::nullopt : std::optional(node(words[0])),
                 Time{static_cast<Time::rep>(number(words[words.size() - 1]))});
}

struct Verb {
  std::size_t least;  // how many words may follow
  std::size_t most;
  void (*act)(Stage&, Words);
};

constexpr std::size_t many = 1000;

const std::map<std::string, Verb, std::less<>> verbs{
    {"link",
     {1, many,
      [](Stage& s, Words w) {
        for (const auto& word : w) {
          const auto [a, b] = pair(word, "-");
          s.link(a, b);
        }
      }}},
    {"start", {1, many, start}},
    {"up",
     {1, 1,
      [](Stage& s, Words w) {
        const auto [at, peer] = pair(w[0], "-");
        s.up(at, peer);
      }}},
    {"down",
     {1, 1,
      [](Stage& s, Words w) {
        const auto [at, peer] = pair(w[0], "-");
        s.down(at, peer);
      }}},
    {"deliver",
     {1, 2,
      [](Stage& s, Words w) {
        const auto [from, to] = pair(w[0], "->");
        s.deliver(from, to, flag(w, 1, "all"));
      }}},
    {"lose",
     {1, 1,
      [](Stage& s, Words w) {
        const auto [from, to] = pair(w[0], "->");
        s.lose(from, to);
      }}},
    {"settle", {0, 1, [](Stage& s, Words w) { s.settle(flag(w, 0, "quietly")); }}},
    {"time", {1, 2, set_time}},
    {"fire", {2, 2, [](Stage& s, Words w) { s.fire(node(w[0]), w[1]); }}},
    {"crash", {1, 1, [](Stage& s, Words w) { s.crash(node(w[0])); }}},
    {"restart", {1, 1, [](Stage& s, Words w) { s.restart(node(w[0])); }}},
    {"show", {0, many, show}},
    {"transit", {0, 0, [](Stage& s, Words) { s.transit(); }}},
};

void act(std::unique_ptr<Stage>& stage, const Command& command) {
  const std::string& name = command.words.front();
  const Words words = Words(command.words).subspan(1);
  if (name == "network") {
    if (words.size() < 2) throw BadScript("`network` takes an algorithm and nodes");
    stage = network(words);
    return;
  }
  const auto verb = verbs.find(name);
  if (verb == verbs.end()) throw BadScript("there is no verb `" + name + "`");
  if (!stage) throw BadScript("a script begins with `network`");
  if (words.size() < verb->second.least) throw BadScript("`" + name + "` needs more words");
  if (words.size() > verb->second.most) throw BadScript("`" + name + "` takes fewer words");
  verb->second.act(*stage, words);
}

}  // namespace

std::vector<std::string> play(const Script& script) {
  std::vector<std::string> told;
  std::unique_ptr<Stage> stage;
  for (const Block& block : script.blocks) {
    std::string here;
    for (const Command& command : block.commands) {
      try {
        act(stage, command);
        here += stage->take();
      } catch (const std::exception& wrong) {
        throw BadScript(script.file + ":" + std::to_string(command.line) + ": " + wrong.what());
      }
    }
    told.push_back(std::move(here));
  }
  return told;
}

}  // namespace bellwether::golden
