// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "resolve/check.hpp"
#include "resolve/resolve.hpp"
#include "spec/spec.hpp"
#include "temporary_folder.hpp"

/// A person's machine in a folder: a home, settings, and a spec beside them.
struct Machine {
  TemporaryFolder root;
  lnk::host::Facts facts;

  Machine() {
    facts.home = root.folder("home");
    facts.home_target = facts.home;
    facts.settings = root.folder("home/.config/link");
    facts.cwd = facts.home;
    facts.own_files = {root.folder("program")};
    root.folder("home/src/app");
    root.folder("home/src/lib");
    root.folder("home/.ssh");
  }

  lnk::host::Checked check_of(const std::string& text, const std::vector<lnk::host::NamedSecret>& secrets = {},
                             const std::vector<lnk::host::NamedKey>& keys = {},
                             const std::vector<lnk::host::NamedTool>& tools = {}) const {
    const auto parsed = lnk::host::parse_spec(text, "spec.toml");
    for (const auto& error : parsed.errors) BOOST_ERROR(error.text());
    return lnk::host::check(lnk::host::resolve({{&parsed.spec, "spec.toml", root.path().native()}}, facts), facts,
                            {secrets, keys, tools}, {});
  }

  void refuses(const std::string& text, const std::string& words) const {
    const auto checked = check_of(text);
    BOOST_TEST(!checked.refusals.empty(), "allowed: " << text);
    for (const auto& refusal : checked.refusals) {
      BOOST_TEST(refusal.starts_with("spec.toml:"), refusal);
      BOOST_TEST(refusal.find(words) != std::string::npos, refusal << " does not say: " << words);
    }
  }

  void allows(const std::string& text) const {
    for (const auto& refusal : check_of(text).refusals) BOOST_ERROR(text << " is refused: " << refusal);
  }
};
