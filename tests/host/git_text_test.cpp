// SPDX-License-Identifier: Apache-2.0
//
// Held against git itself: for each text `git config --list` is asked what it reads.
#include "dot_files/git_text.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>

#include "temporary_folder.hpp"

namespace {

using namespace lnk::host;

std::string listed(const GitText& text) {
  std::string out;
  for (const auto& setting : text.settings) {
    out += setting.key;
    if (setting.value) out += "\n" + *setting.value;
    out += '\0';
  }
  return out;
}

struct GitAnswer {
  std::string listed;
  bool is_whole = false;
};

GitAnswer ask_git(const std::filesystem::path& file) {
  const std::string command = "git config --no-includes --list -z --file '" + file.native() + "' 2>'" + file.native() + ".said'";
  FILE* git = ::popen(command.c_str(), "r");
  BOOST_REQUIRE(git != nullptr);
  GitAnswer answer;
  char bytes[4096];
  while (const std::size_t got = std::fread(bytes, 1, sizeof bytes, git)) answer.listed.append(bytes, got);
  answer.is_whole = ::pclose(git) == 0;
  return answer;
}

class Asked {
 public:
  void hold(const std::string& text) const {
    const auto file = folder_.path() / "config";
    std::ofstream(file, std::ios::binary) << text;
    const auto git = ask_git(file);
    const auto ours = read_git_text(text);
    BOOST_TEST_CONTEXT("text: " << text) {
      BOOST_TEST(ours.is_whole == git.is_whole);
      const auto seen = listed(ours);
      // Of a broken text git prints nothing, or what came before the fault.
      if (git.is_whole)
        BOOST_TEST(seen == git.listed);
      else
        BOOST_TEST(seen.starts_with(git.listed));
    }
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(git_text)

BOOST_AUTO_TEST_CASE(git_reads_odd_texts_the_same) {
  const Asked asked;
  for (const std::string text : {
           "", "\n\n", "[core]\n\thooksPath = .githooks\n", "[core] hookspath=a # b\n", "[Core]HOOKSPATH = \"a b\" c\n",
           "\xEF\xBB\xBF[a]\nb = c\n", "[a]\r\nb = c\r\n", "[a]\nb = c\\\r\n  d\r\n", "[a]\nb = c\rd\n", "[a \"B.C\"]\nd = e\n",
           "[a.B.C]\nd = e\n", "[a \"x\\\"y\\\\z\\q\"]\nd\n", "[a]\nb = \"x # y\" ; z\n", "[a]\nb = x\\ty\\nz\\bw\\\\v\\\"u\n",
           "[a]\nb =\n", "[a]\nb = \n", "[a]\nb\n", "[a]\nb=", "[a]\nb", "[a]\n  b   =   c   d   \n", "[a]\nb=c\\\n", "[a]\nb=c\\",
           "[a]b=c[d]\ne=f\n", "[a]\n[b]\nc=d\n", "# x\n; y\n[a] # z\nb=c\n", "[a-b1]\nc-d1 = e\n", "[1a]\nb=c\n",
           "[include]\n\tpath = ../x\n[includeIf \"gitdir:~/a/\"]\n\tpath = \"~/b c\"\n", "[a \"\"]\nb=c\n", "[a]\nb = '\"'\"'\n",
           "[a]\nb = \"\n", "[a]\nb = \"c\nd\"\n", "[a]\nb = \"c\\\nd\"\n", "[a \"b\nc\"]\nd=e\n", "[a \"b\\\nc\"]\nd=e\n", "[a\n]\nb=c\n",
           "[a \"b\" ]\nc=d\n", "[a b]\nc=d\n", "[a\"b\"]\nc=d\n", "[]\nb=c\n", "[a]\n1b=c\n", "[a]\nb_c=d\n", "[a]\nb = \\x\n",
           "[a]\nb c = d\n", "[a]\n= d\n", "[a", "[a]\n\tb\t\t=\tc\t\n", "[a]\nb = c\n\tc = d\n", "[a.]\nb=c\n", "[.a]\nb=c\n",
           "[a]\nb = c;d\n", "[a]\nb = c ;d\"\n", "[a]\nb = #\n", "[a]\nb = \"#\"\n", "[a]\nb = \\\n\\\nc\n", "[a]\n\vb = c\n",
           "[a]\nb = \xC3\xA9\xFF\n", "[a]\n\xFF = c\n", "[a]b", "[a]\nb = c # \"\n[d]\ne\n", "[a]\nb = d\\\n# e\n",
       })
    asked.hold(text);
}

BOOST_AUTO_TEST_CASE(git_reads_random_texts_the_same) {
  const Asked asked;
  constexpr const char* kPieces[] = {"[a]", "[b \"C\"]", "[d.E]", "\n", "\n", "\n", "\r\n", " ", "\t", "k", "k2", "=", "=", " = ", "\"", "\"",
                                     "\\", "\\n", "\\\\", "\\\n", "#", ";", "value", "x y", "[", "]", "-", ".", "\xEF\xBB\xBF", "\r"};
  std::mt19937 random(20230517);  // the same texts each time
  for (int round = 0; round < 300; ++round) {
    std::string text = round % 2 == 0 ? "[a]\n" : "";
    for (auto left = random() % 20; left > 0; --left) text += kPieces[random() % std::size(kPieces)];
    asked.hold(text);
  }
}

BOOST_AUTO_TEST_CASE(what_stands_before_and_after_a_fault_is_read) {
  const auto text = read_git_text("[core]\nhooksPath = first\n!\n[core]\nhooksPath = second\n");
  BOOST_TEST(!text.is_whole);
  BOOST_REQUIRE(text.settings.size() == 2);
  BOOST_TEST(*text.settings[0].value == "first");
  BOOST_TEST(*text.settings[1].value == "second");
}

BOOST_AUTO_TEST_CASE(a_key_is_told_with_and_without_a_subsection) {
  BOOST_TEST(is_git_key("include.path", "include", "path"));
  BOOST_TEST(is_git_key("includeif.gitdir:~/x.y/.path", "includeif", "path"));
  BOOST_TEST(!is_git_key("includeif.gitdir:~/x.y/.path", "include", "path"));
  BOOST_TEST(!is_git_key("include.xpath", "include", "path"));
  BOOST_TEST(!is_git_key("path", "include", "path"));
}

BOOST_AUTO_TEST_SUITE_END()
