// SPDX-License-Identifier: MIT
// Where the server may listen, and what it says where it may not.
#include "bellwether/node/http_listen.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <fstream>

#include "bellwether/core/problem.hpp"
#include "bellwether/node/http_client_test.hpp"

namespace bellwether::node {
namespace {

std::string complaint(const HttpOptions& options) {
  boost::asio::io_context io;
  FakeControl control;
  try {
    const HttpServer server(io, control, options);
  } catch (const core::Problem& error) {
    return error.what();
  }
  return "no complaint";
}

HttpOptions at_path(const std::string& path) {
  HttpOptions options;
  options.socket = path;
  return options;
}

HttpOptions at_port(const std::string& listen) {
  HttpOptions options;
  options.listen = listen;
  return options;
}

unsigned mode_of(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(::lstat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777U;
}

TEST(HttpListen, SocketFileComesAndGoes) {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/s";
  boost::asio::io_context io;
  FakeControl control;
  HttpOptions options = at_path(path);
  {
    const HttpServer server(io, control, options);
    EXPECT_EQ(mode_of(path), 0660u);
    EXPECT_EQ(server.port(), 0);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  options.socket_mode = 0600;
  {
    const HttpServer server(io, control, options);
    EXPECT_EQ(mode_of(path), 0600u);
    // A file of another program at this path is not ours to remove.
    std::filesystem::remove(path);
    std::ofstream(path) << "mine";
  }
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST(HttpListen, StaleSocketIsReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/s";
  { const Listening abandoned = listen_at_path(path, 0600); }
  ASSERT_TRUE(std::filesystem::is_socket(path)) << "nobody removed it";
  EXPECT_EQ(complaint(at_path(path)), "no complaint");
}

TEST(HttpListen, LiveSocketIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/s";
  const Listening first = listen_at_path(path, 0600);
  EXPECT_EQ(complaint(at_path(path)),
            "another daemon answers on " + path +
                "; stop it, or give this one another socket with --socket");
  EXPECT_TRUE(std::filesystem::is_socket(path));
}

TEST(HttpListen, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/s";
  std::ofstream(path) << "precious";
  const std::string sentence =
      path + " is there and is no socket; remove it, or give another path with --socket";
  EXPECT_EQ(complaint(at_path(path)), sentence);
  EXPECT_EQ(std::filesystem::file_size(path), 8u);
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_EQ(complaint(at_path(path)), sentence);
  std::filesystem::remove(path);
  std::filesystem::create_symlink(folder.path + "/elsewhere", path);
  EXPECT_EQ(complaint(at_path(path)), sentence);
}

TEST(HttpListen, PathsThatCannotBe) {
  const TemporaryFolder folder;
  const std::string deep = folder.path + "/none/s";
  EXPECT_EQ(complaint(at_path(deep)),
            "cannot make the socket " + deep +
                ": No such file or directory; give a path in a folder that is there and may be "
                "written to with --socket");
  const std::string long_path = folder.path + "/" + std::string(120, 'x');
  EXPECT_EQ(complaint(at_path(long_path)),
            "the path " + long_path +
                " is too long for a socket; give one of at most 107 bytes with --socket");
}

TEST(HttpListen, OnlyLoopback) {
  for (const std::string address : {"0.0.0.0:7746", "192.168.1.1:7746", "[::]:7746",
                                    "[fe80::1]:7746", "128.0.0.1:80", "[::ffff:127.0.0.1]:80"}) {
    EXPECT_EQ(complaint(at_port(address)),
              "HTTP is for this machine only, and " + address +
                  " is not a loopback address; write it as 127.0.0.1:7746 or [::1]:7746 after "
                  "--http, and put a proxy with a login before it for others");
  }
  for (const std::string address :
       {"7746", ":7746", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
        "127.0.0.1:-1", "::1:7746", "[::1]", "[127.0.0.1]:1", "example.org:80", "127.1:80", "[:1",
        "]:1", " 127.0.0.1:80"}) {
    EXPECT_EQ(complaint(at_port(address)),
              "'" + address +
                  "' is not an address with a port; write it as 127.0.0.1:7746 or [::1]:7746 "
                  "after --http");
  }
}

TEST(HttpListen, PortInUse) {
  const TemporaryFolder folder;
  const Listening first = listen_at_loopback("127.0.0.1:0");
  HttpOptions options = at_path(folder.path + "/s");
  options.listen = "127.0.0.1:" + std::to_string(port_of(first.get()));
  EXPECT_EQ(complaint(options),
            options.listen + " is in use by another program; give another port with --http");
  EXPECT_FALSE(std::filesystem::exists(options.socket)) << "nothing half started";
}

TEST(HttpListen, LoopbackOfBothKinds) {
  for (const std::string address : {"127.0.0.1:0", "127.9.9.9:0", "localhost:0"}) {
    EXPECT_GT(port_of(listen_at_loopback(address).get()), 0);
  }
  try {
    EXPECT_GT(port_of(listen_at_loopback("[::1]:0").get()), 0);
  } catch (const core::Problem&) {
    GTEST_SKIP() << "this machine has no IPv6 loopback";
  }
}

TEST(HttpListen, NothingIsInherited) {
  LiveServer live;
  TestClient local = live.local();
  TestClient tcp = live.tcp();
  EXPECT_EQ(local.get("/v1/leader").status, 200u);
  EXPECT_EQ(tcp.get("/v1/leader").status, 200u);
  int sockets = 0;
  live.run([&] {  // they are the server's own
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      const int descriptor = std::stoi(entry.path().filename());
      struct stat found {};
      if (descriptor <= 2 || ::fstat(descriptor, &found) != 0 || !S_ISSOCK(found.st_mode)) continue;
      ++sockets;
      EXPECT_TRUE((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0) << descriptor;
    }
  });
  EXPECT_GE(sockets, 6);
}

TEST(HttpListen, GivenAway) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  LiveServer live;
  live.server().give_to(1234, 5678);
  struct stat found {};
  ASSERT_EQ(::lstat(live.path().c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, 1234u);
  EXPECT_EQ(found.st_gid, 5678u);
  std::filesystem::remove(live.path());
  try {
    live.server().give_to(1, 1);
    FAIL() << "there is nothing to give";
  } catch (const core::Problem& error) {
    EXPECT_EQ(error.what(), "cannot give the socket " + live.path() +
                                " to user 1: No such file or directory; start as root, or "
                                "without another user");
  }
}

TEST(HttpListen, NamesOfLoopback) {
  for (const std::string host : {"localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:7746",
                                 "127.3.2.1:1", "[::1]", "[::1]:7746"}) {
    EXPECT_TRUE(names_loopback(host)) << host;
  }
  for (const std::string host :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1:x",
        "10.0.0.1", "128.0.0.1:80", "[::2]", "[fe80::1]:80", "localhost:80:80", "0.0.0.0",
        "localhost@evil", "127.1", "2130706433", " localhost"}) {
    EXPECT_FALSE(names_loopback(host)) << host;
  }
}

}  // namespace
}  // namespace bellwether::node
