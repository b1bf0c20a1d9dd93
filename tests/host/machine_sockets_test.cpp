// SPDX-License-Identifier: Apache-2.0
#include "launch/machine_sockets.hpp"

#include <sys/socket.h>
#include <sys/un.h>

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "lnk/posix/unique_fd.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace lnk::host;

lnk::UniqueFd bound_at(const std::string& path) {
  lnk::UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  BOOST_REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  BOOST_REQUIRE(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return fd;
}

Grants grants_of(std::vector<GrantedFile> files) {
  Grants grants;
  grants.files = std::move(files);
  return grants;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(machine_sockets_of_a_run)

BOOST_AUTO_TEST_CASE(paths_are_read_as_the_kernel_writes_them) {
  const std::string list =
      "Num       RefCount Protocol Flags    Type St Inode Path\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01 12345 /run/one\n"
      "ffff888012345678: 00000003 00000000 00000000 0001 03   678 /run/one\n"
      "ffff888012345678: 00000003 00000000 00000000 0001 03 12346\n"
      "0000000000000000: 00000002 00000000 00000000 0002 01 12347 @abstract\n"
      "0000000000000000: 00000002 00000000 00000000 0002 01 12348 relative\n"
      "0000000000000000: 00000002 00000000 00010000 0001 01 12349 /a b/ two  words \n"
      "0000000000000000: 00000002 00000000 00010000 0001 01 12350 /with\na break: in it\n"
      "0000000000000000: 00000002 00000000 00010000 0005 01 12351 /last";
  const std::vector<std::string> wanted = {"/a b/ two  words ", "/last", "/run/one", "/with\na break: in it"};
  BOOST_TEST(bound_paths(list) == wanted, boost::test_tools::per_element());
  BOOST_TEST(bound_paths("").empty());
}

BOOST_AUTO_TEST_CASE(only_those_that_the_grants_would_show_are_found) {
  const TemporaryFolder root;
  const auto granted = root.folder("g"), hidden = root.folder("g/h"), again = root.folder("g/h/again"), other = root.folder("o");
  root.link("way", granted);
  const auto first = bound_at(granted + "/s"), second = bound_at(hidden + "/s"), third = bound_at(again + "/s"),
             fourth = bound_at(other + "/s"), by_link = bound_at((root / "way/t"));
  const auto found = machine_sockets(grants_of({{Access::Read, granted, granted, FileKind::Folder, false},
                                                {Access::Hide, hidden, hidden, FileKind::Folder, false},
                                                {Access::Write, again, again, FileKind::Folder, false}}));
  BOOST_REQUIRE(found.has_value());
  const std::vector<std::string> wanted = {again + "/s", granted + "/s", granted + "/t"};
  BOOST_TEST(*found == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_name_that_no_snapshot_can_hold_is_refused_where_it_would_be_seen) {
  const TemporaryFolder root;
  const auto granted = root.folder("g"), other = root.folder("o");
  const auto odd = bound_at(granted + "/s\xff");
  const auto refused = machine_sockets(grants_of({{Access::Read, granted, granted, FileKind::Folder, false}}));
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == lnk::Code::Denied));
  BOOST_TEST(machine_sockets(grants_of({{Access::Read, other, other, FileKind::Folder, false}})).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
