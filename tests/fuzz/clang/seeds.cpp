// SPDX-License-Identifier: MIT
// fuzz_seeds FOLDER: writes the seeds of all targets, FOLDER/TARGET/NAME, from what real elections,
// servers and files say. To be run again when a format has changed.
#include <deque>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "bellwether/algorithms/moving/cel_2.hpp"
#include "bellwether/node/api.hpp"
#include "bellwether/node/fake_control_test.hpp"
#include "bellwether/node/frame.hpp"
#include "bellwether/node/http_server.hpp"
#include "bellwether/node/recorder.hpp"

namespace {

using namespace bellwether;
using namespace std::chrono_literals;
using core::NodeId;

std::filesystem::path folder;

void seed(const std::string& target, const std::string& name, const std::string& bytes) {
  std::filesystem::create_directories(folder / target);
  std::ofstream(folder / target / name, std::ios::binary) << bytes;
}

std::string text_of(const core::Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

/// As fuzz::Input::piece reads it.
std::string piece(const std::string& bytes) {
  std::string out;
  if (bytes.size() >= 0x80) out += static_cast<char>(0x80 | bytes.size() >> 8);
  out += static_cast<char>(bytes.size() & 0xFF);
  return out + bytes;
}

/// Nodes 1, 5 and 9 in a line, or all in reach of each other; the calls to 5, in both formats.
class Play {
 public:
  Play(const std::string& algorithm, bool line, std::uint32_t mtu) : line_(line) {
    for (const std::uint64_t id : {1, 5, 9}) {
      node::EngineSpec spec;
      spec.algorithm = algorithm;
      spec.self = NodeId{id};
      spec.seed = 1;
      spec.probes = layers::deployed_probes(catalogue::algorithm(algorithm), {}, 100ms, 300ms, mtu);
      spec.limits = {.neighbours = 4, .members = 8, .message = 4096};
      engines_.push_back(node::make_engine(catalogue::all(), spec));
      if (id == 5) recording = node::header_line(spec) + "\n";
    }
    for (std::size_t i = 0; i < 3; ++i) tell(i, {now_, node::CallKind::start, {}, 0, {}});
  }

  void pass(core::Duration time) {
    for (const core::Time end = now_ + time; now_ < end; now_ += 10ms) {
      for (std::size_t i = 0; i < 3; ++i)
        if (const auto at = engines_[i]->next_alarm(); at && *at <= now_)
          tell(i, {now_, node::CallKind::alarm, {}, 0, {}});
      for (; !flying_.empty(); flying_.pop_front()) {
        const auto [from, body] = flying_.front();
        for (std::size_t to = 0; to < 3; ++to)
          if (from != to && (!line_ || from + to != 2))
            tell(to, {now_, node::CallKind::hear, NodeId{1 + 4 * from}, 0, body});
      }
    }
  }

  /// Something that no neighbour does.
  void tell_middle(const node::EngineCall& call) {
    node::EngineCall now = call;
    now.at = now_;
    tell(1, now);
  }

  std::string recording;
  std::string calls;

 private:
  void tell(std::size_t i, const node::EngineCall& call) {
    const node::CallResult answer = node::answer_to(call, *engines_[i]);
    for (const core::Bytes& body : engines_[i]->outgoing()) flying_.push_back({i, body});
    engines_[i]->outgoing().clear();
    if (i != 1) return;
    recording += node::call_line(call, answer) + "\n";
    note(call);
  }
  /// As the target `engine` reads it.
  void note(const node::EngineCall& call) {
    const auto kind = [&](unsigned what) { calls += static_cast<char>(raw(call.who) << 4 | what); };
    const auto wait = static_cast<std::size_t>((call.at - noted_) / 1ms);
    switch (call.kind) {
      case node::CallKind::alarm:
        kind(5);
        calls += static_cast<char>(wait);
        noted_ = call.at;
        break;
      case node::CallKind::hear:
        kind(10);
        calls += static_cast<char>(call.body[0]);
        calls += piece(text_of({call.body.begin() + 2, call.body.end()}));
        break;
      case node::CallKind::priority:
        kind(2);
        calls += static_cast<char>(call.number);
        break;
      case node::CallKind::lose:
        kind(1);
        break;
      default:
        break;
    }
  }

  bool line_;
  core::Time now_ = 1000s;
  core::Time noted_ = now_;
  std::vector<std::unique_ptr<node::Engine>> engines_;
  std::deque<std::pair<std::size_t, core::Bytes>> flying_;
};

void engines_and_recordings() {
  const std::pair<const char*, unsigned> elections[] = {
      {"cel-2", 0}, {"hierarchy", 1}, {"drumbeat", 4}};
  for (const auto& [election, number] : elections) {
    const std::string algorithm = election;
    for (const bool line : {true, false})
      for (const std::uint32_t mtu : {300U, 30U}) {
        if (mtu < 300 && algorithm == "drumbeat") continue;  // its messages fit into any frame
        Play play(algorithm, line, mtu);
        play.pass(500ms);
        play.tell_middle({{}, node::CallKind::priority, {}, 50, {}});
        play.pass(200ms);
        play.tell_middle({{}, node::CallKind::lose, NodeId{9}, 0, {}});
        play.pass(200ms);
        const std::string name =
            algorithm + (line ? "-line" : "-clique") + (mtu < 300 ? "-parts" : "");
        seed("engine", name, static_cast<char>(number) + play.calls);
        if (!line) seed("engine", name + "-twice", static_cast<char>(number + 2) + play.calls);
        if (line) seed("recording", name, play.recording);
      }
  }
}

/// A star around neighbour 1, in one part: just below the limit, and beyond it.
void crowds() {
  using Stack = layers::Probed;
  for (const std::uint64_t members : {7U, 12U}) {
    algorithms::Ids all{NodeId{1}, NodeId{5}};
    std::vector<algorithms::MemberView> views{{NodeId{1}, 1, {}}};
    for (std::uint64_t id = 6; id < 4 + members; ++id) {
      all.push_back(NodeId{id});
      views.push_back({NodeId{id}, 1, core::Shared<algorithms::Ids>({NodeId{1}, NodeId{id}})});
    }
    views.front().neighbours = core::Shared<algorithms::Ids>(all);
    const algorithms::Cel2::Message map =
        algorithms::Knowledge{algorithms::Known(views), {NodeId{5}}};
    const Stack::Message part = Stack::Part{NodeId{1}, {}, 1, 0, 1, core::encode(map)};
    const std::string body = text_of(core::encode(part));
    const std::string heard = '\x1A' + body.substr(0, 1) + piece(body.substr(2));
    seed("engine", "crowd-of-" + std::to_string(members), std::string(1, '\0') + heard);
  }
}

void frames_and_parcels() {
  const node::ParcelId id{NodeId{1}, 2, 3};
  const std::vector<node::Relay::RelayMessage> messages{
      node::Parcel{id, node::To::leader, 4, {'h', 'i'}},
      node::Parcel{{NodeId{6}, 2, 3}, node::To::members, 4, {'h', 'o'}},
      node::Receipt{{NodeId{5}, 77, 1}}, node::Arrival{{NodeId{5}, 77, 1}, 4},
      node::Arrival{{NodeId{9}, 2, 3}, 4}};
  node::FrameBody letter;
  letter.leader = NodeId{9};
  letter.epoch = 300;
  letter.slack_ms = 20;
  letter.asks = {{NodeId{1}, 12345678901}};
  letter.proofs = {{NodeId{2}, 1}, {NodeId{3}, 2}};
  letter.election = {1, 7};
  const auto mark = node::group_mark("boats");
  const node::Keyring sealed({node::SecretKey{1, 2, 3}}, "boats");
  std::string parcels;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    letter.relay_to = NodeId{i};
    letter.relay = messages[i];
    const std::string text = text_of(core::encode(letter));
    seed("frame", "sealed-letter-" + std::to_string(i), '\2' + text);
    seed("frame", "plain-letter-" + std::to_string(i), '\3' + text);
    parcels += static_cast<char>(i << 4 | 5);
    parcels += piece(text_of(core::encode(messages[i])));
  }
  std::string forged = text_of(node::to_frame({NodeId{7}, 8, 9}, letter, mark, sealed));
  forged.back() ^= 1;
  seed("frame", "forged", '\1' + forged);
  seed("frame", "plain",
       std::string(1, '\0') + text_of(node::to_frame({NodeId{7}, 8, 9}, letter, mark, {})));
  const std::string sends = '\x04' + piece("to the leader") + '\x14' + piece("to members");
  const std::string waits = "\x03\x10\x03\xFF";
  seed("relay", "follows", '\x90' + sends + parcels + waits + parcels + waits);
  seed("relay", "leads", '\x50' + parcels + sends + waits);
  seed("relay", "moves", '\x90' + sends + "\x32" + parcels + "\x01" + waits + "\xC2\x30" + parcels);
}

void requests_and_answers() {
  const std::vector<std::pair<std::string, std::string>> requests{
      {"leader", "GET /v1/leader HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"status", "GET /v1/status HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"},
      {"members", "HEAD /v1/members HTTP/1.1\r\nHost: 127.0.0.1:7746\r\nAccept: */*\r\n\r\n"},
      {"events", "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"},
      {"metrics", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\r\n\r\n"},
      {"inbox", "GET /v1/inbox?after=1&wait_ms=20 HTTP/1.1\r\nHost: [::1]\r\n\r\n"},
      {"priority",
       "POST /v1/priority HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n"
       "{\"priority\": 5}"},
      {"to-leader",
       "POST /v1/to-leader HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
       "5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n"},
      {"to-members",
       "POST /v1/to-members HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
       "Content-Length: 3\r\n\r\nabc"},
      {"resign", "POST /v1/resign HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"},
      {"nowhere", "DELETE /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n"}};
  node::FakeControl control;
  control.deliver("hello");
  control.deliver("\xFF");
  for (const auto& [name, request] : requests) {
    seed("http", name, std::string(1, '\0') + request);
    if (name == "to-leader") seed("http", name + "-refused", '\3' + request);
    seed("client", "answer-" + name, '\x20' + node::answer_bytes(control, request));
  }
  seed("client", "answer-chunks",
       "\x20HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX: "
       "y\r\n\r\n");
  seed("client", "events",
       '\x31' + node::event_text({7, "leader", node::to_json(control.now)}) +
           ": alive\n\nid: 8\ndata: a\r\ndata: b\n\n");
  const std::vector<std::string> bodies{node::to_json(control.now),
                                        node::to_json(control.status()),
                                        node::members_json(control.now, control.component),
                                        node::inbox_json(control.messages, 0),
                                        node::to_json(control.messages[1]),
                                        R"({"id":"3-1"})",
                                        "[::1]:7746",
                                        node::error_json("no")};
  for (std::size_t i = 0; i < bodies.size(); ++i)
    seed("client", "body-" + std::to_string(i), static_cast<char>(i + 2) + bodies[i]);
}

void files() {
  seed("config", "all", R"(#
id = 3
group = "boats"
algorithm = "cel-2"
priority = 50
interface = ["wlan0", "eth0"]
cast = "broadcast"
mtu = 1400
period = "100 ms"
timeout = 300
listen_first = "1.5 s"
plain = true
socket_mode = 660
http = "127.0.0.1:7746"
on_elected = "systemctl start dispatcher"
hook_limit = "10 s"
log_level = "debug"
log_format = "json"
nice = -5
most_members = 100

[options]
rho = 0.5
horizon = 3
digest = "250 ms"
)");
  seed("config", "peers",
       "#\nkey = \"/k\"\npeer = [\"10.0.0.2:7745\", \"b\"]\nbind = '10.0.0.1'\n");
  seed("config", "wrong", "#\nperiod = 1979-05-27\nid = [1, [2]]\n[options]\nx = {a = 1e400}\n");
  const std::string digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDE";
  seed("config", "keys", "k# ours\n" + digits + "0\n\n  " + digits + "1 # the new one\r\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("fuzz_seeds FOLDER\n", stderr), 2;
  folder = argv[1];
  engines_and_recordings();
  crowds();
  frames_and_parcels();
  requests_and_answers();
  files();
}
