// SPDX-License-Identifier: Apache-2.0
#include "values.hpp"

#include <algorithm>
#include <array>

#include "model_names.hpp"

namespace lnk::verb_local {
namespace {

constexpr std::size_t kShownPathBytesMax = 160;
constexpr std::size_t kShownKeyBytesMax = 40;

enum class Why : std::uint8_t { Besides, Kept, Tool, Url };

struct RefusedName {
  std::string_view name;
  Why why;
};

/// Members by which a runtime is told to use a file, an adapter, a template, code, a service or a server; or by which
/// it fetches, calls back or goes on from what it kept. They are told in words, where what is only unknown is left out.
constexpr auto kRefusedNames = std::to_array<RefusedName>({
    {"adapter", Why::Besides},
    {"adapter_id", Why::Besides},
    {"adapters", Why::Besides},
    {"agent", Why::Besides},
    {"agent_id", Why::Besides},
    {"bootstrap_host", Why::Besides},
    {"bootstrap_port", Why::Besides},
    {"bootstrap_room", Why::Besides},
    {"chat_template", Why::Besides},
    {"chat_template_kwargs", Why::Besides},
    {"custom_logit_processor", Why::Besides},
    {"custom_params", Why::Besides},
    {"draft", Why::Besides},
    {"draft_model", Why::Besides},
    {"fallbacks", Why::Besides},
    {"kv_transfer_params", Why::Besides},
    {"logits_processors", Why::Besides},
    {"lora", Why::Besides},
    {"lora_adapters", Why::Besides},
    {"lora_id", Why::Besides},
    {"lora_path", Why::Besides},
    {"media_io_kwargs", Why::Besides},
    {"mm_processor_kwargs", Why::Besides},
    {"models", Why::Besides},
    {"presets", Why::Besides},
    {"speculative_model", Why::Besides},
    {"template", Why::Besides},
    {"background", Why::Kept},
    {"conversation", Why::Kept},
    {"previous_response_id", Why::Kept},
    {"thread", Why::Kept},
    {"container", Why::Tool},
    {"integrations", Why::Tool},
    {"mcp", Why::Tool},
    {"mcp_servers", Why::Tool},
    {"plugins", Why::Tool},
    {"search_parameters", Why::Tool},
    {"tool_resources", Why::Tool},
    {"tool_server", Why::Tool},
    {"tools", Why::Tool},
    {"web_search_options", Why::Tool},
    {"audio_data", Why::Url},
    {"audio_url", Why::Url},
    {"callback_url", Why::Url},
    {"document_url", Why::Url},
    {"file_url", Why::Url},
    {"image_data", Why::Url},
    {"image_url", Why::Url},
    {"image_urls", Why::Url},
    {"images", Why::Url},
    {"notification_url", Why::Url},
    {"server_url", Why::Url},
    {"video_data", Why::Url},
    {"video_url", Why::Url},
    {"webhook", Why::Url},
    {"webhook_config", Why::Url},
    {"webhook_url", Why::Url},
});

const RefusedName* refused_name(std::string_view name) noexcept {
  const auto found =
      std::find_if(kRefusedNames.begin(), kRefusedNames.end(), [name](const auto& one) { return one.name == name; });
  return found == kRefusedNames.end() ? nullptr : found;
}

/// Asks for nothing, as clients write what they leave out.
bool is_nothing(const Value& value) noexcept {
  if (value.is_null() || value.kind() == jsonfilter::Kind::False) return true;
  if (value.is_string()) return value.text().empty();
  return !value.is_scalar() && value.items().empty();
}

bool is_shown_key(std::string_view key) noexcept {
  return key.size() <= kShownKeyBytesMax && std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                  c == '$';
         });
}

void append_path(std::string& out, const Place& place) {
  if (place.above == nullptr) return;  // the body itself
  append_path(out, *place.above);
  if (out.size() > kShownPathBytesMax) return;
  if (place.key.empty()) {
    out += '[' + std::to_string(place.index) + ']';
    return;
  }
  if (!out.empty()) out += '.';
  out += is_shown_key(place.key) ? place.key : std::string_view("?");
}

std::string path_of(const Place& place) {
  std::string out;
  append_path(out, place);
  return out;
}

bool refuse(Filter& filter, std::string_view reason, std::string words) {
  filter.denial = Denial{403, reason, std::move(words)};
  return false;
}

bool refuse_named(Filter& filter, const Place& place, Why why) {
  switch (why) {
    case Why::Tool:
      return refuse_tool(filter, place);
    case Why::Url:
      return refuse_url(filter, place);
    case Why::Kept:
      return refuse(filter, "not-inference",
                    path_of(place) + " is of what the runtime keeps between requests; send the whole request instead");
    case Why::Besides:
      break;
  }
  return refuse(filter, "not-inference",
                path_of(place) +
                    " has the runtime use more than the model and the request (a file, an adapter, a template, another "
                    "model or service); leave it out");
}

bool has_data_scheme(std::string_view text) noexcept { return text.starts_with("data:"); }

/// One that begins with a slash is a picture in JPEG, and no file's name.
bool is_base64(std::string_view text) noexcept {
  if (text.starts_with('/') && !text.starts_with("/9j/")) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("+/-_=\r\n").find(c) != std::string_view::npos;
  });
}

/// As readers of URLs take it: blanks and control characters in front count for nothing (WHATWG URL, 4.4).
bool is_url(std::string_view text) noexcept {
  const auto is_passed_over = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_passed_over(text.front())) text.remove_prefix(1);
  const auto is_scheme = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
  };
  const auto end = std::find_if_not(text.begin(), text.end(), is_scheme);
  return end != text.begin() && std::string_view(end, text.end()).starts_with("://");
}

bool is_reference(std::string_view key) noexcept {
  return key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef";
}

template <class CheckText>
bool each_text(Filter& filter, Value& value, const Place& place, CheckText fits) {
  if (value.is_null()) return true;
  if (value.is_string()) return fits(value.text()) || refuse_url(filter, place);
  if (!value.is_array()) return refuse_form(filter, place);
  std::size_t at = 0;
  for (Item& item : value.items())
    if (!each_text(filter, item.value, Place{&place, {}, at++}, fits)) return false;
  return true;
}

bool is_simple(const Value& value, int depth) noexcept {
  if (value.is_scalar()) return true;
  if (!value.is_array() || depth == 0) return false;
  const auto items = value.items();
  return std::all_of(items.begin(), items.end(),
                     [depth](const Item& item) { return is_simple(item.value, depth - 1); });
}

}  // namespace

bool refuse_form(Filter& filter, const Place& place) {
  return refuse(filter, "not-inference", path_of(place) + " is of a type or form that is not known here; leave it out");
}

bool refuse_url(Filter& filter, const Place& place) {
  return refuse(filter, "url-refused",
                path_of(place) +
                    " is for the runtime to fetch or call; send what it names within the request, as a data: URL, or "
                    "leave it out");
}

bool refuse_tool(Filter& filter, const Place& place) {
  return refuse(filter, "tool-refused",
                path_of(place) +
                    " is a tool that the runtime would run; only those pass that the program runs itself, "
                    "as of type function");
}

bool keep(Filter&, Value&, const Place&) { return true; }

bool simple(Filter& filter, Value& value, const Place& place) {
  constexpr int kListsDeep = 2;
  return is_simple(value, kListsDeep) || refuse_form(filter, place);
}

bool settings(Filter& filter, Value& value, const Place& place) {
  if (value.is_string() && is_url(value.text())) return refuse_url(filter, place);
  std::size_t at = 0;
  for (Item& item : value.items()) {
    const Place below{&place, item.key, at++};
    const auto* named = refused_name(item.key);
    if (named != nullptr && !is_nothing(item.value)) return refuse_named(filter, below, named->why);
    if (!settings(filter, item.value, below)) return false;
  }
  value.erase_if([](const Item& item) { return refused_name(item.key) != nullptr; });
  return true;
}

bool schema(Filter& filter, Value& value, const Place& place) {
  std::size_t at = 0;
  for (Item& item : value.items()) {
    const Place below{&place, item.key, at++};
    const bool leads_out = is_reference(item.key) && item.value.is_string() && !item.value.text().starts_with('#');
    if (leads_out) return refuse_url(filter, below);
    if (!schema(filter, item.value, below)) return false;
  }
  return true;
}

bool model(Filter& filter, Value& value, const Place& place) {
  if (value.is_null()) return true;
  if (!value.is_string()) return refuse_form(filter, place);
  const auto fault = model_fault(filter.models, value.text());
  return fault.empty() || refuse(filter, "not-inference", path_of(place) + ": " + fault);
}

bool data_url(Filter& filter, Value& value, const Place& place) {
  if (value.is_null()) return true;
  if (!value.is_string()) return refuse_form(filter, place);
  return has_data_scheme(value.text()) || refuse_url(filter, place);
}

bool media(Filter& filter, Value& value, const Place& place) {
  static constexpr std::array<Member, 3> kMedia = {{{"detail", simple}, {"format", simple}, {"url", data_url}}};
  return value.is_object() ? members(filter, value, place, kMedia) : data_url(filter, value, place);
}

bool inline_data(Filter& filter, Value& value, const Place& place) {
  return each_text(filter, value, place,
                   [](std::string_view text) { return has_data_scheme(text) || is_base64(text); });
}

bool data_urls(Filter& filter, Value& value, const Place& place) {
  return each_text(filter, value, place, has_data_scheme);
}

bool members(Filter& filter, Value& value, const Place& place, std::span<const Member> known) {
  if (!value.is_object()) return refuse_form(filter, place);
  const auto find = [known](std::string_view name) {
    const auto at = std::lower_bound(known.begin(), known.end(), name,
                                     [](const Member& one, std::string_view key) { return one.name < key; });
    return at != known.end() && at->name == name ? &*at : nullptr;
  };
  for (Item& item : value.items()) {
    const Place below{&place, item.key, 0};
    if (const auto* member = find(item.key)) {
      if (!member->check(filter, item.value, below)) return false;
    } else if (const auto* named = refused_name(item.key); named != nullptr && !is_nothing(item.value)) {
      return refuse_named(filter, below, named->why);
    }
  }
  value.erase_if([&find](const Item& item) { return find(item.key) == nullptr; });
  return true;
}

}  // namespace lnk::verb_local
