// SPDX-License-Identifier: MIT
// An election beside a list of members: who is in the component, how far away, by which neighbour,
// and below whom in the leader's tree. It is for elections that show a tree (`tree_place()`) and
// keep no map. Messages have a constant size and a bounded rate, however large the component is.
//
//   Source     Perkins, Bhagwat: Highly Dynamic Destination-Sequenced Distance-Vector Routing
//              (DSDV), SIGCOMM 1994. A record of a member has a stamp that only the member itself
//              raises, in steps of two. A node takes a record that is newer than its own, or as new
//              and nearer; `via` is the neighbour it came from. An odd stamp says that the member
//              is gone: a node that loses a member adds one to its stamp, and the member itself, if
//              it is there after all, answers with a higher one.
//   Rate       News (a member that is new or gone, another parent or priority) leaves within 100 ms
//              and at most ten times a second. Once a second each node sends its own record with a
//              new stamp and the next seven of the others, in turn. A message has 8 records at
//              most: below 400 bytes.
//   Expiry     A node sends each of n members once in R = ceil((n - 1) / 7) seconds. A new stamp
//              needs between nothing (as news) and R seconds for each hop, so h hops away a record
//              grows newer within (h + 1) R seconds, however large the component is. A member
//              whose record has not done so for (h + 5) R + 3 s is gone: four refreshes in a row
//              were lost. Where the neighbour that it came by is lost, no refresh of that neighbour
//              is awaited: h R + 3 s. Those next to a member that crashed are the first to lose it,
//              and tell all others; a farewell is no matter of time.
//   No ghosts  Who is gone stays on record for twice the longest of these times after a neighbour
//              last mentioned it alive with an older stamp, and that neighbour is answered. A
//              neighbour that still lists it mentions it every R seconds, so it does not survive
//              beside a node that knows; and nobody takes it again without a stamp that only the
//              member itself could have made.
#pragma once

#include "bellwether/layers/inner.hpp"

namespace bellwether::layers {

class Listed {
 public:
  static constexpr std::string_view name = "listed";
  static constexpr std::size_t most_records = 8;  // of a message

  struct Options {
    std::shared_ptr<core::Nodes> inner;
    std::size_t most_members = std::numeric_limits<std::size_t>::max();
    static constexpr std::tuple<> fields{};  // set by the code that builds the stack
    friend bool operator==(const Options&, const Options&) = default;
  };

  struct MemberRecord {
    NodeId id{};
    std::uint64_t stamp = 0;
    std::uint32_t hops = 0;
    std::optional<NodeId> parent;
    std::uint32_t priority = 0;

    bool gone() const { return stamp % 2 == 1; }
    static constexpr auto fields = std::tuple{
        core::field("id", &MemberRecord::id), core::field("stamp", &MemberRecord::stamp),
        core::field("hops", &MemberRecord::hops), core::field("parent", &MemberRecord::parent),
        core::field("priority", &MemberRecord::priority)};
    friend bool operator==(const MemberRecord&, const MemberRecord&) = default;
  };
  struct MemberNames {
    static constexpr std::uint8_t tag = 1;
    static constexpr std::string_view name = "names";
    std::vector<MemberRecord> records;
    static constexpr auto fields = std::tuple{core::field("records", &MemberNames::records)};
    friend bool operator==(const MemberNames&, const MemberNames&) = default;
  };
  struct OfElection {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "election";
    core::AnyMessage body;
    static constexpr auto fields = std::tuple{core::field("body", &OfElection::body)};
    friend bool operator==(const OfElection&, const OfElection&) = default;
  };
  using Message = std::variant<MemberNames, OfElection>;

  struct RefreshTime {
    static constexpr std::uint8_t tag = 2;
    static constexpr std::string_view name = "refresh";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const RefreshTime&, const RefreshTime&) = default;
  };
  struct NewsTime {
    static constexpr std::uint8_t tag = 3;
    static constexpr std::string_view name = "news";
    static constexpr std::tuple<> fields{};
    friend bool operator==(const NewsTime&, const NewsTime&) = default;
  };
  using Timer = std::variant<RefreshTime, NewsTime, InnerTimer>;
  using Step = core::Step<Message, Timer>;

  Listed() = default;
  Listed(NodeId id, const Options& options);
  static core::Facts facts_of(const Options& options) {
    return layer_facts(options.inner->facts());
  }

  void start(Step& step);
  void link_up(Step& step, Port port);
  void link_down(Step& step, Port port);
  void farewell(Step& step, Port port);
  void receive(Step& step, Port port, const Message& message);
  void timeout(Step& step, const Timer& timer);
  void set_priority(Step& step, std::uint32_t priority);
  static bool is_silence(const Timer& timer) { return is_inner_silence(timer); }

  std::optional<NodeId> leader() const { return inner_.leader(); }
  const core::MemberList& member_list() const { return list_; }
  const core::AnyNode& inside() const { return inner_; }
  bool shows_inside() const { return inner_.is_described(); }

  /// The list follows from the entries, and its counts are for people.
  friend bool operator==(const Listed& a, const Listed& b) {
    return a.id_ == b.id_ && a.most_members_ == b.most_members_ && a.priority_ == b.priority_ &&
           a.entries_ == b.entries_ && a.calling_ == b.calling_ && a.last_news_ == b.last_news_ &&
           a.last_refreshed_ == b.last_refreshed_ && a.inner_ == b.inner_;
  }

 private:
  struct ListEntry {
    MemberRecord record;
    std::optional<NodeId> via;
    std::uint32_t age = 0;  // refreshes of this node since the record last grew newer
    bool unsaid = false;    // to be sent with the next news
    static constexpr auto fields =
        std::tuple{core::field("record", &ListEntry::record), core::field("via", &ListEntry::via),
                   core::field("age", &ListEntry::age), core::field("unsaid", &ListEntry::unsaid)};
    friend bool operator==(const ListEntry&, const ListEntry&) = default;
  };
  using ListEntries = std::vector<ListEntry>;

  ListEntries::iterator at_or_after(NodeId id);
  ListEntry* find(NodeId id);
  ListEntry& own() { return *find(id_); }

  void on_names(Step& step, NodeId from, const MemberNames& names);
  void on_record(Step& step, NodeId from, const MemberRecord& record);
  void on_own_record(Step& step, const MemberRecord& record);
  void add(Step& step, NodeId from, const MemberRecord& record);
  void update(Step& step, NodeId from, ListEntry& entry, const MemberRecord& record);
  void welcome(Step& step);
  void lose_route(NodeId neighbour);
  void lose_member(Step& step, ListEntry& entry);
  bool make_room();

  template <class Wanted>
  void fill(MemberNames& out, NodeId& last, Wanted&& wanted);
  void send_refresh(Step& step);
  void send_news(Step& step);
  void grow_older(Step& step);
  void announce(Step& step, ListEntry& entry);
  void raise_stamp();
  void run(Step& step, const core::Call& what);
  void show();

  NodeId id_{};
  std::size_t most_members_ = 0;
  std::uint32_t priority_ = 0;
  ListEntries entries_;      // ascending by id; this node always among them
  bool calling_ = false;     // the next news have their moment, or the last ones were just sent
  NodeId last_news_{};       // the last that was sent as news
  NodeId last_refreshed_{};  // and in turn
  bool changed_ = false;     // the list has to be made anew at the end of the step
  core::MemberList list_;
  core::AnyNode inner_;

 public:
  static constexpr auto fields = std::tuple{
      core::field("entries", &Listed::entries_), core::field("calling", &Listed::calling_),
      core::field("last_news", &Listed::last_news_),
      core::field("last_refreshed", &Listed::last_refreshed_),
      core::field_when("inner", &Listed::inner_, &Listed::shows_inside)};
};

}  // namespace bellwether::layers
