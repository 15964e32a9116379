// SPDX-License-Identifier: MIT
#include "bellwether/view/player.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <csignal>

#include "bellwether/core/fields.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/view/sentence.hpp"

namespace bellwether::view {
namespace {

std::string shortened(std::string text, std::size_t most) {
  if (text.size() > most) text.replace(most, std::string::npos, " ...");
  return text;
}

}  // namespace

using world::ChangeKind;

// The run.

void Player::setup(const sim::RunSetup& setup) {
  picture_.setup(setup);
  book_ = setup.book;
  present_ = setup.network.nodes - spare_;
  network_ = {{"moves", setup.moves}, {"places", nullptr}, {"kinds", nullptr}};
  for (const world::Point& at : setup.network.places) network_["places"].push_back({at.x, at.y});
  for (const world::NodeKind kind : setup.network.kinds)
    network_["kinds"].push_back(kind == world::NodeKind::mobile  ? "mobile"
                                : kind == world::NodeKind::fixed ? "fixed"
                                                                 : "wired");
  lines_.resize(setup.network.nodes);
  grown_ = inside_ != nullptr;
}

void Player::begin(sim::RunView& inside) {
  inside_ = &inside;
  inside.pace_at(Time{0});
}

void Player::turn(sim::RunView& inside) {
  inside_ = &inside;
  apply_due();
  if (inside.now() >= target_ || std::chrono::steady_clock::now() >= until_) serve();
  go_on();
}

void Player::broken(sim::RunView& inside, const std::string& sentence) {
  event({{"t", inside.now().count()}, {"kind", "violation"}, {"why", sentence}});
}

void Player::end(sim::RunView& inside, observe::Ended ended, const std::string& violation) {
  inside_ = &inside;
  ended_ = true;
  ending_ = {{"ended", core::name_of(ended)},
             {"violation", violation.empty() ? Json() : Json(violation)}};
  while (true) serve();  // until the pipe is closed
}

/// Up to the next thing to be done by hand, or to where the watcher wants to be.
void Player::go_on() {
  Time next = target_;
  if (made_ < actions_.size()) next = std::min(next, actions_[made_].at);
  inside_->pace_at(next);
}

// What is done by hand.

void Player::apply_due() {
  while (made_ < actions_.size() && actions_[made_].at <= inside_->now()) apply(actions_[made_++]);
}

void Player::apply(Intervention& action) {
  const auto change = [&](ChangeKind kind) {
    inside_->apply({inside_->now(), kind, 0, {action.node, 0}, action.memory});
  };
  const auto place = [&] {
    if (!picture_.proximity() || !action.to) return;
    for (const auto& each : picture_.proximity()->move(action.node, *action.to, inside_->now()))
      inside_->apply(each);
  };
  switch (action.kind) {
    case InterventionKind::crash:
      return change(ChangeKind::crash);
    case InterventionKind::restart:
      return change(ChangeKind::restart);
    case InterventionKind::cut:
    case InterventionKind::join:
      return set_link(action.node, action.other, action.kind == InterventionKind::join);
    case InterventionKind::partition:
      return partition(action);
    case InterventionKind::heal:
      for (const world::LinkIndex link : parted_)
        set_link(book_->ends(link).a, book_->ends(link).b, true);
      return parted_.clear();
    case InterventionKind::move:
      return place();
    case InterventionKind::add:
      action.node = shown();
      ++added_;
      change(ChangeKind::restart);
      place();
      for (const NodeIndex v : action.links) set_link(action.node, v, true);
      return;
  }
}

void Player::set_link(NodeIndex a, NodeIndex b, bool up) {
  const world::LinkIndex link = book_->number({a, b});
  inside_->apply({inside_->now(), up ? ChangeKind::link_up : ChangeKind::link_down, link,
                  book_->ends(link), false});
}

/// As in a script: what is not in a group is one, too.
void Player::partition(const Intervention& action) {
  std::vector<std::size_t> group(picture_.ids().size(), action.groups.size());
  for (std::size_t g = 0; g < action.groups.size(); ++g)
    for (const NodeIndex u : action.groups[g]) group[u] = g;
  for (world::LinkIndex link = 0; link < book_->original(); ++link) {
    const graph::Edge ends = book_->ends(link);
    if (group[ends.a] == group[ends.b] || std::ranges::find(parted_, link) != parted_.end())
      continue;
    parted_.push_back(link);
    set_link(ends.a, ends.b, false);
  }
  std::ranges::sort(parted_);
}

// Questions and answers.

void Player::serve() {
  if (!request_.is_null()) answer({{"is", "frame"}}, true);
  while (true) {
    const auto packet = pipe_.read();
    if (!packet) _exit(0);  // the watcher is gone
    request_ = Json::parse(packet->text);
    if (handle(request_)) return;
    request_ = nullptr;
  }
}

/// Whether time goes on.
bool Player::handle(const Json& request) {
  const auto what = request.at("do").get<std::string>();
  const auto budget = std::chrono::milliseconds(request.value("budget", 1000));
  until_ = std::chrono::steady_clock::now() + budget;
  single_ = false;
  if (what == "advance") {
    target_ = Time{request.at("to").get<std::int64_t>()};
  } else if (what == "step") {
    single_ = true;
    target_ = core::end_of_time;
  } else if (what == "act") {
    if (ended_) return refuse("the run has ended; go back in time to change it"), false;
    act(request);
  } else {
    if (what == "fork") fork_off();
    if (what == "describe") answer(about_network(), false);
    if (what == "future") plan(request);
    if (what == "node") answer(about_node(request.at("node").get<NodeIndex>()), false);
    if (what == "look") {
      picture_.begin_anew();
      answer({{"is", "frame"}}, true);
    }
    if (what == "message") {
      const auto found = texts_.find(request.at("serial").get<std::uint64_t>());
      const bool known = found != texts_.end();
      answer({{"is", "message"},
              {"text", known ? Json(kinds_[found->second.kind]) : Json()},
              {"json", known ? Json::read(*found->second.json).value_or(Json()) : Json()}},
             false);
    }
    return false;
  }
  const bool there = ended_ || (!single_ && inside_->now() >= target_);
  if (there) answer({{"is", "frame"}}, true);
  return !there;
}

void Player::refuse(const std::string& why) {
  answer({{"is", "refused"}, {"why", why}}, false);
}

void Player::act(const Json& request) {
  actions_.resize(made_);  // another future begins
  std::vector<Intervention> wanted;
  for (const Json& each : request.at("actions")) wanted.push_back(read_action(each, shown()));
  target_ = date(wanted, inside_->now());
  actions_.insert(actions_.end(), wanted.begin(), wanted.end());
}

void Player::plan(const Json& request) {
  actions_.resize(made_);
  for (const Json& each : request.at("actions"))
    actions_.push_back(read_action(each, static_cast<NodeIndex>(picture_.ids().size())));
  answer({{"is", "planned"}}, false);
}

json::Json Player::about_network() const {
  Json out = network_;
  out["is"] = "network";
  out["ids"] = ids();
  out["spare"] = spare_;
  return out;
}

json::Json Player::ids() const {
  Json out = Json::array();
  for (const NodeId id : picture_.ids()) out.push_back(core::raw(id));
  return out;
}

/// The child takes a new pipe; its other end goes to the server.
void Player::fork_off() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return answer({{"is", "failed"}}, false);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    pipe_.become(ends[1]);
    return;
  }
  close(ends[1]);
  const bool sent = child > 0 && send_descriptor(handover_, ends[0]);
  close(ends[0]);
  answer({{"is", sent ? "forked" : "failed"}, {"pid", child}}, false);
}

void Player::answer(Json text, bool picture) {
  text["t"] = inside_->now().count();
  text["n"] = shown();
  PipeMessage packet;
  if (picture) {
    // What has arrived already is of no interest after a jump.
    const bool jumped = request_.value("silent", false);
    if (jumped) std::erase_if(flights_, [&](auto& f) { return f.arrives < inside_->now(); });
    packet.bytes = picture_.encode_frame(*inside_, shown(), flights_);
    flights_.clear();
    text["frame"] = true;
    text["events"] = std::exchange(events_, Json::array());
    text["omitted"] = std::exchange(omitted_, 0);
    text["new_messages"] =
        Json(std::vector(kinds_.begin() + static_cast<std::ptrdiff_t>(kinds_told_), kinds_.end()));
    kinds_told_ = kinds_.size();
    if (jumped || request_.at("do") == "look") text["messages"] = kinds_;
    if (std::exchange(grown_, false)) text["ids"] = ids();
    text["rest"] = inside_->at_rest();
    text["ended"] = ended_ ? ending_["ended"] : Json();
    text["violation"] = ended_ ? ending_["violation"] : Json();
    text["made"] = Json::array();
    for (std::size_t i = 0; i < made_; ++i) text["made"].push_back(to_json(actions_[i]));
    text["ranked"] = inside_->ranked();
    text["heights"] = inside_->has_heights();
    text["takes_changes"] = inside_->takes_changes();
  }
  packet.text = text.dump();
  if (!pipe_.write(packet)) _exit(0);
}

json::Json Player::about_node(NodeIndex u) const {
  if (u >= shown()) return {{"is", "node"}, {"node", u}, {"state", nullptr}};
  Json out{{"is", "node"}, {"node", u}, {"alive", inside_->alive(u)}};
  const std::string state = inside_->state(u);
  out["state"] = Json::read(state).value_or(Json());
  out["timers"] = Json::array();
  for (const auto& timer : inside_->timers(u))
    out["timers"].push_back(
        {{"name", Json::read(timer.timer).value_or(Json())},
         {"due", timer.due == core::end_of_time ? Json() : Json(timer.due.count())}});
  out["believes"] = Json::array();
  for (const NodeId id : inside_->believed_neighbours(u))
    if (const NodeIndex v = picture_.index_of(id); v != Picture::nobody)
      out["believes"].push_back(v);
  out["linked"] = Json::array();
  for (const auto& link : inside_->links())
    if (link.a == u || link.b == u) out["linked"].push_back(link.a == u ? link.b : link.a);
  out["last"] = Json::array();
  for (const LogLine& line : lines_[u]) {
    const std::string raw = line.message ? *line.message : "";
    out["last"].push_back({{"t", line.at.count()},
                           {"text", sentence_of(line.cause, line.peer, raw, line.timer)},
                           {"raw", shortened(raw, most_raw)}});
  }
  return out;
}

// What happens.

void Player::event(Json event) {
  if (events_.size() < most_events)
    events_.push_back(std::move(event));
  else
    ++omitted_;
}

std::uint32_t Player::kind_of(const std::string& name) {
  const auto [found, is_new] =
      kind_numbers_.try_emplace(name, static_cast<std::uint32_t>(kinds_.size()));
  if (is_new) kinds_.push_back(name);
  return found->second;
}

void Player::note_line(const observe::StepRecord& record) {
  auto& lines = lines_[record.node_index];
  lines.push_back({record.at, record.cause, record.peer,
                   record.timer ? record.timer.json() : std::string(),
                   record.message ? text_of(record) : nullptr});
  if (lines.size() > most_lines) lines.pop_front();
}

/// Known from when it was sent: large messages take longer to write than to handle.
Player::Text Player::text_of(const observe::StepRecord& record) {
  const auto found = under_way_.find({record.peer_index.value_or(0), record.node_index, record.at});
  if (found == under_way_.end()) return std::make_shared<std::string>(record.message.json());
  Text out = std::move(found->second);
  under_way_.erase(found);
  return out;
}

void Player::note_sends(const observe::StepRecord& record) {
  Text text;
  std::uint32_t kind = 0;
  double carries = MessageInFlight::no_mark;
  observe::View last;  // a message to many is written once
  for (const observe::SendRecord& send : record.sends) {
    if (send.fate == observe::Fate::no_link) continue;
    const std::uint64_t serial = next_serial_++;
    if (flights_.size() >= most_flights) {
      std::erase_if(flights_, [&](auto& f) { return f.arrives < record.at; });
      if (flights_.size() >= most_flights) {
        ++omitted_;
        continue;
      }
    }
    if (keeps_texts() && send.message != last) {
      last = send.message;
      text = std::make_shared<std::string>(send.message.json());
      kind = kind_of(send.message.name());
      carries = carried_by(*text).value_or(MessageInFlight::no_mark);
    } else if (!keeps_texts()) {
      kind = kind_of("message");
    }
    flights_.push_back({record.node_index, send.node_index, kind,
                        static_cast<std::uint32_t>(send.fate), record.at, send.arrives, serial,
                        carries});
    if (!text) continue;
    texts_.emplace(serial, Kept{text, kind});
    if (texts_.size() > most_texts) texts_.erase(texts_.begin());
    if (send.fate == observe::Fate::lost) continue;
    under_way_[{record.node_index, send.node_index, send.arrives}] = text;
    if (under_way_.size() > most_texts) under_way_.clear();
  }
}

void Player::note_leader(const observe::StepRecord& record) {
  picture_.leaders_changed();
  const auto place = [&](const std::optional<NodeId>& id) {
    const NodeIndex at = id ? picture_.index_of(*id) : Picture::nobody;
    return at == Picture::nobody ? Json(-1) : Json(at);
  };
  const std::string raw = record.message ? record.message.json() : "";
  const std::string timer = record.timer ? record.timer.json() : "";
  event({{"t", record.at.count()},
         {"kind", "leader"},
         {"node", record.node_index},
         {"was", place(record.leader_before)},
         {"now", place(record.leader_after)},
         {"why", sentence_of(record.cause, record.peer, raw, timer)},
         {"raw", shortened(raw, most_raw)}});
}

void Player::step(const observe::StepRecord& record) {
  note_sends(record);
  if (record.leader_before != record.leader_after) note_leader(record);
  if (record.cause == core::Cause::crash || record.cause == core::Cause::restart) {
    const bool is_new = picture_.is_new(record.node_index);
    picture_.alive_changed(record.at, record.node_index, record.cause == core::Cause::restart);
    event({{"t", record.at.count()},
           {"kind", is_new ? "join" : core::name_of(record.cause)},
           {"node", record.node_index}});
  }
  if (keeps_texts()) note_line(record);
  if (single_) {
    serve();
    return go_on();
  }
  // Between two turns much may happen: the machine's time is looked at now and then.
  if (++steps_since_look_ < 64) return;
  steps_since_look_ = 0;
  if (std::chrono::steady_clock::now() >= until_) inside_->pace_at(record.at);
}

void Player::drop(const observe::DropRecord& record) {
  event({{"t", record.at.count()},
         {"kind", "drop"},
         {"from", record.from_index},
         {"to", record.to_index},
         {"why", record.why}});
}

}  // namespace bellwether::view
