// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "dot_files/find.hpp"
#include "temporary_folder.hpp"

namespace lnk::host {

/// A person's home with a folder `app` in it that is written.
struct Home {
  TemporaryFolder folder;
  std::string app = folder.folder("app");
  std::vector<GrantedFile> files = {written("app")};
  std::string shared = folder.path().native();

  [[nodiscard]] GrantedFile written(const std::string& name, bool open = false) const {
    return {Access::Write, folder / name, folder / name, FileKind::Folder, false, open};
  }

  /// git, with no settings but those of the home.
  void git(const std::string& arguments, const std::string& in = "app") const {
    const std::string command = "cd '" + folder.folder(in) + "' && HOME='" + folder.path().native() +
                                "' GIT_CONFIG_NOSYSTEM=1 git -c user.name=n -c user.email=e@x.test -c protocol.file.allow=always " + arguments + " >'" +
                                (folder / "said") + "' 2>&1";
    BOOST_REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command);
  }
  void repository(const std::string& name) const {
    git("init -q", name);
    git("commit -q --allow-empty -m first", name);
  }

  [[nodiscard]] DotPlaces find() const {
    DotPerson person;
    person.git = {folder.path().native(), folder / ".config", {folder / ".gitconfig"}};
    person.shared = {shared};
    return find_dot_places(files, person);
  }

  /// The places below the home: a missing one with a ? at its end.
  [[nodiscard]] std::vector<std::string> held() const {
    const auto found = find();
    BOOST_TEST(found.refusals.empty());
    for (const auto& refusal : found.refusals) BOOST_TEST_MESSAGE(refusal);
    std::vector<std::string> names;
    for (const auto& place : found.places)
      names.push_back(place.path.substr(folder.path().native().size() + 1) + (place.is_missing ? "?" : ""));
    return names;
  }

  void holds(const std::string& name) const {
    const auto names = held();
    BOOST_TEST_CONTEXT("held: " << names) BOOST_TEST((std::find(names.begin(), names.end(), name) != names.end()), name);
  }
  void holds_not(const std::string& name) const {
    const auto names = held();
    BOOST_TEST((std::find(names.begin(), names.end(), name) == names.end()), name);
  }
  void refuses(const std::string& words) const {
    const auto found = find();
    BOOST_REQUIRE_MESSAGE(!found.refusals.empty(), words);
    BOOST_TEST(found.refusals.front().find(words) != std::string::npos, found.refusals.front());
    BOOST_TEST(found.refusals.front().find("write_dot_files") != std::string::npos, found.refusals.front());
  }
};

}  // namespace lnk::host

namespace std {
inline ostream& operator<<(ostream& out, const vector<string>& names) {
  for (const auto& name : names) out << name << ' ';
  return out;
}
}  // namespace std
