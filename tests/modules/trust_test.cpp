// SPDX-License-Identifier: Apache-2.0
#include "trust/trust.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <fstream>
#include <string>

#include "temporary_folder.hpp"
#include "trust/owners.hpp"

using lnk::host::check_trusted;
using lnk::host::check_trusted_by_links;
using lnk::host::is_own_group;
using lnk::host::is_system_place;
using lnk::test::TemporaryFolder;

namespace {

constexpr std::string_view kPasswd =
    "root:x:0:0:root:/root:/bin/sh\n"
    "ada:x:1000:1000:Ada:/home/ada:/bin/sh\n"
    "bob:x:1001:100:Bob:/home/bob:/bin/sh\n"
    "eve:x:1002:100:Eve:/home/eve:/bin/sh\n"
    "joe:x:1003:1003:Joe:/home/joe:/bin/sh\n"
    "jim:x:1004:1003:Jim:/home/jim:/bin/sh\n"
    "zoe:x:1005:1005:Zoe:/home/zoe:/bin/sh\n"
    "broken line\n";
constexpr std::string_view kGroup =
    "root:x:0:\nada:x:1000:\nusers:x:100:\njoe:x:1003:\nzoe:x:1005:zoe,eve\nteam:x:2000:ada\n";

// Only root can give a file away, and make one that is not its own.
boost::test_tools::assertion_result is_root(boost::unit_test::test_unit_id) { return ::geteuid() == 0; }

boost::test_tools::assertion_result has_own_group(boost::unit_test::test_unit_id) {
  return is_own_group(::geteuid(), ::getegid());
}

std::filesystem::path make_file(const TemporaryFolder& folder, mode_t mode) {
  auto file = folder.path() / "file";
  std::ofstream(file) << "x";
  ::chmod(file.c_str(), mode);
  return file;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(trust)

BOOST_AUTO_TEST_CASE(a_group_is_the_persons_own_only_where_nobody_else_is_in_it) {
  BOOST_TEST(is_own_group(kPasswd, kGroup, 1000, 1000));
  BOOST_TEST(is_own_group(kPasswd, kGroup, 0, 0));
  BOOST_TEST(!is_own_group(kPasswd, kGroup, 1001, 100));                             // shared by two
  BOOST_TEST(!is_own_group(kPasswd, kGroup, 1003, 1003));                            // another's first group too
  BOOST_TEST(!is_own_group(kPasswd, kGroup, 1005, 1005));                            // has another member
  BOOST_TEST(!is_own_group(kPasswd, kGroup, 1000, 2000));                            // of another name
  BOOST_TEST(!is_own_group(kPasswd, kGroup, 1000, 1001));                            // unknown
  BOOST_TEST(!is_own_group(kPasswd, kGroup, 4711, 4711));                            // no such user
  BOOST_TEST(!is_own_group("", "", 1000, 1000));                                     // nothing can be told
  BOOST_TEST(!is_own_group(kPasswd, "ada:x:1000:\nside:x:1000:eve\n", 1000, 1000));  // a second name of it
}

BOOST_AUTO_TEST_CASE(only_the_systems_own_places_are_taken_for_roots_where_an_owner_is_hidden) {
  for (const char* place : {"/", "/usr", "/usr/bin/curl", "/home", "/tmp", "/etc/ssl"})
    BOOST_TEST(is_system_place(place));
  for (const char* place : {"/home/ada", "/tmp/x", "/data", "/userland", "usr", "", "/var/lib"})
    BOOST_TEST(!is_system_place(place));
}

BOOST_AUTO_TEST_CASE(the_first_part_that_is_not_trusted_is_named) {
  const TemporaryFolder folder;
  const auto open = folder.path() / "open";
  std::filesystem::create_directory(open);
  ::chmod(open.c_str(), 0755);
  const auto file = open / "file";
  std::ofstream(file) << "x";
  ::chmod(file.c_str(), 0600);
  BOOST_TEST(check_trusted(file).has_value());
  BOOST_TEST(check_trusted(open).has_value());

  ::chmod(open.c_str(), 0757);
  const auto refused = check_trusted(file);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().text.find("'" + open.string() + "' may be written by others (mode 0757)") == 0);
  BOOST_TEST(bool(refused.error().code == lnk::Code::Denied));
}

BOOST_AUTO_TEST_CASE(a_link_in_the_middle_is_refused) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "real");
  std::ofstream(folder.path() / "real" / "file") << "x";
  std::filesystem::create_directory_symlink("real", folder.path() / "link");
  BOOST_TEST(!check_trusted(folder.path() / "link" / "file").has_value());
  ::chmod((folder.path() / "real").c_str(), 0755);
  ::chmod((folder.path() / "real" / "file").c_str(), 0644);
  BOOST_TEST(check_trusted(folder.path() / "real" / "file").has_value());
}

BOOST_AUTO_TEST_CASE(a_way_over_links_is_trusted_where_none_but_the_person_can_turn_it) {
  const TemporaryFolder folder;
  for (const char* name : {"real", "links", "links/open"}) {
    std::filesystem::create_directory(folder.path() / name);
    ::chmod((folder.path() / name).c_str(), 0755);
  }
  std::filesystem::create_directory_symlink("../../real", folder.path() / "links" / "open" / "last");
  std::filesystem::create_directory_symlink(folder.path() / "links" / "open", folder.path() / "first");
  std::filesystem::create_directory_symlink("circle", folder.path() / "circle");
  const auto way = folder.path() / "first" / "last" / ".." / "real";
  BOOST_TEST(check_trusted_by_links(way).has_value());
  BOOST_TEST(!check_trusted_by_links(folder.path() / "circle").has_value());
  BOOST_TEST(!check_trusted_by_links(folder.path() / "first" / "none").has_value());
  BOOST_TEST(!check_trusted_by_links("first").has_value());
  // What the way leads to is as it was; the folder of a link in the middle is not.
  ::chmod((folder.path() / "links" / "open").c_str(), 0757);
  const auto refused = check_trusted_by_links(way);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().text.find("links/open' may be written by others") != std::string::npos, refused.error().text);
  BOOST_TEST(check_trusted(folder.path() / "real").has_value());
  ::chmod((folder.path() / "links" / "open").c_str(), 01777);  // where none but its owner replaces a link
  BOOST_TEST(check_trusted_by_links(way).has_value());
}

BOOST_AUTO_TEST_CASE(anothers_link_is_refused_in_a_sticky_folder_too, *boost::unit_test::precondition(is_root)) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "real");
  const auto link = folder.path() / "link";
  std::filesystem::create_directory_symlink("real", link);
  BOOST_TEST(check_trusted_by_links(link).has_value());
  BOOST_TEST_REQUIRE(::lchown(link.c_str(), 4711, 4711) == 0);
  BOOST_TEST(!check_trusted_by_links(link).has_value());
}

BOOST_AUTO_TEST_CASE(anothers_file_is_refused_whatever_its_mode, *boost::unit_test::precondition(is_root)) {
  const TemporaryFolder folder;
  const auto file = make_file(folder, 0644);
  BOOST_TEST(check_trusted(file).has_value());
  BOOST_TEST_REQUIRE(::chown(file.c_str(), 4711, 4711) == 0);
  const auto refused = check_trusted(file);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().text.find("belongs to uid 4711, who is neither root nor you (uid 0)") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_persons_own_group_may_write_and_another_may_not, *boost::unit_test::precondition(is_root)) {
  const TemporaryFolder folder;
  const auto file = make_file(folder, 0664);
  BOOST_TEST(check_trusted(file).has_value() == is_own_group(0, 0));
  BOOST_TEST_REQUIRE(::chown(file.c_str(), 0, 4711) == 0);
  BOOST_TEST(!check_trusted(file).has_value());
}

BOOST_AUTO_TEST_CASE(under_an_access_list_the_group_bits_are_not_the_groups,
                     *boost::unit_test::precondition(has_own_group)) {
  const TemporaryFolder folder;
  const auto file = make_file(folder, 0664);
  BOOST_TEST_REQUIRE(check_trusted(file).has_value());
  // posix_acl_xattr.h, version 2: the owner, uid 4711, the group, the mask and others; each tag, rights, id.
  const std::uint32_t list[] = {2,          0x0006'0001, 0xFFFFFFFF, 0x0006'0002, 4711,      0x0004'0004,
                                0xFFFFFFFF, 0x0006'0010, 0xFFFFFFFF, 0x0004'0020, 0xFFFFFFFF};
  if (::setxattr(file.c_str(), "system.posix_acl_access", list, sizeof list, 0) != 0) {
    BOOST_TEST_MESSAGE("skipped: this filesystem has no access lists");
    return;
  }
  BOOST_TEST(!check_trusted(file).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
