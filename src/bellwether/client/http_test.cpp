// SPDX-License-Identifier: MIT
// The parsers, without sockets: every answer in one piece, byte by byte, and cut off everywhere.
#include "bellwether/client/http.hpp"

#include <gtest/gtest.h>

#include <random>

namespace bellwether::client {
namespace {

struct Parsed {
  unsigned status = 0;
  std::string body;
  bool done = false;
};

/// Fed in pieces of `piece` bytes.
Parsed parse(std::string_view text, std::size_t piece, bool end = true) {
  ResponseParser parser;
  Parsed out;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    parser.feed(text.substr(at, piece));
    out.body += parser.take_body();
  }
  if (end) parser.end();
  out.status = parser.status();
  out.done = parser.done();
  return out;
}

TEST(Http, AnswersOfEachKindInPiecesOfEachSize) {
  const std::vector<std::pair<std::string, std::string>> answers{
      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"},
      {"HTTP/1.1 200 OK\r\ncontent-length:5\r\nX: y\r\n\r\nhello", "hello"},
      {"HTTP/1.1 200\r\n\r\nuntil the end", "until the end"},
      {"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "ok"},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
       "3\r\nabc\r\nA;name=value\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n",
       "abc0123456789"},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "x"},
      {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""},
      {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay, this is more than that", "ok"}};
  for (const auto& [text, body] : answers)
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
      const Parsed parsed = parse(text, piece);
      EXPECT_EQ(parsed.body, body) << text;
      EXPECT_EQ(parsed.status, 200u);
      EXPECT_TRUE(parsed.done);
    }
}

TEST(Http, AnAnswerThatIsCutOffIsNotTakenForWhole) {
  for (const std::string text :
       {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"})
    for (std::size_t size = 0; size < text.size(); ++size)
      EXPECT_THROW(parse(std::string_view(text).substr(0, size), 7), Malformed) << size;
}

TEST(Http, GarbageIsRefused) {
  for (const std::string text : {
           "SSH-2.0-OpenSSH_9.2\r\n",
           "HTTP/2 200 OK\r\n",
           "HTTP/1.1 2x0 OK\r\n",
           "HTTP/1.1 999 No\r\n",
           "HTTP/1.1200 OK\r\n",
           "\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\n",
           "HTTP/1.1 200 OK\r\n: no name\r\n",
           "HTTP/1.1 200 OK\r\nA: b\r\n folded: c\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length:\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-3\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
       })
    for (const std::size_t piece : {std::size_t{1}, text.size()})
      EXPECT_THROW(parse(text, piece, false), Malformed) << text;
}

TEST(Http, NothingGrowsWithoutBound) {
  const std::string flood(1 << 16, 'x');
  const auto endless = [&](const std::string& begin, const std::string& more) {
    ResponseParser parser;
    parser.feed(begin);
    for (int i = 0; i < 1000; ++i) parser.feed(more);
  };
  EXPECT_THROW(endless("", flood), Malformed);
  EXPECT_THROW(endless("HTTP/1.1 200 OK\r\nX: ", flood), Malformed);
  EXPECT_THROW(endless("HTTP/1.1 200 OK\r\n", "Another: header, and again one of them\r\n"),
               Malformed);
  EXPECT_THROW(endless("", "HTTP/1.1 100 Continue\r\n\r\n"), Malformed);
  EXPECT_THROW(endless("HTTP/1.1 200 OK\r\n\r\n", flood), Malformed);
  const std::string chunk = "10000\r\n" + flood + "\r\n";
  EXPECT_THROW(endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk), Malformed);
  EXPECT_THROW(endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                       "And: trailers without end, one behind the other\r\n"),
               Malformed);
  EXPECT_THROW(
      endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "11111111111111111111"),
      Malformed);
}

TEST(Http, RandomBytesNeverCrash) {
  std::mt19937 random(7);
  const std::string seed =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: "
      "3\r\n\r\n5\r\nhello\r\n0\r\n";
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seed;
    for (unsigned changes = random() % 8; changes > 0; --changes)
      text[random() % text.size()] = static_cast<char>(random());
    try {
      parse(text, 1 + random() % text.size());
    } catch (const Malformed&) {
      continue;  // the usual end
    }
  }
}

TEST(Events, ComeOutAsTheyWent) {
  const std::string text =
      ": alive\n\nevent: leader\ndata: {\"a\":1}\n\nid: 7\r\nevent: members\r\ndata: one\r\n"
      "data:two\r\n\r\nevent: without data\n\nunknown: field\nid: x\ndata\n\n: alive\n\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EventParser parser;
    std::vector<Event> events;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      parser.feed(std::string_view(text).substr(at, piece));
      while (auto event = parser.next()) events.push_back(*event);
    }
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].name, "leader");
    EXPECT_EQ(events[0].data, "{\"a\":1}");
    EXPECT_EQ(events[0].number, 0u);
    EXPECT_EQ(events[1].name, "members");
    EXPECT_EQ(events[1].data, "one\ntwo");
    EXPECT_EQ(events[1].number, 7u);
    EXPECT_EQ(events[2].name, "");  // nothing is left over from the one before
    EXPECT_EQ(events[2].data, "");
  }
}

TEST(Events, NoneMayBeEndless) {
  const std::string line(1 << 16, 'x');
  const auto endless = [&](const std::string& piece) {
    EventParser parser;
    for (int i = 0; i < 100; ++i) {
      parser.feed(piece);
      parser.next();
    }
  };
  EXPECT_THROW(endless(line), Malformed);
  EXPECT_THROW(endless("data: " + line + "\n"), Malformed);
  endless(": " + line + "\n");  // comments leave nothing behind
}

TEST(Addresses, OfEachKind) {
  EXPECT_EQ(parse_address("/run/bellwether/node.sock").socket.ss_family, AF_UNIX);
  EXPECT_EQ(parse_address("node.sock").socket.ss_family, AF_UNIX);
  EXPECT_EQ(parse_address("./a:1").socket.ss_family, AF_UNIX);
  EXPECT_EQ(parse_address("127.0.0.1:7746").socket.ss_family, AF_INET);
  EXPECT_EQ(parse_address("localhost:7746").socket.ss_family, AF_INET);
  EXPECT_EQ(parse_address("[::1]:7746").socket.ss_family, AF_INET6);
  for (const std::string bad : {"", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x",
                                "::1:7746", "[::1:7746", "example.org:7746", ":7746", "[]:1"}) {
    try {
      parse_address(bad);
      ADD_FAILURE() << bad;
    } catch (const ClientError& error) {
      EXPECT_EQ(error.trouble(), Trouble::bad_input);
      EXPECT_NE(std::string(error.what()).find("127.0.0.1:7746"), std::string::npos);
    }
  }
  EXPECT_NO_THROW(parse_address("/" + std::string(106, 'a')));
  EXPECT_THROW(parse_address("/" + std::string(107, 'a')), ClientError);
}

}  // namespace
}  // namespace bellwether::client
