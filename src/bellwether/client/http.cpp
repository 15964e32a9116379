// SPDX-License-Identifier: MIT
// The parsers: pure, byte by byte, bounded.
#include "bellwether/client/http.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace bellwether::client {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Digits and nothing else.
std::optional<std::uint64_t> whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

}  // namespace

void ResponseParser::feed(std::string_view bytes) {
  begun_ = begun_ || !bytes.empty();
  while (!bytes.empty() && state_ != Stage::done) {
    if (state_ == Stage::until_end) return add_body(bytes);
    if (state_ == Stage::sized || state_ == Stage::chunk) {
      const auto part = std::min<std::uint64_t>(left_, bytes.size());
      add_body(bytes.substr(0, part));
      bytes.remove_prefix(part);
      left_ -= part;
      if (left_ == 0) state_ = state_ == Stage::sized ? Stage::done : Stage::chunk_end;
      continue;
    }
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    // What a node sends before the body, between chunks and behind them is short.
    head_bytes_ += piece.size() + (end == std::string_view::npos ? 0 : 1);
    if (head_bytes_ > most_head) throw Malformed("its headers are too long");
    line_ += piece;
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    if (line_.ends_with('\r')) line_.pop_back();
    const std::string line = std::move(line_);
    line_.clear();
    take_line(line);
  }
}

void ResponseParser::end() {
  if (state_ == Stage::until_end) state_ = Stage::done;
  if (state_ != Stage::done)
    throw Malformed(begun_ ? "the reply ended early" : "the connection ended without a reply");
}

std::string ResponseParser::take_body() {
  return std::exchange(body_, {});
}

void ResponseParser::add_body(std::string_view bytes) {
  if (body_.size() + bytes.size() > most_body) throw Malformed("the reply is too long");
  body_ += bytes;
}

void ResponseParser::take_line(std::string_view line) {
  switch (state_) {
    case Stage::status:
      return take_status(line);
    case Stage::header:
      return line.empty() ? end_head() : take_header(line);
    case Stage::chunk_size:
      return take_chunk_size(line);
    case Stage::chunk_end:
      if (!line.empty()) throw Malformed("a chunk is longer than it says");
      state_ = Stage::chunk_size;
      return;
    case Stage::trailer:
      if (line.empty()) state_ = Stage::done;
      return;
    default:
      return;  // the others have no lines
  }
}

void ResponseParser::take_status(std::string_view line) {
  // "HTTP/1.1 200 OK"; the words behind the number may be missing.
  const bool http = line.starts_with("HTTP/1.") && line.size() >= 12 && line[8] == ' ' &&
                    (line.size() == 12 || line[12] == ' ');
  const auto status = http ? whole_number(line.substr(9, 3), 10) : std::nullopt;
  if (!status || *status < 100 || *status > 599) throw Malformed("it does not speak HTTP/1.1");
  status_ = static_cast<unsigned>(*status);
  state_ = Stage::header;
}

void ResponseParser::take_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0 || line.front() == ' ' || line.front() == '\t')
    throw Malformed("a header has no name");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (same_word(name, "content-length")) {
    const auto length = whole_number(value, 10);
    if (!length || (length_ && length_ != length))
      throw Malformed("Content-Length is not a number");
    length_ = length;
  } else if (same_word(name, "transfer-encoding")) {
    if (!same_word(value, "chunked")) throw Malformed("its transfer encoding is not supported");
    chunked_ = true;
  }
}

void ResponseParser::end_head() {
  if (status_ < 200) {  // "100 Continue" and the like: the answer is still to come
    state_ = Stage::status;
    length_.reset();
    chunked_ = false;
    return;
  }
  if (chunked_ && length_) throw Malformed("it has two lengths");
  if (length_ && *length_ > most_body) throw Malformed("the reply is too long");
  left_ = length_.value_or(0);
  if (status_ == 204 || status_ == 304 || (length_ && left_ == 0))
    state_ = Stage::done;
  else if (chunked_)
    state_ = Stage::chunk_size;
  else
    state_ = length_ ? Stage::sized : Stage::until_end;
  head_bytes_ = 0;
}

void ResponseParser::take_chunk_size(std::string_view line) {
  const auto size = whole_number(trimmed(line.substr(0, line.find(';'))), 16);
  if (!size) throw Malformed("a chunk has no size");
  left_ = *size;
  state_ = left_ == 0 ? Stage::trailer : Stage::chunk;
  head_bytes_ = 0;
}

void EventParser::feed(std::string_view bytes) {
  buffer_.erase(0, read_);
  read_ = 0;
  buffer_ += bytes;
}

std::optional<Event> EventParser::next() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', read_);
    if (end == std::string::npos) {
      if (buffer_.size() - read_ > most_event) throw Malformed("an event has no end");
      return std::nullopt;
    }
    std::string_view line = std::string_view(buffer_).substr(read_, end - read_);
    read_ = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      Event event = std::exchange(event_, {});
      if (std::exchange(has_data_, false)) return event;
      continue;  // without data it is none
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view field = line.substr(0, colon);  // empty: a comment
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (event_.data.size() + value.size() > most_event) throw Malformed("an event has no end");
    if (field == "event") event_.name = value;
    if (field == "id") event_.number = whole_number(value, 10).value_or(0);
    if (field == "data") {
      if (has_data_) event_.data += '\n';
      event_.data += value;
      has_data_ = true;
    }
  }
}

std::string get_request(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nConnection: close\r\n\r\n";
}

std::string post_request(const std::string& path, std::string_view body) {
  std::string out = "POST " + path +
                    " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nConnection: close\r\n"
                    "Content-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n";
  return out += body;
}

std::string printable(std::string_view text) {
  constexpr std::size_t most = 300;
  std::string out(text.substr(0, most));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  if (text.size() > most) out += "...";
  return out;
}

}  // namespace bellwether::client
