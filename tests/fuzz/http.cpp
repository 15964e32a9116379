// SPDX-License-Identifier: MIT
// A request to the control interface. Whatever it is, the answer is HTTP, of the length that it
// says, and the project's own client reads it. The first byte: over which socket it came, and
// whether the node refuses what it can.
#include "bellwether/json/json.hpp"
#include "bellwether/node/http_server.hpp"

#include "bellwether/client/http.hpp"
#include "bellwether/node/fake_control_test.hpp"
#include "input.hpp"

namespace {

using namespace bellwether;
using fuzz::require;

void check(const std::string& reply, bool head) {
  if (reply.empty()) return;  // the request is not complete
  require(reply.starts_with("HTTP/1.1 ") || reply.starts_with("HTTP/1.0 "), "no HTTP");
  const std::size_t end = reply.find("\r\n\r\n");
  require(end != std::string::npos, "the header has no end");
  const std::string_view header = std::string_view(reply).substr(0, end);
  // An unreadable request is answered with a body: its method is not known.
  const std::string_view status = header.substr(9, 3);
  if (head && status != "400" && status != "413" && status != "431")
    return require(end + 4 == reply.size(), "HEAD is answered with a body");
  client::ResponseParser parser;
  parser.feed(reply);
  if (!parser.done()) parser.end();
  const std::string body = parser.take_body();
  require(end + 4 + body.size() == reply.size(), "the length is wrong");
  if (header.find("application/json") != std::string_view::npos)
    require(json::Json::read(body).has_value(), "the body is no JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned kind = input.byte();
  node::FakeControl control;
  control.deliver("hello");
  control.deliver("\xFF");
  if ((kind & 2U) != 0) control.refusal = node::Rejection{"not now"};
  node::HttpOptions options;
  options.most_body = 512;
  options.most_header = 512;
  const std::string bytes = input.text();
  const std::string reply = node::answer_bytes(control, bytes, options, (kind & 1U) != 0);
  for (const auto& [to, payload] : control.sent)
    require(payload.size() <= options.most_body, "a body is too long");
  check(reply, bytes.starts_with("HEAD "));
  return 0;
}
