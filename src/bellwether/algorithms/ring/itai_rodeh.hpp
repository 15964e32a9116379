// SPDX-License-Identifier: MIT
// Itai and Rodeh's election on an anonymous ring: draw a number, compare, and draw again on a tie.
//
//   Paper      A. Itai, M. Rodeh, "Symmetry breaking in distributed networks", FOCS 1981 and
//              Information and Computation 88(1), 1990; the listing followed is that of W. Fokkink,
//              J. Pang, "Variations on Itai-Rodeh leader election for anonymous rings and their
//              analysis in PRISM", Journal of Universal Computer Science 12(8), 2006.
//   Model      Asynchronous ring, messages go one way, channels reliable, n known to all, nodes may
//              be anonymous. Channels need not be FIFO and may duplicate: a token carries its round
//              and number, and n hops identify its owner. Nothing fails.
//   Bounds     No bound at worst: nodes may tie again and again, though without end only with
//              probability zero. With numbers from 1..n, when all start: n (H_n + 1.22) messages on
//              average for large n, that is O(n log n), and 1.42 rounds of n hops (2 for n = 2,
//              which is the most). n more for the announcement.
//   Guarantee  With probability one exactly one node learns that it leads; with the announcement,
//              every node learns that one does, and what its id is if there are ids.
//
// Names: number is the paper's id_i, a draw; round, hop and bit as there, where bit says that no
// other node has drawn the same in this round. active, passive and leader are its states. `choices`
// is its k.
//
// The result of leader() in an anonymous network: all ids are 0 there, so that every node that
// knows that there is a leader names 0, and so would two leaders. The states show that there is
// exactly one, and the properties check them. Ids are never compared: they are only put into the
// announcement.
//
// Where we differ
//   - Not all nodes need to start: a node that receives a message before its start is passive.
//   - A token that has made n hops and is not the owner's of this round is dropped, also by passive
//     nodes: in a run without duplicates and reordering, there is none.
//   - With `announce` the winner sends <leader, p> once round the ring.
//   - A ring of one node leads at once.
#pragma once

#include "bellwether/algorithms/option_ranges.hpp"
#include "bellwether/algorithms/ring/ring.hpp"

namespace bellwether::algorithms {

class ItaiRodeh {
 public:
  static constexpr std::string_view name = "itai-rodeh";

  struct Options {
    std::uint32_t nodes = 0;
    std::uint32_t choices = 0;
    bool announce = true;
    static constexpr auto fields = std::tuple{
        core::option("nodes", &Options::nodes, network_size,
                     "Number of nodes of the ring; 0: filled in by the driver."),
        core::option("choices", &Options::choices, {2, network_size.most, true},
                     "Number of values to draw from, at least 2; 0: the number of nodes."),
        core::field("announce", &Options::announce,
                    "Announce the leader to the whole ring; false: only the winner knows.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Token {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "token";
    std::uint32_t number = 0;
    std::uint32_t round = 0;
    std::uint32_t hop = 0;
    bool bit = true;
    static constexpr auto fields =
        std::tuple{core::field("number", &Token::number), core::field("round", &Token::round),
                   core::field("hop", &Token::hop), core::field("bit", &Token::bit)};
    friend bool operator==(const Token&, const Token&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<Token, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  enum class State : std::uint8_t { sleep, active, passive, leader };
  friend constexpr auto names_of(State) {
    return std::array<std::string_view, 4>{"sleep", "active", "passive", "leader"};
  }

  static constexpr core::Facts facts{
      .title = "Itai-Rodeh: nodes of an anonymous ring draw numbers until the largest is unique",
      .source =
          "A. Itai, M. Rodeh, Symmetry breaking in distributed networks, Information and "
          "Computation 88(1), 1990; after W. Fokkink, J. Pang, Variations on Itai-Rodeh leader "
          "election for anonymous rings and their analysis in PRISM, J.UCS 12(8), 2006",
      .idea =
          "Every active node draws a number and sends it round the ring. A node that sees a larger "
          "one gives up; smaller ones it drops. A node that gets its own number back, which it "
          "recognises by the n hops, leads if no other node has marked it as a tie; the tied nodes "
          "draw again.",
      .messages =
          "when all start and draw from 1..n: n (H_n + 1.22) on average for large n, without a "
          "bound at worst; n more for the announcement",
      .time =
          "1.42 n on average for large n until the winner has decided, when all start; n more for "
          "the announcement",
      .guarantee =
          "with probability one exactly one initiator leads; with the announcement every node "
          "names it",
      .differs = "nodes need not all start; tokens without an owner are dropped after n hops",
      .model = {.shape = core::Shape::ring,
                .needs_ids = false,
                .needs_direction = true,
                .randomized = true,
                .knows = core::Knows::nodes,
                .tolerates_one_way = true,
                .tolerates_reordering = true,
                .tolerates_duplicates = true},
  };

  ItaiRodeh() = default;
  ItaiRodeh(core::NodeId id, Options options) : id_(id), options_(options) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  bool leads() const { return state_ == State::leader; }
  State state() const { return state_; }
  std::uint32_t round() const { return round_; }
  bool initiator() const { return round_ > 0; }
  bool announces() const { return options_.announce; }

  static core::Monitors<ItaiRodeh> monitors();

  friend bool operator==(const ItaiRodeh&, const ItaiRodeh&) = default;

 private:
  void draw(Step& step);
  void take(Step& step, Token token);
  void take_home(Step& step, const Token& token);
  void lead(Step& step);

  core::NodeId id_{};
  std::optional<core::NodeId> leader_;
  std::uint32_t round_ = 0;  // of draws; 0: none
  std::uint32_t number_ = 0;
  State state_ = State::sleep;
  Options options_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("id", &ItaiRodeh::id_), core::field("state", &ItaiRodeh::state_),
      core::field("round", &ItaiRodeh::round_), core::field("number", &ItaiRodeh::number_),
      core::field("leader", &ItaiRodeh::leader_)};
};

}  // namespace bellwether::algorithms
