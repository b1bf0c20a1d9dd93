// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <utility>

namespace lnk::verb_local {
namespace {

namespace json = boost::json;

Failure wrong(std::string words) { return fail(Code::Invalid, "configuration: " + std::move(words)); }

Result<std::vector<std::uint16_t>> read_ports(const json::array& list) {
  if (list.empty() || list.size() > kPortsMax) return wrong("'ports' has 1 to 64 ports");
  std::vector<std::uint16_t> ports;
  for (const auto& entry : list) {
    const auto* port = entry.if_int64();
    if (port == nullptr || *port < 1 || *port > 65535) return wrong("'ports' holds what is no port");
    const auto number = static_cast<std::uint16_t>(*port);
    if (std::find(ports.begin(), ports.end(), number) != ports.end()) return wrong("'ports' has one twice");
    ports.push_back(number);
  }
  return ports;
}

Result<std::vector<std::string>> read_models(const json::array& list) {
  if (list.size() > kModelsMax) return wrong("'models' has more than 1024 names");
  std::vector<std::string> models;
  for (const auto& entry : list) {
    const auto* text = entry.if_string();
    if (text == nullptr || text->empty() || text->size() > kModelBytesMax)
      return wrong("'models' holds what is no name");
    models.emplace_back(text->data(), text->size());
  }
  return models;
}

}  // namespace

Result<Config> parse_config(std::string_view text) {
  json::error_code error;
  const auto value = json::parse({text.data(), text.size()}, error);
  if (error) return wrong("is no JSON: " + error.message());
  const auto* object = value.if_object();
  const auto* ports = object != nullptr ? object->if_contains("ports") : nullptr;
  const auto* models = object != nullptr ? object->if_contains("models") : nullptr;
  const bool is_whole =
      ports != nullptr && ports->is_array() && models != nullptr && models->is_array() && object->size() == 2;
  if (!is_whole) return wrong("is {\"models\":[…],\"ports\":[…]}");
  Config config;
  LNK_TRY(config.ports, read_ports(ports->as_array()));
  LNK_TRY(config.models, read_models(models->as_array()));
  return config;
}

}  // namespace lnk::verb_local
