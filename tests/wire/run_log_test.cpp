// SPDX-License-Identifier: Apache-2.0
#include "wire/run_log.hpp"

#include <stdlib.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "wire/limits.hpp"

using namespace lnk::host;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "run-log-XXXXXX").native();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::string text(const char* name) const {
    std::ifstream file(path / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

LogFile open_file(const Folder& folder) {
  auto file = LogFile::open(folder.path.native(), "test");
  BOOST_REQUIRE(file);
  return std::move(*file);
}

LogEntry refusal_of(std::string host) {
  return {"refused", 1, "http", std::move(host), 80, "host-not-listed", 403, {}, {}, {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_log)

BOOST_AUTO_TEST_CASE(one_run_turns_a_log_over_once_and_says_so) {
  const Folder folder;
  std::ofstream(folder.path / "test.jsonl") << "{\"run\":\"earlier\"}\n";
  Loop loop;
  RunLog log(loop, open_file(folder), "this-run");
  // Ten files' worth, in as many minutes as the lines of each let through.
  const std::string domain = "." + std::string(200, 'a') + ".test";
  std::size_t asked = 0;
  for (std::size_t minute = 0; minute < 10 * kLogBytesMax / (kLinesPerMinute * domain.size()); ++minute) {
    for (std::size_t line = 0; line < kLinesPerMinute; ++line)
      log.repeated(refusal_of(std::to_string(++asked) + domain));
    log.write_counts();
  }
  BOOST_TEST(fs::exists(folder.path / "test.jsonl.1"));
  BOOST_TEST(!fs::exists(folder.path / "test.jsonl.2"));
  BOOST_TEST(folder.text("test.jsonl.1").starts_with("{\"run\":\"earlier\"}\n"));
  BOOST_TEST(folder.text("test.jsonl").find("\"run\":\"this-run\",\"event\":\"turned-over\"") != std::string::npos);
  BOOST_TEST(folder.text("test.jsonl").find("\"event\":\"left-out\",\"count\":") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(few_refusals_are_written_each) {
  const Folder folder;
  Loop loop;
  RunLog log(loop, open_file(folder), "this-run");
  for (std::uint64_t turn = 0; turn < kRepeatsWritten; ++turn) log.repeated(refusal_of("a.test"));
  log.write_counts();
  const std::string text = folder.text("test.jsonl");
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == static_cast<std::ptrdiff_t>(kRepeatsWritten));
  BOOST_TEST(text.find("count") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
