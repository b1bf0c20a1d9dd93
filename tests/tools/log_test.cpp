// SPDX-License-Identifier: Apache-2.0
#include "tool_keeper/log.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "../host/temporary_folder.hpp"

using namespace lnk::host;
using lnk::UniqueFd;

namespace {

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

ToolLog open_log(const std::string& path) {
  return ToolLog(UniqueFd(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_keeps_to_its_size_and_has_what_came_last) {
  const TemporaryFolder folder;
  const auto path = folder / "a.log";
  auto one = open_log(path);
  auto other = open_log(path);  // as of another run of the same tool
  for (int line = 0; line < 40'000; ++line) {
    (line % 2 == 0 ? one : other)
        .append("line " + std::to_string(line) + " of a tool that talks without an end, as some do\n");
    if (line % 1000 == 0) BOOST_TEST(std::filesystem::file_size(path) <= kToolLogBytesMax + kToolLogCut.size());
  }
  const auto text = content_of(path);
  BOOST_TEST(text.size() <= kToolLogBytesMax + kToolLogCut.size());
  BOOST_TEST(text.size() > kToolLogBytesMax / 4);
  BOOST_TEST(text.starts_with(std::string(kToolLogCut) + "line "));
  BOOST_TEST(text.ends_with("line 39999 of a tool that talks without an end, as some do\n"));
}

BOOST_AUTO_TEST_CASE(a_line_without_an_end_is_cut_too) {
  const TemporaryFolder folder;
  const auto path = folder / "a.log";
  auto log = open_log(path);
  const std::string piece(16384, 'x');
  for (int count = 0; count < 200; ++count) log.append(piece);
  BOOST_TEST(std::filesystem::file_size(path) <= kToolLogBytesMax + kToolLogCut.size());
}

BOOST_AUTO_TEST_CASE(who_holds_the_log_holds_nobody_up) {
  const TemporaryFolder folder;
  const auto path = folder / "a.log";
  auto log = open_log(path);
  const UniqueFd held(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  BOOST_REQUIRE(::flock(held.get(), LOCK_EX) == 0);
  log.append("lost\n");
  BOOST_REQUIRE(::flock(held.get(), LOCK_UN) == 0);
  log.append("kept\n");
  BOOST_TEST(content_of(path) == "kept\n");
}
