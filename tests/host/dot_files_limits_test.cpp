// SPDX-License-Identifier: Apache-2.0
//
// What a program may have left in a folder to make the next look go on for ever, or be unsayable.
#include <filesystem>
#include <fstream>

#include "dot_files_home.hpp"

namespace {

using namespace lnk::host;

}  // namespace

BOOST_AUTO_TEST_SUITE(dot_files_limits)

BOOST_AUTO_TEST_CASE(what_a_program_left_never_makes_a_look_go_on_and_is_named_with_the_mend) {
  // Each is in a repository that a program made, and that .gitmodules, its to write, names.
  struct Planted : Home {
    Planted() {
      repository("app");
      repository("app/evil");
      folder.file("app/.gitmodules", "[submodule \"x\"]\n\tpath = evil\n");
    }
    void refuses_evil(const std::string& words) const {
      const auto found = find();
      BOOST_REQUIRE_MESSAGE(!found.refusals.empty(), words);
      for (const auto& part : {words, std::string("app/evil"), std::string("write_dot_files"), std::string("take it away")})
        BOOST_TEST(found.refusals.front().find(part) != std::string::npos, found.refusals.front());
      std::filesystem::remove_all(folder / "app/evil");
      holds("app/.git");  // the mend
    }
  };
  const std::string too_much = "took more than any real folder";
  const Planted modules;
  for (int i = 0; i < 16000; ++i) modules.folder.folder("app/evil/.git/modules/" + std::to_string(i % 150) + "/" + std::to_string(i));
  modules.refuses_evil(too_much);
  const Planted settings;
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "[a]b=c\n";
  for (int i = 0; i < 200; ++i) {
    settings.folder.file("app/evil/.git/more" + std::to_string(i), many);
    std::ofstream(settings.folder / "app/evil/.git/config", std::ios::app) << "[include]\n\tpath = more" << i << "\n";
  }
  settings.refuses_evil(too_much);
  const Planted tops;
  for (int i = 0; i < 20; ++i)
    std::ofstream(tops.folder / "app/evil/.git/config", std::ios::app) << "[core]\n\tworktree = /nowhere/" << i << "\n";
  tops.refuses_evil("too many places");
  const Planted links;
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += "160000 1234567890123456789012345678901234567890 0\tlibs/" + std::to_string(i) + "\n";
  links.git("update-index --index-info <'" + links.folder.file("lines", lines) + "'", "app/evil");
  links.refuses_evil(too_much);
  const Planted chain;
  for (int i = 0; i < 12; ++i)
    chain.folder.file("app/evil/.git/" + (i == 0 ? "config" : "c" + std::to_string(i)), "[include]\n\tpath = c" + std::to_string(i + 1) + "\n");
  chain.refuses_evil("deeper than git does");
  const Planted index;
  index.folder.file("app/evil/.git/index", "DIRC and no more, but long enough");
  index.refuses_evil("is not an index");
  const Planted large;
  std::filesystem::resize_file(large.folder.file("app/evil/.git/index"), std::uintmax_t{1} << 40U);
  large.refuses_evil("more than");
  const Planted hooks;
  for (int i = 0; i < 1100; ++i) hooks.folder.file("app/evil/.git/hooks/" + std::to_string(i), "");
  hooks.refuses_evil("more than");
  const Planted ways;
  std::string way;
  for (int i = 0; i < 800; ++i) way += "a/../";
  ways.folder.folder("app/evil/.git/hooks/a");
  for (int i = 0; i < 40; ++i) ways.folder.link("app/evil/.git/hooks/l" + std::to_string(i), way + "l" + std::to_string(i + 1));
  ways.refuses_evil(too_much);
}

BOOST_AUTO_TEST_CASE(names_that_are_no_text_are_refused_in_words) {
  const Home home;
  home.repository("app");
  home.repository("app/\xFFlib");
  home.git("add .");
  const auto found = home.find();
  BOOST_REQUIRE(!found.refusals.empty());
  BOOST_TEST(found.refusals.front().find("UTF-8") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
