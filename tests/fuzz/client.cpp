// SPDX-License-Identifier: MIT
// What something that is no node may answer to a client. By the first byte: a whole answer, a
// stream of events, or the body of one of the answers. In whichever pieces it comes in, the same
// comes out.
#include "bellwether/client/client.hpp"

#include "bellwether/client/decode.hpp"
#include "bellwether/client/http.hpp"
#include "input.hpp"

namespace {

using namespace bellwether;
using fuzz::require;

const std::string place = "somewhere";

/// Calls `take` with the pieces of a text: of a few bytes each, or all at once.
template <class Take>
void in_pieces(std::string_view text, std::size_t piece, Take&& take) {
  if (piece == 0) return take(text);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    take(text.substr(0, piece));
}

/// Status and body, or the complaint.
std::string read_answer(std::string_view text, std::size_t piece) {
  client::ResponseParser parser;
  std::string body;
  try {
    in_pieces(text, piece, [&](std::string_view bytes) { parser.feed(bytes); });
    if (!parser.done()) parser.end();
    require(parser.head_done() && parser.begun(), "an answer without a head");
    require(parser.status() >= 200 && parser.status() <= 599, "no such status");
    return std::to_string(parser.status()) + parser.take_body();
  } catch (const client::Malformed& error) {
    return error.what();
  }
}

std::string read_events(std::string_view text, std::size_t piece) {
  client::EventParser parser;
  std::string out;
  try {
    in_pieces(text, piece, [&](std::string_view bytes) {
      parser.feed(bytes);
      while (const auto event = parser.next())
        out += std::to_string(event->number) + event->name + ':' + event->data + '\n';
    });
    return out;
  } catch (const client::Malformed& error) {
    return error.what();
  }
}

/// Whatever it is, for people to see.
void decode(unsigned which, std::string_view text) {
  try {
    if (which == 0) client::read_leadership(text, place);
    if (which == 1) client::read_status(text, place);
    if (which == 2) client::read_members(text, place);
    if (which == 3) client::read_inbox(text, place);
    if (which == 4) client::read_message(text, place);
    if (which == 5) require(!client::read_id(text, place).empty(), "an empty id");
    if (which == 6) client::parse_address(std::string(text));
  } catch (const ClientError& error) {
    require(error.what() != std::string_view(), "nothing is said");
  }
  client::read_error(text);
  require(client::printable(text).size() <= 303, "too long for a sentence");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned kind = input.byte();
  const std::string text = input.text();
  const std::size_t piece = 1 + kind / 16;
  switch (kind % 16) {
    case 0:
      require(read_answer(text, 0) == read_answer(text, piece), "pieces make another answer");
      break;
    case 1:
      require(read_events(text, 0) == read_events(text, piece), "pieces make other events");
      break;
    default:
      decode(kind % 16 - 2, text);
  }
  return 0;
}
