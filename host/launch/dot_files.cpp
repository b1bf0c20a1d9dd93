// SPDX-License-Identifier: Apache-2.0
#include "launch/dot_files.hpp"

#include "environment/environment.hpp"

namespace lnk::host {

Result<DotPlaces> look_for_dot_files(const Grants& grants) {
  auto found = find_dot_places(grants.files, dot_person(grants.home, own_environment()));
  if (found.refusals.empty()) return found;
  std::string words;
  for (const auto& refusal : found.refusals) words += (words.empty() ? "" : "\n") + refusal;
  return fail(Code::Denied, std::move(words));
}

Result<Placeholders> hold_dot_files(const Settings& settings, const Grants& grants) {
  LNK_TRY(const auto found, look_for_dot_files(grants));
  return Placeholders::hold(settings, found.places);
}

}  // namespace lnk::host
