// SPDX-License-Identifier: MIT
// Echo waves of all initiators, of which only the best one survives.
//
//   Paper      E. J. H. Chang, "Echo algorithms: depth parallel operations on general graphs", IEEE
//              TSE 8(4), 1982; the election by extinction as in G. Tel, "Introduction to
//              Distributed Algorithms", 2000, section 7.3.
//   Model      Asynchronous, any connected network with two-way links, channels reliable, distinct
//              ids. Channels need not be FIFO and may duplicate: a wave sends one token each way
//              over a link, and a node records for each port whether a token is still awaited.
//              Nothing fails. No node knows anything about the network or the ids of its
//              neighbours.
//   Bounds     With e links and k initiators: at most 2e tokens for each wave, 2ke in all (k = n:
//              2ne), and 2e more for the announcement. The best wave takes exactly 2e. Time, for
//              the diameter d: 3d + n from the first start until all know; 4d + 1 where every
//              message takes the same time.
//   Guarantee  The initiator with the best id leads, and every node names it.
//
// Names: Token is the book's <tok, r>, Leader its <ldr, r>; `wave` is caw, `father` is father;
// `waiting` holds the ports that rec has not counted, the father's left out; `leader` is win.
//
// Where we differ
//   - The book keeps the smallest id: here an option, the largest by default.
//   - The book counts tokens; we keep the ports from which a token is still awaited, so that a
//     duplicate is not counted twice.
//   - The book's nodes count <ldr> messages (lrec) to know when they may stop. Ours act on the
//     first and ignore the others.
//   - A node that has taken part in any wave before its start does not initiate, even if that wave
//     is worse: its initiator may lead already.
#pragma once

#include "bellwether/algorithms/any/any_network.hpp"
#include "bellwether/algorithms/extremum.hpp"
#include "bellwether/core/facts.hpp"

namespace bellwether::algorithms {

class EchoExtinction {
 public:
  static constexpr std::string_view name = "echo-extinction";

  struct Options {
    Extremum extremum = Extremum::max;
    static constexpr auto fields = std::tuple{
        core::field("extremum", &Options::extremum,
                    "Initiator that wins: the one with the largest (max) or smallest (min) id.")};
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct Token {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "token";
    core::NodeId wave{};  // the initiator's id
    static constexpr auto fields = std::tuple{core::field("wave", &Token::wave)};
    friend bool operator==(const Token&, const Token&) = default;
  };
  using Leader = LeaderNews<2>;
  using Message = std::variant<Token, Leader>;
  using Timer = core::NoTimer;
  using Step = core::Step<Message, Timer>;

  static constexpr core::Facts facts{
      .title = "Chang's echo algorithm with extinction: only the best initiator's wave completes",
      .source =
          "E. J. H. Chang, Echo algorithms: depth parallel operations on general graphs, IEEE TSE "
          "8(4), 1982; with extinction: G. Tel, Introduction to Distributed Algorithms, 7.3",
      .idea =
          "Every initiator starts a wave: tokens travel over all links, and each node sends an "
          "echo back to where the wave came from once it has received a token from every other "
          "neighbour. A node leaves its wave for a better one and ignores worse ones, so only the "
          "best wave returns to its initiator.",
      .messages =
          "2ke for k initiators and e links, so 2ne when all start; 2e for the announcement",
      .time =
          "3d + n from the first start for diameter d, announcement included; 4d + 1 where delays "
          "are equal",
      .guarantee = "the initiator with the best id leads, and every node names it",
      .differs =
          "extremum is an option; ports are kept, not counted, so duplicates do no harm; a node "
          "that has been in a wave before its start does not initiate",
      .model = {.tolerates_reordering = true, .tolerates_duplicates = true},
  };

  EchoExtinction() = default;
  EchoExtinction(core::NodeId id, Options options) : id_(id), extremum_(options.extremum) {}

  void start(Step& step);
  void link_up(Step&, core::Port) {}
  void link_down(Step&, core::Port) {}
  void receive(Step& step, core::Port port, const Message& message);
  void timeout(Step&, Timer) {}

  std::optional<core::NodeId> leader() const { return leader_; }
  /// The initiator of the wave that the node is in.
  std::optional<core::NodeId> wave() const { return wave_; }
  std::optional<core::Port> father() const { return father_; }
  bool initiator() const { return initiator_; }
  bool announces() const { return true; }
  Extremum extremum() const { return extremum_; }

  static core::Monitors<EchoExtinction> monitors();
  /// Upper bound on the number of messages, whichever nodes start.
  static std::uint64_t message_bound(std::uint64_t n, std::uint64_t links, const Options&) {
    return 2 * n * links + 2 * links;
  }

  friend bool operator==(const EchoExtinction&, const EchoExtinction&) = default;

 private:
  void take(Step& step, core::Port port, const Token& token);
  void take(Step& step, core::Port port, const Leader& news);
  void join(Step& step, core::NodeId wave, std::optional<core::Port> father);
  void echo(Step& step);

  core::NodeId id_{};
  std::optional<core::NodeId> wave_;
  std::optional<core::Port> father_;  // none in its own wave
  std::vector<core::Port> waiting_;   // ascending
  std::optional<core::NodeId> leader_;
  bool initiator_ = false;
  Extremum extremum_ = Extremum::max;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &EchoExtinction::id_),
                                            core::field("initiator", &EchoExtinction::initiator_),
                                            core::field("wave", &EchoExtinction::wave_),
                                            core::field("father", &EchoExtinction::father_),
                                            core::field("waiting", &EchoExtinction::waiting_),
                                            core::field("leader", &EchoExtinction::leader_)};
};

}  // namespace bellwether::algorithms
