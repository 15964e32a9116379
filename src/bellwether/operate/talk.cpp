// SPDX-License-Identifier: MIT
#include "bellwether/operate/talk.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "bellwether/client/decode.hpp"
#include "bellwether/core/problem.hpp"
#include "bellwether/json/json.hpp"
#include "bellwether/operate/talk_text.hpp"
#include "bellwether/terminal/command.hpp"
#include "bellwether/terminal/program.hpp"

namespace bellwether::operate {
namespace {

using client::Client;
using client::ClientError;
using client::Clock;
using client::Milliseconds;
using client::Trouble;
using namespace std::chrono_literals;

/// What every command of this kind takes, and what some take.
struct TalkOptions {
  std::string socket;
  bool json = false;
  bool is_me = false;
  bool once = false;
  bool follow = false;
  std::uint32_t priority = 0;
  std::uint64_t after = 0;
  std::string to;
  std::string text;
  bool from_input = true;
};
using SharedOptions = std::shared_ptr<TalkOptions>;
using Talk = int (*)(const Client&, const TalkOptions&);

/// Seen at once, also in a pipe.
void print_line(std::string text) {
  text += '\n';
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void complain(const std::string& sentence) {
  fmt::print(stderr, "bellwether: {}\n", harmless(sentence));
}

int leader(const Client& node, const TalkOptions& options) {
  const std::string json = node.get("/v1/leader");
  const auto now = client::read_leadership(json, node.address() + ", GET /v1/leader");
  if (options.json)
    print_line(json);
  else if (!options.is_me)
    print_line(leader_line(now));
  return (options.is_me ? now.is_leader : now.leader.has_value()) ? 0 : 1;
}

int status(const Client& node, const TalkOptions& options) {
  if (options.json)
    print_line(node.get("/v1/status"));
  else
    std::fputs(status_table(node.status()).c_str(), stdout);
  return 0;
}

int members(const Client& node, const TalkOptions& options) {
  if (options.json)
    print_line(node.get("/v1/members"));
  else
    std::fputs(members_table(node.members()).c_str(), stdout);
  return 0;
}

/// An order, and how things are afterwards.
int order(const Client& node, const TalkOptions& options, const std::string& path,
          const std::string& body, const std::string& done) {
  const std::string json = node.post(path, body);
  const auto now = client::read_leadership(json, node.address() + ", POST " + path);
  print_line(options.json ? json : done + "; " + leader_line(now));
  return 0;
}
int resign(const Client& node, const TalkOptions& options) {
  return order(node, options, "/v1/resign", "", "resigned");
}
int pause(const Client& node, const TalkOptions& options) {
  return order(node, options, "/v1/pause", "", "paused");
}
int resume(const Client& node, const TalkOptions& options) {
  return order(node, options, "/v1/resume", "", "eligible again");
}
int priority(const Client& node, const TalkOptions& options) {
  return order(node, options, "/v1/priority", fmt::format("{{\"priority\":{}}}", options.priority),
               fmt::format("priority {}", options.priority));
}

/// Waits a little longer after each failure, and says so once.
class Patience {
 public:
  void lost(const std::string& why) {
    if (!said_) complain(why + "; trying again");
    said_ = true;
    std::this_thread::sleep_for(pause_);
    pause_ = std::min<Milliseconds>(pause_ * 2, 2s);
  }
  void well() { *this = {}; }

 private:
  bool said_ = false;
  Milliseconds pause_ = 100ms;
};

int watch(const Client& node, const TalkOptions& options) {
  Patience patience;
  for (bool first = true;; first = false) {
    std::string why = node.address() + ": the node has ended the stream";
    try {
      const auto end = node.watch([&](const client::Event& event) {
        patience.well();
        std::string data = event.data;
        std::replace(data.begin(), data.end(), '\n', ' ');
        print_line(options.json ? data
                                : time_stamp(std::chrono::system_clock::now()) + "  " +
                                      event_line(event, node.address()));
        return std::ferror(stdout) == 0;
      });
      if (end == client::WatchEnd::stopped)
        return 2;  // main reports that standard output cannot be written
      if (end == client::WatchEnd::silent)
        why = node.address() + ": no event for 40 s; is the daemon stopped?";
    } catch (const ClientError& error) {
      if (first || options.once) throw;
      why = error.what();
    }
    if (options.once) throw core::Problem(why);
    patience.lost(why);
  }
}

/// At most one byte more than a message may have.
std::string standard_input() {
  std::string text(Client::most_payload + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  if (std::ferror(stdin) != 0) throw core::Problem("send", {}, "standard input cannot be read");
  return text;
}

int send(const Client& node, const TalkOptions& options) {
  const std::string payload = options.from_input ? standard_input() : options.text;
  if (payload.size() > Client::most_payload)
    throw core::Problem(
        "send", {},
        fmt::format(
            "a message has at most {} bytes, and this one has more; send where to fetch it instead",
            Client::most_payload));
  const std::string path = "/v1/to-" + options.to;
  const std::string json = node.post(path, payload);
  const std::string id = client::read_id(json, node.address() + ", POST " + path);
  print_line(options.json ? json
                          : fmt::format("on its way to the {}: {}", options.to, harmless(id)));
  return 0;
}

/// A node that was started anew counts its messages from 1 again.
bool started_anew(const Client& node, Clock::time_point last_answer) {
  return node.status().uptime < Clock::now() - last_answer;
}

void print_messages(bool as_json, const std::string& json, const client::InboxPage& inbox) {
  if (as_json) {
    const auto parsed = json::Json::parse(json);  // as the inbox was
    for (const auto& each : parsed.value("messages", json::Json::array())) print_line(each.dump());
  } else {
    for (const client::Message& message : inbox.messages) print_line(message_line(message));
  }
}

int follow_inbox(const Client& node, const TalkOptions& options) {
  const Client patient(node.address(), 20s + node.limit());
  Patience patience;
  std::uint64_t after = options.after;
  auto last_answer = Clock::now();
  bool lost = false;
  for (bool first = true;; first = false) {
    try {
      if (lost && started_anew(node, last_answer)) after = 0;
      lost = false;
      const std::string json =
          patient.get(fmt::format("/v1/inbox?after={}&wait_ms={}", after, first ? 0 : 20'000));
      const auto inbox = client::read_inbox(json, node.address() + ", GET /v1/inbox");
      last_answer = Clock::now();
      patience.well();
      print_messages(options.json, json, inbox);
      if (std::ferror(stdout) != 0) return 2;
      after = inbox.next;
    } catch (const ClientError& error) {
      if (first || error.trouble() == Trouble::refused) throw;
      lost = true;
      patience.lost(error.what());
    }
  }
}

int inbox(const Client& node, const TalkOptions& options) {
  if (options.follow) return follow_inbox(node, options);
  const std::string json = node.get(fmt::format("/v1/inbox?after={}", options.after));
  if (options.json) {
    print_line(json);
    return 0;
  }
  const client::InboxPage inbox = client::read_inbox(json, node.address() + ", GET /v1/inbox");
  print_messages(false, json, inbox);
  if (inbox.messages.empty()) print_line("no messages");
  return 0;
}

/// A subcommand with the options that all have.
terminal::Command* add(terminal::Command& app, const char* name, const char* description,
                       const SharedOptions& options, Talk talk, int& result) {
  terminal::Command* sub = app.add_subcommand(name, description);
  sub->add_option("--socket", options->socket,
                  "Talk to the node at this address: the path of its socket, 127.0.0.1:7746 or "
                  "[::1]:7746 (default: $BELLWETHER_SOCKET, or the default socket of a node)");
  sub->add_flag("--json", options->json, "Print the JSON of the node's reply");
  sub->callback([=, &result] {
    try {
      const Client node(options->socket.empty() ? client::default_address() : options->socket);
      result = talk(node, *options);
    } catch (const ClientError& error) {
      if (error.trouble() != Trouble::refused) throw;
      complain(error.what());
      result = 1;
    }
  });
  sub->footer("Exit status: 0 done; 1 the node refused; 2 bad input, or no node replies.");
  return sub;
}

SharedOptions fresh() {
  return std::make_shared<TalkOptions>();
}

void add_questions(terminal::Command& app, int& result) {
  SharedOptions options = fresh();
  terminal::Command* sub =
      add(app, "leader", "Print the leader, as the node on this machine knows it", options, leader,
          result);
  sub->add_flag("--is-me", options->is_me,
                "Print nothing; exit with status 0 if this node leads, else 1");
  sub->footer(
      R"(Exit status: 0 there is a leader (with --is-me: this node leads); 1 there is none (with
--is-me: this node does not lead); 2 no node replies.
Examples:
  bellwether leader
  if bellwether leader --is-me; then ...; fi)");
  add(app, "status", "Print the state of the node on this machine, with warnings", fresh(), status,
      result);
  add(app, "members", "Print the members: all nodes that this node reaches, hop by hop", fresh(),
      members, result);
  options = fresh();
  sub = add(app, "watch", "Print changes of leader and members, and messages, as they happen",
            options, watch, result);
  sub->add_flag("--once", options->once,
                "Exit with status 2 when the stream ends; do not connect again");
  sub->footer(
      R"(With --json, print one line of JSON per event. The first event is the present state.
Exit status: 2 when the stream ends and --once is given, or no node replies at the start.)");
}

void add_orders(terminal::Command& app, int& result) {
  add(app, "resign", "Resign: lead only if no other node of the component is eligible", fresh(),
      resign, result);
  add(app, "pause", "Pause: this node is not eligible until it is resumed", fresh(), pause, result);
  add(app, "resume", "Resume: be eligible again, after resign or pause", fresh(), resume, result);
  SharedOptions options = fresh();
  add(app, "priority", "Set the priority of this node; the highest of the component leads", options,
      priority, result)
      ->add_option("N", options->priority,
                   "Set this priority, 0 to 4294967295; 0: not eligible (default of a node: 100)")
      ->required();
}

void add_messages(terminal::Command& app, int& result) {
  SharedOptions options = fresh();
  terminal::Command* sub = add(app, "send", "Send a small message to the leader, or to all members",
                               options, send, result);
  sub->add_option("--to", options->to, "Send to: leader, or members (all others)")
      ->required()
      ->one_of({"leader", "members"});
  sub->add_option_function(
      "text",
      [options](const std::string& text) {
        options->text = text;
        options->from_input = false;
      },
      "Send this text, up to 1024 bytes (default: standard input)");
  options = fresh();
  sub = add(app, "inbox", "Print the messages that have arrived here", options, inbox, result);
  sub->add_option("--after", options->after,
                  "Print only messages after this number, 0 or greater (default 0)");
  sub->add_flag("--follow", options->follow,
                "Wait for more messages and print them; never ends by itself");
}

}  // namespace

void add_talk(terminal::Command& app, int& result) {
  add_questions(app, result);
  add_orders(app, result);
  add_messages(app, result);
}

}  // namespace bellwether::operate
