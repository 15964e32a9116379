// SPDX-License-Identifier: MIT
// Nodes of a protocol whose type is known: the only template between an algorithm and all that
// drives it. Made once for each algorithm, in a source of its own.
#pragma once

#include "bellwether/core/aligned.hpp"
#include "bellwether/core/capabilities.hpp"
#include "bellwether/core/relabel.hpp"
#include "bellwether/core/typed_monitor.hpp"

namespace bellwether::core {

template <AnyProtocol P>
class Typed : public Nodes {
 public:
  using Options = typename P::Options;
  using Message = typename P::Message;
  using Timer = TimerOf<P>;

  explicit Typed(Options options)
      : options_(std::move(options)),
        facts_(facts_of<P>(options_)),
        can_(capabilities_of<P>(options_)) {}

  const P& node(NodeIndex u) const { return nodes_[u]; }
  const Options& options() const { return options_; }

  std::string_view name() const override {
    if constexpr (Layer<P>) return options_.inner->name();
    return P::name;
  }
  const Facts& facts() const override { return facts_; }
  const Capabilities& can() const override { return can_; }
  Criterion criterion() const override {
    if constexpr (Layer<P>) return options_.inner->criterion();
    return criterion_of<P>(options_);
  }
  ClockUse clock_use() const override {
    if constexpr (Layer<P>) return options_.inner->clock_use();
    return clock_use_of<P>(options_);
  }
  std::optional<std::uint64_t> message_bound(std::uint64_t nodes,
                                             std::uint64_t links) const override {
    if constexpr (requires { P::message_bound(nodes, links, options_); })
      return P::message_bound(nodes, links, options_);
    else if constexpr (requires { P::message_bound(nodes, options_); })
      return P::message_bound(nodes, options_);
    return std::nullopt;
  }
  PropertyMonitors monitors() override {
    if constexpr (Monitored<P>) return TypedMonitor<P, Typed>::all(P::monitors());
    return {};
  }
  PropertyMonitors monitors_on_request() override {
    if constexpr (requires { P::monitors_on_request(); })
      return TypedMonitor<P, Typed>::all(P::monitors_on_request());
    return {};
  }

  NodeIndex add(NodeId id) override { return put(P(id, options_)); }
  void reserve(NodeIndex nodes) override {
    nodes_.reserve(nodes);
    if constexpr (Layer<P>) options_.inner->reserve(nodes);
  }
  void reset(NodeIndex u, NodeId id) override { nodes_[u] = P(id, options_); }
  NodeIndex copy(NodeIndex u) override { return put(P(nodes_[u])); }
  void assign(NodeIndex u, NodeIndex from) override { nodes_[u] = nodes_[from]; }
  void remove(NodeIndex u) override {
    nodes_[u] = P{};  // what it holds leaves at once
    free_.push_back(u);
  }
  Layout layout() const override {
    return {reinterpret_cast<const std::byte*>(nodes_.data()), sizeof(P)};
  }

  void call(NodeIndex u, const Call& what, const Surroundings& around, Effects& out) override {
    P& p = nodes_[u];
    ask_before(p, out);
    step_.begin(around.hooks, around.ports, around.now);
    handle(p, what, out);
    out.sends.clear();
    for (auto& send : step_.sends()) {
      const std::size_t bytes = out.inner ? 0 : encoded_size(send.message);
      out.sends.emplace_back(send.port, static_cast<std::uint32_t>(bytes), &send.message);
    }
    if constexpr (timed) {
      out.alarms.clear();
      for (const auto& alarm : step_.alarms())
        out.alarms.emplace_back(TimerName::of(alarm.timer), alarm.armed, alarm.min, alarm.max);
    }
    ask_after(p, out);
  }

  void deliver(const EventQueue::Batch& batch, PlainRun& run) override {
    if constexpr (Protocol<P> && is_small<Message> && !timed) {
      constexpr std::size_t stride = 12;  // how far ahead to look
      step_.rebind(run.hooks);
      for (std::size_t i = 0; run.many && i < std::min(stride, batch.size()); ++i)
        fetch(batch[i].subject, run);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (run.many && i + stride < batch.size()) fetch(batch[i + stride].subject, run);
        deliver_one(batch[i], run);
      }
    }
    static_cast<void>(batch), static_cast<void>(run);
  }
  void play(RoundRun& run) override {
    if constexpr (RoundProtocol<P>) {
      step_.rebind(run.hooks);
      const bool scattered = run.scattered();
      for (NodeIndex u = 0; u < run.nodes; ++u) {
        if (scattered) run.fetch(u);
        run.gather(u);
        play_one(u, run);
      }
    }
    static_cast<void>(run);
  }

  std::optional<NodeId> leader(NodeIndex u) const override { return nodes_[u].leader(); }
  bool leads(NodeIndex u, NodeId id) const override { return core::leads(nodes_[u], id); }
  bool halted(NodeIndex u) const override {
    if constexpr (RoundProtocol<P>) return nodes_[u].halted();
    return static_cast<void>(u), false;
  }
  std::uint32_t rank(NodeIndex u) const override {
    if constexpr (Ranked<P>) return nodes_[u].rank();
    if constexpr (Layer<P>) return inner().rank(inside(u));
    return static_cast<void>(u), 0;
  }
  std::vector<NodeId> leaders(NodeIndex u) const override {
    if constexpr (Ranked<P>) return nodes_[u].leaders();
    if constexpr (Layer<P>) return inner().leaders(inside(u));
    return static_cast<void>(u), std::vector<NodeId>{};
  }
  int higher(NodeIndex a, NodeIndex b) const override {
    if constexpr (requires { nodes_[a].height(); }) {
      const auto& x = nodes_[a].height();
      const auto& y = nodes_[b].height();
      return x == y ? 0 : y < x ? 1 : 2;
    }
    if constexpr (Layer<P>) return inner().higher(inside(a), inside(b));
    return static_cast<void>(a), static_cast<void>(b), 0;
  }
  const Known* known(NodeIndex u) const override {
    if constexpr (requires { nodes_[u].known(); }) return &nodes_[u].known();
    if constexpr (Layer<P>) return inner().known(inside(u));
    return static_cast<void>(u), nullptr;
  }
  const MemberList* member_list(NodeIndex u) const override {
    if constexpr (ListsMembers<P>) return &nodes_[u].member_list();
    if constexpr (Layer<P>) return inner().member_list(inside(u));
    return static_cast<void>(u), nullptr;
  }
  std::optional<TreePlace> tree_place(NodeIndex u) const override {
    if constexpr (BuildsTree<P>) return nodes_[u].tree_place();
    if constexpr (Layer<P>) return inner().tree_place(inside(u));
    return static_cast<void>(u), std::nullopt;
  }
  const std::vector<NodeId>* detected(NodeIndex u) const override {
    if constexpr (requires { nodes_[u].neighbours().peers(); })
      return &nodes_[u].neighbours().peers();
    return static_cast<void>(u), nullptr;
  }

  bool same(NodeIndex a, NodeIndex b) const override { return nodes_[a] == nodes_[b]; }
  void walk(NodeIndex u, DigestSink& sink) const override { walk_node(u, sink); }
  void walk(NodeIndex u, ByteSink& sink) const override { walk_node(u, sink); }
  void walk(NodeIndex u, CountSink& sink) const override { walk_node(u, sink); }
  void print(NodeIndex u, Form form, std::string& out) const override {
    if constexpr (Layer<P>) {  // goes by the name of the election inside
      if (form == Form::text) return out += name(), print_fields(out, nodes_[u]);
    }
    if constexpr (Described<P>) print_as(form, out, nodes_[u]);
  }

  const MessageKind& messages() const override { return message_kind<Message>; }
  bool is_beacon(const void* message) const override {
    if constexpr (requires(const Message& m) { P::is_beacon(m); })
      return P::is_beacon(*static_cast<const Message*>(message));
    return static_cast<void>(message), false;
  }
  bool is_silence(const TimerName& name) const override {
    if constexpr (KnowsSilence<P>) return P::is_silence(timer_of(name));
    return static_cast<void>(name), false;
  }
  bool read(Reader& in, AnyMessage& out) const override {
    Message message{};
    if (!read_value(in, message)) return false;
    out = AnyMessage::of(std::move(message));
    return true;
  }
  void print(const TimerName& name, Form form, std::string& out) const override {
    print_as(form, out, timer_of(name));
  }

  void for_each_stamp(NodeIndex u, Visit visit, void* context) override {
    if constexpr (Stamped<P>) nodes_[u].for_each_stamp(visitor(visit, context));
  }
  void for_each_stamp(void* message, Visit visit, void* context) const override {
    if constexpr (Stamped<P>)
      P::for_each_stamp(*static_cast<Message*>(message), visitor(visit, context));
  }
  void for_each_bound(NodeIndex u, Visit visit, void* context) override {
    if constexpr (BoundsStamps<P>) nodes_[u].for_each_bound(visitor(visit, context));
  }
  void forget_unused(NodeIndex u) override {
    if constexpr (Forgets<P>) nodes_[u].forget_unused();
  }
  void relabel(NodeIndex u, const Relabelling& names) override {
    if constexpr (Symmetric<P>) core::relabel(names, nodes_[u]);
  }
  void relabel(void* message, const Relabelling& names) const override {
    if constexpr (Symmetric<P>) core::relabel(names, *static_cast<Message*>(message));
  }
  TimerName relabelled(const TimerName& name, const Relabelling& names) const override {
    if constexpr (Symmetric<P> && timed) {
      Timer timer = timer_of(name);
      core::relabel(names, timer);
      return TimerName::of(timer);
    }
    return static_cast<void>(names), name;
  }
  bool no_op_lasts(const void* message, bool restarts) const override {
    if constexpr (KnowsNoOps<P>)
      return P::no_op_lasts(*static_cast<const Message*>(message), options_, restarts);
    return static_cast<void>(message), static_cast<void>(restarts), false;
  }

 private:
  static constexpr bool timed = !std::is_same_v<Timer, NoTimer>;

  NodeIndex put(P node) {
    if (free_.empty()) {
      nodes_.push_back(std::move(node));
      return static_cast<NodeIndex>(nodes_.size() - 1);
    }
    const NodeIndex u = free_.back();
    free_.pop_back();
    nodes_[u] = std::move(node);
    return u;
  }

  /// A layer may call the node inside several times: the first call asks.
  [[gnu::always_inline]] void ask_before(const P& p, Effects& out) {
    if (!out.inner) out.leader_asked = false;  // else the layer that carries it has done so
    if constexpr (Layer<P>)
      options_.inner->scratch().leader_asked = false;
    else
      note_leader(out, p.leader());
  }
  [[gnu::always_inline]] void ask_after(const P& p, Effects& out) {
    if constexpr (Layer<P>)
      if (const Effects& inside = options_.inner->scratch(); inside.leader_asked)
        note_leader(out, inside.leader_before);
    if (!out.inner) out.leader_changed = out.leader_asked && out.leader_before != p.leader();
  }
  [[gnu::always_inline]] static void note_leader(Effects& out, std::optional<NodeId> before) {
    if (out.leader_asked) return;
    out.leader_before = before;
    out.leader_asked = true;
  }

  /// Large networks do not fit the caches: what the next messages will touch is asked for ahead.
  [[gnu::always_inline]] void fetch(NodeIndex u, const PlainRun& run) const {
    __builtin_prefetch(&nodes_[u], 1);
    run.ports.fetch(u);
  }
  [[gnu::always_inline]] void deliver_one(const QueuedEvent& event, PlainRun& run) {
    const NodeIndex u = event.subject;
    P& p = nodes_[u];
    run.stepping = u;
    const auto before = p.leader();
    step_.begin(run.ports.ports(u), run.clock(u, event.time));
    if (run.is_message(event)) [[likely]] {
      const Port in{event.detail};
      const Message& message = *static_cast<const Message*>(event.payload());
      run.about = in;
      run.fingerprint.fold(event.time,
                           ((std::uint64_t{u} << 32) | raw(in)) + core::digest(message));
      p.receive(step_, in, message);
    } else {
      run.about = every_port;
      p.start(step_);
    }
    ++run.tally.events;
    for (const auto& send : step_.sends())
      run.send(u, send.port, encoded_size(send.message), event.time,
               [&](void* to) { detail::copy_message<Message>(to, &send.message); });
    if (before != p.leader()) [[unlikely]]
      run.note_leader(u, p.leader(), event.time);
  }
  [[gnu::always_inline]] void play_one(NodeIndex u, RoundRun& run) requires RoundProtocol<P> {
    P& p = nodes_[u];
    run.stepping = u;
    const auto before = p.leader();
    step_.begin(run.ports.ports(u), run.now);
    p.round(step_, Inbox<Message>(run.inbox));
    ++run.tally.events;
    for (const auto& send : step_.sends())
      run.send(u, send.port, &send.message, encoded_size(send.message), core::digest(send.message),
               [&](void* to) { detail::copy_message<Message>(to, &send.message); });
    run.halted = run.halted && p.halted();
    if (before != p.leader()) [[unlikely]]
      run.note_leader(u, p.leader());
  }
  [[gnu::always_inline]] void handle(P& p, const Call& what, Effects& out) {
    using Handler = Call::Handler;
    if constexpr (RoundProtocol<P>) {
      if (what.handler == Handler::round) p.round(step_, Inbox<Message>(*what.inbox));
      out.halted = p.halted();
    } else if (what.handler == Handler::receive) [[likely]] {
      const Message& message = *static_cast<const Message*>(what.message);
      if constexpr (is_small<Message>)
        if (!out.inner) out.digest = core::digest(message);
      p.receive(step_, what.port, message);
    } else if (what.handler == Handler::timeout) {
      if constexpr (timed) p.timeout(step_, timer_of(*what.timer));
    } else {
      handle_rare(p, what);
    }
    static_cast<void>(out);
  }
  void handle_rare(P& p, const Call& what) requires Protocol<P> {
    using Handler = Call::Handler;
    if (what.handler == Handler::start) p.start(step_);
    if (what.handler == Handler::link_up) p.link_up(step_, what.port);
    if (what.handler == Handler::link_down) p.link_down(step_, what.port);
    if (what.handler == Handler::farewell) {
      if constexpr (HeedsFarewells<P>)
        p.farewell(step_, what.port);
      else
        p.link_down(step_, what.port);
    }
    if (what.handler == Handler::set_priority)
      if constexpr (requires { p.set_priority(step_, what.priority); })
        p.set_priority(step_, what.priority);
  }

  const Nodes& inner() const requires Layer<P> { return *options_.inner; }
  NodeIndex inside(NodeIndex u) const requires Layer<P> { return nodes_[u].inside().index(); }

  template <class Sink>
  void walk_node(NodeIndex u, Sink& sink) const {
    if constexpr (Described<P>) core::walk(sink, nodes_[u]);
  }
  /// Reads a value that may carry something of the protocol inside.
  template <class T>
  bool read_value(Reader& in, T& value) const {
    if constexpr (Layer<P>) {
      const Nodes* outside = in.set_inside(options_.inner.get());
      bool ok = false;
      if constexpr (requires { P::read(in, value, options_); })
        ok = P::read(in, value, options_);
      else
        ok = core::read(in, value);
      in.set_inside(outside);
      return ok;
    } else {
      return core::read(in, value);
    }
  }
  Timer timer_of(const TimerName& name) const {
    Timer timer{};
    Reader in(name.bytes());
    invariant(read_value(in, timer) && in.left() == 0, "a timer that is none of this protocol");
    return timer;
  }
  /// Readings are handed over without their sign, which they keep.
  static auto visitor(Visit visit, void* context) {
    return [visit, context](std::uint64_t group, auto& value) {
      using T = std::remove_reference_t<decltype(value)>;
      const bool negative = value < 0;
      auto magnitude = static_cast<std::uint64_t>(negative ? -value : value);
      const std::uint64_t before = magnitude;
      visit(context, group, magnitude);
      if (magnitude != before)
        value = static_cast<T>(negative ? -static_cast<std::int64_t>(magnitude)
                                        : static_cast<std::int64_t>(magnitude));
    };
  }

  Options options_;
  Facts facts_;
  Capabilities can_;
  LineVector<P> nodes_;
  std::vector<NodeIndex> free_;
  StepFor<P> step_;
};

/// Nodes of an election of the catalogue, for those who know its type. They are compiled once, in
/// the source that cmake/algorithms.cmake makes for it: there is no definition here.
template <class P>
std::unique_ptr<Nodes> hosted(typename P::Options options);

}  // namespace bellwether::core
