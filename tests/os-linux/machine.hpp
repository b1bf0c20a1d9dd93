// SPDX-License-Identifier: Apache-2.0
//
// A machine and a snapshot as values, so that plans are made without looking at either.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace lnk::test {

inline os_linux::Survey debian() {
  os_linux::Survey survey;
  survey.uid = 1000;
  survey.bubblewrap = {"/usr/bin/bwrap", {1, 2, 3}, true, "", ""};
  survey.landlock = {7, 0xffff, 3};
  survey.has_seccomp = true;
  survey.system_folders = {"/usr", "/etc", "/opt"};
  survey.links = {
      {"/bin", "usr/bin"}, {"/lib", "usr/lib"}, {"/lib64", "usr/lib64"}, {"/sbin", "usr/sbin"}, {"/var/run", "/run"}};
  survey.closed = {{"/etc/ssl/private", true}, {"/etc/vpn.key", false}};
  survey.proc_read_only = {"/proc/pressure", "/proc/sys"};
  survey.resolver_file = "/run/systemd/resolve/stub-resolv.conf";
  return survey;
}

inline os_linux::FileGrant grant(os_linux::Access access, const std::string& path, const std::string& target = {}) {
  return {access, path, target.empty() ? path : target, os_linux::FileKind::Folder, false};
}

inline os_linux::Snapshot snapshot_of(std::vector<os_linux::FileGrant> files) {
  os_linux::Snapshot snapshot;
  snapshot.home = "/home/u";
  snapshot.files = std::move(files);
  snapshot.closed = {"/home/u/.config/link"};
  return snapshot;
}

inline std::string text_of(const os_linux::Plan& plan) {
  std::string text;
  std::size_t number = 0;
  for (const auto& step : plan.steps)
    text += std::to_string(++number) + " " + step_kind(step) + ": " + step_words(plan, step) + "\n";
  for (const auto& held : plan.holdings)
    text += held.grant + ": " + (held.state == os_linux::HeldState::Held ? "held" : "weaker: " + held.words) + "\n";
  return text;
}

}  // namespace lnk::test
