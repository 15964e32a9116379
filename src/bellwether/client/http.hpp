// SPDX-License-Identifier: MIT
// As much of HTTP/1.1 as it takes to talk to a node: one request per connection, answers of known
// length, in chunks or until the end, server-sent events. Nothing here waits; the owner of an
// Exchange polls. Whatever comes in, memory stays bounded.
#pragma once

#include <sys/socket.h>

#include <string>
#include <string_view>

#include "bellwether/client/client.hpp"

namespace bellwether::client {

inline constexpr std::size_t most_head = std::size_t{16} << 10;  // bytes of an answer's headers
inline constexpr std::size_t most_body = std::size_t{4} << 20;   // bytes of an answer
inline constexpr std::size_t most_event = std::size_t{1} << 20;  // bytes of one event

struct Address {
  std::string text;  // as given, for sentences
  sockaddr_storage socket{};
  socklen_t size = 0;
};
/// Throws ClientError.
Address parse_address(const std::string& text);

/// What came in is not HTTP, or is more than was asked for. The text is half a sentence.
class Malformed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An answer, taken as it comes in.
class ResponseParser {
 public:
  /// Throws Malformed.
  void feed(std::string_view bytes);
  /// The connection has ended. Throws Malformed when the answer was not whole.
  void end();

  bool begun() const { return begun_; }
  bool head_done() const { return state_ > Stage::header; }
  bool done() const { return state_ == Stage::done; }
  unsigned status() const { return status_; }
  /// What has come of the body; the parser forgets it.
  std::string take_body();

 private:
  enum class Stage : unsigned char {
    status,
    header,
    sized,
    until_end,
    chunk_size,
    chunk,
    chunk_end,
    trailer,
    done
  };
  void take_line(std::string_view line);
  void take_status(std::string_view line);
  void take_header(std::string_view line);
  void end_head();
  void take_chunk_size(std::string_view line);
  void add_body(std::string_view bytes);

  Stage state_ = Stage::status;
  bool begun_ = false;
  std::string line_;
  std::size_t head_bytes_ = 0;
  unsigned status_ = 0;
  std::optional<std::uint64_t> length_;
  bool chunked_ = false;
  std::uint64_t left_ = 0;  // bytes of the body or of the chunk that are still to come
  std::string body_;
};

/// Server-sent events, taken as they come in.
class EventParser {
 public:
  void feed(std::string_view bytes);
  /// Throws Malformed when an event is larger than any of a node's.
  std::optional<Event> next();

 private:
  std::string buffer_;
  std::size_t read_ = 0;  // bytes of the buffer that are done with
  Event event_;
  bool has_data_ = false;
};

std::string get_request(const std::string& path);
std::string post_request(const std::string& path, std::string_view body);

/// One connection with one request and its answer.
class Exchange {
 public:
  /// Begins to connect. With `endless` the limit is for the head of the answer only. Throws
  /// ClientError, as all that follows.
  Exchange(Address address, std::string request, Milliseconds limit, bool endless = false);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Does what can be done without waiting; false when that was nothing.
  bool advance();
  Waiting waiting() const;
  bool done() const { return parser_.done(); }
  ResponseParser& answer() { return parser_; }
  const Address& address() const { return address_; }

 private:
  enum class Stage : unsigned char { unconnected, connecting, sending, reading };
  bool try_connect();
  bool finish_connect();
  bool send_more();
  bool read_more();
  [[noreturn]] void fail(Trouble trouble, const std::string& what) const;
  [[noreturn]] void fail_to_connect(int error) const;

  Address address_;
  std::string request_;
  std::size_t sent_ = 0;
  Milliseconds limit_;
  Clock::time_point deadline_;
  bool endless_;
  Stage state_ = Stage::unconnected;
  int descriptor_ = -1;
  ResponseParser parser_;
};

/// Waits for what is wanted, but no longer than `until`.
void wait_for(const Waiting& waiting, Clock::time_point until);

/// One line of at most 300 characters, whatever a stranger wrote.
std::string printable(std::string_view text);

/// The body of a whole answer; throws ClientError(refused) with the node's own sentence when the
/// status says no.
std::string checked_body(Exchange& exchange);

}  // namespace bellwether::client
