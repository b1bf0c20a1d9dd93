// SPDX-License-Identifier: Apache-2.0
#include "modules/catalogue.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "fixtures.hpp"
#include "temporary_folder.hpp"

using lnk::host::find_module;
using lnk::host::list_modules;
using lnk::test::fixture;
using lnk::test::TemporaryFolder;

namespace fs = std::filesystem;

namespace {

/// A folder of modules: each fixture copied in under its own name.
fs::path make_dir(const fs::path& parent, std::string_view name) {
  fs::path dir = parent / name;
  fs::create_directory(dir);
  ::chmod(dir.c_str(), 0755);
  return dir;
}

void put(const fs::path& dir, std::string_view name, std::string_view file = "verb-fixture.so") {
  fs::copy_file(fixture(name, file), dir / file);
  ::chmod((dir / file).c_str(), 0644);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(catalogue)

BOOST_AUTO_TEST_CASE(a_broken_module_is_listed_with_its_reason_and_the_rest_goes_on) {
  const TemporaryFolder folder;
  const std::vector<fs::path> dirs{make_dir(folder.path(), "one"), make_dir(folder.path(), "two")};
  put(dirs[0], "other_major");
  std::ofstream(dirs[0] / "verb-text.so") << "not a library";
  std::ofstream(dirs[0] / "notes.txt") << "not looked at";
  put(dirs[1], "other_name", "verb-other.so");
  const auto listings = list_modules(dirs);
  BOOST_TEST_REQUIRE(listings.size() == 3);
  BOOST_TEST(listings[0].id == "verb-fixture");
  BOOST_TEST(!listings[0].loaded);
  BOOST_TEST(listings[0].reason.find("SDK 2.0") != std::string::npos);
  BOOST_TEST(listings[1].id == "verb-text");
  BOOST_TEST(listings[1].reason.find("no ELF file") != std::string::npos);
  BOOST_TEST(!listings[2].loaded);
}

BOOST_AUTO_TEST_CASE(a_sound_module_is_listed_with_all_it_says_of_itself) {
  const TemporaryFolder folder;
  const std::vector<fs::path> dirs{make_dir(folder.path(), "one")};
  put(dirs[0], "good");
  const auto listings = list_modules(dirs);
  BOOST_TEST_REQUIRE(listings.size() == 1);
  BOOST_TEST(listings[0].loaded);
  BOOST_TEST(listings[0].reason.empty());
  BOOST_TEST(listings[0].id == "verb-fixture");
  BOOST_TEST(listings[0].version == "1.0.0");
  BOOST_TEST(listings[0].sdk == "1.0");
  BOOST_TEST(listings[0].kind == "verb");
}

BOOST_AUTO_TEST_CASE(two_modules_of_one_id_are_both_refused_and_both_named) {
  const TemporaryFolder folder;
  const std::vector<fs::path> dirs{make_dir(folder.path(), "one"), make_dir(folder.path(), "two")};
  put(dirs[0], "good");
  put(dirs[1], "good");
  const auto listings = list_modules(dirs);
  BOOST_TEST_REQUIRE(listings.size() == 2);
  for (const auto& listing : listings) {
    BOOST_TEST(!listing.loaded);
    BOOST_TEST(listing.reason.find((dirs[0] / "verb-fixture.so").string()) != std::string::npos);
    BOOST_TEST(listing.reason.find((dirs[1] / "verb-fixture.so").string()) != std::string::npos);
  }
  const auto found = find_module(dirs, "verb-fixture");
  BOOST_TEST_REQUIRE(!found.has_value());
  BOOST_TEST(found.error().text.find("two modules are named 'verb-fixture'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_folder_named_twice_is_one) {
  const TemporaryFolder folder;
  const auto dir = make_dir(folder.path(), "one");
  put(dir, "good");
  const std::vector<fs::path> dirs{dir, dir / "."};
  BOOST_TEST(list_modules(dirs).size() == 1);
  BOOST_TEST(find_module(dirs, "verb-fixture").has_value());
}

BOOST_AUTO_TEST_CASE(a_module_is_found_by_its_name_alone) {
  const TemporaryFolder folder;
  const std::vector<fs::path> dirs{make_dir(folder.path(), "one"), make_dir(folder.path(), "two")};
  put(dirs[1], "good");
  const auto found = find_module(dirs, "verb-fixture");
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(*found == dirs[1] / "verb-fixture.so");
  const auto missing = find_module(dirs, "verb-none");
  BOOST_TEST_REQUIRE(!missing.has_value());
  BOOST_TEST(bool(missing.error().code == lnk::Code::Gone));
  BOOST_TEST(!find_module(dirs, "../one/verb-fixture").has_value());
  BOOST_TEST(!find_module(dirs, "").has_value());
}

BOOST_AUTO_TEST_CASE(a_folder_that_others_may_write_loads_nothing) {
  const TemporaryFolder folder;
  const auto dir = make_dir(folder.path(), "one");
  put(dir, "good");
  ::chmod(dir.c_str(), 0777);
  const std::vector<fs::path> dirs{dir};
  const auto listings = list_modules(dirs);
  BOOST_TEST_REQUIRE(listings.size() == 1);
  BOOST_TEST(!listings[0].loaded);
  BOOST_TEST(listings[0].reason.find("may be written by others") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
