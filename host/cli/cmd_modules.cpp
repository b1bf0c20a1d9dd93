// SPDX-License-Identifier: Apache-2.0
//
// modules: every module file, and why one doesn't load.
#include <boost/json.hpp>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "modules/catalogue.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

std::string as_json(const std::vector<ModuleListing>& listings) {
  json::array array;
  for (const auto& listing : listings)
    array.emplace_back(json::object{{"name", listing.id},
                                    {"version", listing.version},
                                    {"sdk", listing.sdk},
                                    {"kind", listing.kind},
                                    {"file", listing.file.native()},
                                    {"loaded", listing.loaded},
                                    {"reason", listing.reason}});
  return canonical_json(array) + "\n";
}

std::string as_text(const ModuleListing& listing) {
  std::string text = shown(listing.id) + " " + shown(listing.version.empty() ? "?" : listing.version) + " (" +
                     (listing.kind.empty() ? "?" : listing.kind) + ", SDK " + (listing.sdk.empty() ? "?" : listing.sdk) + ") ";
  text += listing.loaded ? "loads" : "doesn't load: " + shown(listing.reason);
  return text + "\n    " + shown(listing.file.native()) + "\n";
}

}  // namespace

int modules(const Context& context, const ModulesCommand& command) {
  const auto listings = list_modules(context.module_dirs);
  std::string text;
  if (command.json) text = as_json(listings);
  if (!command.json)
    for (const auto& listing : listings) text += as_text(listing);
  return print(text) ? 0 : kRefused;
}

}  // namespace lnk::host
