// SPDX-License-Identifier: Apache-2.0
//
// What the kernel holds of a wire's connections. Confinement can't be undone, so each is tried in a forked child.
#include "wire/confine.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "confinement/landlock.hpp"
#include "lnk/posix/unique_fd.hpp"

using namespace lnk;
using namespace lnk::host;

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// A port of this machine's loopback that takes connections.
struct Listener {
  UniqueFd socket = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  std::uint16_t port = 0;

  Listener() {
    auto address = loopback(0);
    socklen_t size = sizeof address;
    auto* at = reinterpret_cast<sockaddr*>(&address);
    BOOST_REQUIRE(::bind(socket.get(), at, size) == 0 && ::listen(socket.get(), 1) == 0);
    BOOST_REQUIRE(::getsockname(socket.get(), at, &size) == 0);
    port = ntohs(address.sin_port);
  }
};

/// The error number of a connection to it; 0: none.
int try_to_connect(std::uint16_t port) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto address = loopback(port);
  return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}

/// What it gives in a child that is confined to `ports`; -1: it could not be confined.
int confined(const std::optional<std::vector<std::uint16_t>>& ports, const std::function<int()>& what) {
  char folder[] = "/tmp/confine-XXXXXX";
  BOOST_REQUIRE(::mkdtemp(folder) != nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(confine(folder, ports) ? what() : 255);
  int status = 0;
  BOOST_REQUIRE(::waitpid(pid, &status, 0) == pid);
  std::filesystem::remove(folder);
  return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(confinement)

BOOST_AUTO_TEST_CASE(tcp_goes_to_the_ports_of_the_spec_alone) {
  if (landlock_level() < 4) {
    BOOST_TEST_MESSAGE("skipped: this kernel's Landlock holds no ports");
    return;
  }
  const Listener named;
  const Listener other;
  BOOST_TEST(try_to_connect(other.port) == 0);
  const std::vector<std::uint16_t> ports = {named.port};
  BOOST_TEST(confined(ports, [&] { return try_to_connect(named.port); }) == 0);
  BOOST_TEST(confined(ports, [&] { return try_to_connect(other.port); }) == EACCES);
  BOOST_TEST(confined(std::vector<std::uint16_t>(), [&] { return try_to_connect(named.port); }) == EACCES);
}

BOOST_AUTO_TEST_CASE(the_ports_are_those_of_hosts_machines_endpoints_this_machine_and_verbs) {
  WireConfig config;
  BOOST_TEST(ports_outside(config).value().empty());
  config.hosts = {{"a.com", {80, 443}}, {"b.com", {8443}}};
  config.machines = {{"nas.test", 445, ""}};
  config.localhost = {5432, 80};
  config.verbs = {{"secret", "", "", "{}", {}, {{"c.com", 444, {}}}}};
  config.endpoints = {{"db.test", 5433, false}, {"*.test", 80, false}};
  BOOST_TEST((ports_outside(config).value() == std::vector<std::uint16_t>{80, 443, 444, 445, 5432, 5433, 8443}));
}

BOOST_AUTO_TEST_CASE(a_mongodb_names_servers_may_be_at_any_port) {
  WireConfig config;
  config.hosts = {{"a.com", {80}}};
  config.endpoints = {{"c.x.test", 0, true}};
  BOOST_TEST(!ports_outside(config).has_value());
  const Listener other;
  BOOST_TEST(confined(ports_outside(config), [&] { return try_to_connect(other.port); }) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
