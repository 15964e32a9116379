// SPDX-License-Identifier: MIT
// What the repaired elections share, and what they repair: each node's map of its component
// (knowledge.hpp), kept so that neighbours eventually hold the same one, whatever is lost, delayed
// or restarted, and then stop sending. The numbers are those of the traces in
// docs/algorithms/cel.md and topology-aware.md that fail without a rule.
//
//   Own entries   Only a node itself writes its entry. It adopts the entry of another node iff its
//                 version is later, and never one about itself (CEL-1, CEL-2, CEL-3, CEL-8, TA-3).
//   Versions      The `clock` of a view is its version: one number, which starts at the node's
//                 clock in microseconds, plus 1, when the node wakes, and rises by one with each
//                 change of its entry. So each start begins above all earlier versions, provided
//                 that the clock advances and an entry changes less than once in a microsecond
//                 (TA-3, CEL-4, R-1). A clock before its epoch counts as the epoch.
//   Defence       If a node receives an entry about itself with a later version than its own, or
//                 with the same version and other neighbours or another priority, it jumps above
//                 that version and sends its entry to all (a clock that was set back).
//   Greeting      On a new link a node sends its whole map to all neighbours, with the ids that it
//                 greets. A greeted node that knows anything that the sender lacks answers with its
//                 whole map (TA-4, CEL-5).
//   Digest        A port is `confirmed` while this node knows that its neighbour holds exactly the
//                 same map: by that map, or by a digest of 64 bits. While some port that is up is
//                 not confirmed, a digest is sent every period, to all, and asks for theirs; a node
//                 that holds another map sends it, with a greeting (TA-5, TA-6, CEL-6). Versions
//                 only rise: so a neighbour that once held the same holds no less, and if it holds
//                 more, that neighbour asks. Where nothing changes, all ports are eventually
//                 confirmed, and nothing more is sent.
//
// Messages from strangers, of whose link this node has not been notified, are handled but not
// answered: nothing can be sent to them, and this node will greet when it is notified.
//
// With a horizon, neighbours hold different maps: each that of its surroundings. They compare what
// both of them hold: the nodes within one hop less than the horizon around the sender.
#pragma once

#include <algorithm>

#include "bellwether/algorithms/moving/knowledge.hpp"
#include "bellwether/core/digest.hpp"
#include "bellwether/core/step.hpp"

namespace bellwether::algorithms {

struct Knowledge {  // all that I know
  static constexpr std::uint8_t tag = 1;
  static constexpr std::string_view name = "knowledge";
  Known known;
  Ids greets;  // the nodes that are to answer if I lack anything
  static constexpr auto fields = std::tuple{core::field("known", &Knowledge::known),
                                            core::field("greets", &Knowledge::greets)};
  friend bool operator==(const Knowledge&, const Knowledge&) = default;
};

struct Digest {  // of all that I know
  static constexpr std::uint8_t tag = 3;
  static constexpr std::string_view name = "digest";
  std::uint64_t digest = 0;
  bool asks = false;  // for yours
  static constexpr auto fields =
      std::tuple{core::field("digest", &Digest::digest), core::field("asks", &Digest::asks)};
  friend bool operator==(const Digest&, const Digest&) = default;
};

inline constexpr std::string_view digest_about =
    "Interval at which a node compares its map with neighbours that have not confirmed it; at "
    "least 1 ms.";

/// No version gets here by counting microseconds: it would take a hundred thousand years.
inline constexpr std::uint64_t end_of_versions = std::uint64_t{1} << 62;

class KnowledgeSync {
 public:
  KnowledgeSync() = default;
  explicit KnowledgeSync(core::NodeId id, std::uint32_t horizon = 0)
      : id_(id), known_(initial_knowledge(id)), horizon_(horizon) {}

  bool awake() const { return awake_; }
  const Known& known() const { return known_; }
  const MemberView& own() const { return *find(known_, id_); }
  std::uint32_t priority() const {
    const MemberView* mine = find(known_, id_);
    return mine ? mine->effective_priority() : usual_priority;  // a map is never empty
  }
  const std::vector<core::Port>& confirmed() const { return confirmed_; }  // ascending

  /// Greets all links that are up, once; says whether it did so now.
  template <class M, class T, class C>
  bool wake(core::Step<M, T, C>& step) {
    if (std::exchange(awake_, true)) return false;
    Ids peers;
    for (const core::Port port : step.ports()) peers.push_back(step.peer(port));
    std::sort(peers.begin(), peers.end());
    peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
    begin(step.now(), peers);
    if (!peers.empty()) step.broadcast(Knowledge{known_, std::move(peers)});
    return true;
  }

  template <class M, class T, class C>
  void link_up(core::Step<M, T, C>& step, core::Port port) {
    const core::NodeId peer = step.peer(port);
    connect(peer);
    step.broadcast(Knowledge{known_, {peer}});
  }

  /// Sends nothing. Says whether the node's own entry has changed: not so while another link leads
  /// to the same neighbour.
  template <class M, class T, class C>
  bool link_down(core::Step<M, T, C>& step, core::Port port) {
    std::erase(confirmed_, port);
    const core::NodeId peer = step.peer(port);
    for (const core::Port other : step.ports())
      if (other != port && step.peer(other) == peer) return false;
    return disconnect(peer);
  }

  /// Changes the node's own entry, or the first one before the node is awake. Sends nothing. Says
  /// whether it has changed.
  bool set_priority(std::uint32_t priority);

  struct News {
    bool own = false;     // this node had to defend its entry: all neighbours must be notified
    bool others = false;  // there are new or later entries of other nodes
  };
  /// What a map changes; none, if no node can have sent it.
  std::optional<News> take(const Knowledge& message);

  /// After `take`. `told`: all that is known goes to all neighbours in this step anyway.
  template <class M, class T, class C>
  void answer(core::Step<M, T, C>& step, core::Port port, const Knowledge& message, bool told) {
    if (port == core::stranger) return;
    const core::NodeId peer = step.peer(port);
    if (agrees(message.known, peer)) confirm(port);
    if (!told && contains(message.greets, id_) && exceeds(message.known, peer))
      step.send(port, Knowledge{known_, {}});
  }

  template <class M, class T, class C>
  void compare(core::Step<M, T, C>& step, core::Port port, const Digest& theirs) {
    if (port == core::stranger) return;
    const core::NodeId peer = step.peer(port);
    if (theirs.digest != digest_around(peer)) return step.send(port, Knowledge{known_, {peer}});
    confirm(port);
    if (theirs.asks) step.send(port, Digest{digest_around(id_), false});
  }

  /// The timer has expired.
  template <class M, class T, class C>
  void ask(core::Step<M, T, C>& step) {
    armed_ = false;
    if (!all_confirmed(step.ports())) step.broadcast(Digest{digest_around(id_), true});
  }

  /// At the end of each step: the timer is armed while some port is not confirmed.
  template <class M, class T, class C>
  void watch(core::Step<M, T, C>& step, core::Duration period) {
    const bool wanted = !all_confirmed(step.ports());
    if (wanted == armed_) return;
    armed_ = wanted;
    period = std::max<core::Duration>(period, std::chrono::milliseconds(1));
    if (wanted)
      step.arm(T::digest, period, period);
    else
      step.disarm(T::digest);
  }

  /// Whether `version` of this node's entry, with these neighbours, if they are known, and this
  /// priority, must be overruled; then it is.
  bool defend(std::uint64_t version, const Ids* neighbours,
              std::uint32_t priority = usual_priority);

  /// For changes; clears the confirmations.
  Known& edit() {
    confirmed_.clear();
    return known_;
  }

  friend bool operator==(const KnowledgeSync&, const KnowledgeSync&) = default;

 private:
  void begin(core::Time now, const Ids& peers);
  void connect(core::NodeId peer);
  bool disconnect(core::NodeId peer);
  void changed();
  void confirm(core::Port port);
  bool all_confirmed(std::span<const core::Port> ports) const;
  bool agrees(const Known& theirs, core::NodeId peer) const;
  bool exceeds(const Known& theirs, core::NodeId peer) const;
  std::uint64_t digest_around(core::NodeId sender) const;
  Known shared_part(const Known& known, core::NodeId sender) const;

  core::NodeId id_{};
  bool awake_ = false;
  Known known_;
  std::vector<core::Port> confirmed_;
  bool armed_ = false;  // the timer
  std::uint32_t horizon_ = 0;

 public:
  static constexpr auto fields = std::tuple{core::field("id", &KnowledgeSync::id_),
                                            core::field("awake", &KnowledgeSync::awake_),
                                            core::field("known", &KnowledgeSync::known_),
                                            core::field("confirmed", &KnowledgeSync::confirmed_),
                                            core::field("armed", &KnowledgeSync::armed_)};
};

}  // namespace bellwether::algorithms
