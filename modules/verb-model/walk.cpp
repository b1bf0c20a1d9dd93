// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <algorithm>

namespace lnk::verb_model {
namespace {

using jsonfilter::Item;
using jsonfilter::Kind;
using jsonfilter::Value;

constexpr std::size_t kShownPathBytesMax = 160;
/// Each is held against each pattern. Batches of embeddings name one each, and are of 100.
constexpr std::size_t kModelsMax = 1024;
const std::map<std::string, Member, std::less<>> kNoMembers;

bool is_ascii(std::string_view key) noexcept {
  return std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

std::optional<Denial> Walk::run(int shape) {
  const auto& root = shapes_.shape(shape);
  const Place place;
  const bool is_kept = take_object(document_.root(), root, place);
  if (denial_) return std::move(denial_);
  if (!is_kept) return Denial{400, "bad-body", "the body has nothing that is asked of a model here"};
  if (root.needs_model) {
    const auto* model = document_.root().find("model");
    if (model == nullptr || !model->is_string()) return Denial{400, "bad-body", "the body names no model"};
  }
  return std::nullopt;
}

bool Walk::refuse(Denial denial) {
  if (!denial_) denial_ = std::move(denial);
  return false;
}

std::string Walk::path_of(const Place& place) {
  std::string text;
  for (const auto* at = &place; at != nullptr && at->up != nullptr; at = at->up) {
    const auto part = at->key.empty() ? '[' + std::to_string(at->index) + ']' : std::string(at->key);
    const bool joins = !text.empty() && text.front() != '[';
    text.insert(0, part + (joins ? "." : ""));
  }
  if (text.size() > kShownPathBytesMax) text = "..." + text.substr(text.size() - kShownPathBytesMax);
  return text;
}

bool Walk::take(Value& value, const Type& type, const Place& place) {
  if (denial_) return false;
  if (value.is_null()) return type.scalar != ScalarUse::False;
  if (type.scalar == ScalarUse::Server) return policy_.server_tools;
  if (type.scalar == ScalarUse::State) {
    if (value.kind() == Kind::False) return true;
    return refuse({403, "not-inference",
                   path_of(place) + " is of what the provider keeps for its key (files, conversations, prompts, runs), "
                                    "which a sandbox doesn't reach; send the content itself"});
  }
  if (value.is_array()) return type.array == kAny || (type.array != kGoes && take_array(value, shapes_.type(type.array), place));
  if (value.is_object()) {
    if (type.object == kAny) return true;
    if (type.map != kGoes) return take_map(value, type.map, place);
    return type.object != kGoes && take_object(value, shapes_.shape(type.object), place);
  }
  return take_scalar(value, type, place);
}

bool Walk::take_scalar(const Value& value, const Type& type, const Place& place) {
  const auto text = value.text();
  switch (type.scalar) {
    case ScalarUse::Kept:
      return true;
    case ScalarUse::Text:
      return value.is_string() && std::find(type.texts.begin(), type.texts.end(), text) != type.texts.end();
    case ScalarUse::Beta:
      return value.is_string() && (policy_.server_tools || is_plain_beta(text));
    case ScalarUse::Model: {
      if (!value.is_string()) return false;
      if (++models_ > kModelsMax)
        return refuse({400, "bad-body", "the body names more than " + std::to_string(kModelsMax) + " models"});
      auto denial = refuse_model(policy_, text, path_of(place));
      return !denial || refuse(std::move(*denial));
    }
    case ScalarUse::Url:
    case ScalarUse::Inline: {
      if (!value.is_string()) return false;
      // Schemes fold and blanks are trimmed by those who fetch: nothing but the exact beginning is known.
      const bool may_be_bytes = type.scalar == ScalarUse::Inline && text.find(':') == std::string_view::npos;
      const bool is_inline = may_be_bytes || text.starts_with("data:");
      if (is_inline || policy_.any_host) return true;
      return refuse({403, "url-refused",
                     path_of(place) + " has the provider fetch a URL, past this sandbox's hosts; trying again won't help. "
                                      "Send the content itself (a data: URL), or allow every host in the sandbox's spec."});
    }
    default:
      return false;
  }
}

bool Walk::take_array(Value& value, const Type& type, const Place& place) {
  const bool was_empty = value.items().empty();
  std::size_t index = 0;
  value.erase_if([&](Item& item) {
    const Place inner{&place, {}, index++};
    return item.value.is_null() || !take(item.value, type, inner);
  });
  return was_empty || !value.items().empty();
}

bool Walk::take_map(Value& value, int type, const Place& place) {
  const Place inner{&place, "*", 0};
  value.erase_if([&](Item& item) { return !take(item.value, shapes_.type(type), inner); });
  return true;
}

bool Walk::take_object(Value& value, const Shape& shape, const Place& place) {
  const bool is_kept = shape.tag.empty() ? take_members(value, shape, place, {}) : take_union(value, shape, place);
  if (shape.is_tools && !denial_) {
    if (is_kept) note_tool(value);
    removed_tools_ = removed_tools_ || !is_kept;
  }
  return is_kept;
}

bool Walk::take_union(Value& value, const Shape& shape, const Place& place) {
  const auto* tag = value.find(shape.tag);
  if (tag != nullptr && !tag->is_null() && !tag->is_string()) return false;
  const auto text = tag == nullptr || tag->is_null() ? std::string_view("-") : tag->text();
  const auto variant = shape.variants.find(text);
  // "-" is no tag's text.
  if (variant == shape.variants.end() || (text == "-" && tag != nullptr && tag->is_string())) return policy_.server_tools;
  return take_members(value, shapes_.shape(variant->second), place, shape.tag);
}

bool Walk::take_members(Value& value, const Shape& shape, const Place& place, std::string_view tag) {
  const bool was_empty = value.items().empty();
  // Which members are there matters where one is needed, or has two spellings; most objects are of neither kind.
  std::vector<bool> seen(shape.has_needed || shape.is_proto ? static_cast<std::size_t>(shape.member_count) : 0);
  value.erase_if([&](Item& item) {
    const bool is_tag = !tag.empty() && item.key == tag;
    return !is_tag && !take_member(item, shape, place, seen);
  });
  if (denial_) return false;
  if (shape.has_forced) force_members(value, shape);
  // What is missing would make it the provider's to run, which the spec then allows.
  for (const auto& [name, member] : shape.has_needed ? shape.members : kNoMembers) {
    const bool is_wanted = member.is_always_needed || (member.is_needed && !policy_.server_tools);
    if (is_wanted && !seen[static_cast<std::size_t>(member.number)]) return false;
  }
  return !shape.is_keyed || was_empty || !value.items().empty();
}

bool Walk::take_member(Item& item, const Shape& shape, const Place& place, std::vector<bool>& seen) {
  if (denial_) return false;
  const auto found = shape.members.find(item.key);
  if (found == shape.members.end()) return policy_.server_tools && !is_near(shape, item.key);
  const auto number = static_cast<std::size_t>(found->second.number);
  if (!seen.empty() && seen[number]) return refuse({400, "bad-body", path_of(place) + " has one member in two spellings: " + found->first});
  const Place inner{&place, found->first, 0};
  if (!take(item.value, shapes_.type(found->second.type), inner)) return false;
  if (!seen.empty()) seen[number] = !found->second.is_needed || !item.value.is_null();
  return true;
}

void Walk::force_members(Value& value, const Shape& shape) {
  for (const auto& [name, member] : shape.members)
    if (shapes_.type(member.type).scalar == ScalarUse::False) document_.set(value, name, Value::boolean(false));
}

/// A name that a lax reader would take for one of the shape's.
bool Walk::is_near(const Shape& shape, std::string_view key) const {
  if (!is_ascii(key)) return true;
  return shape.lax_names.contains(lax_name(key));
}

void Walk::note_tool(const Value& value) {
  const auto note = [this](const Value* text) {
    if (text != nullptr && text->is_string()) kept_tools_.push_back(text->text());
  };
  note(value.find("name"));
  note(value.find("type"));
  for (const auto* inner : {"function", "custom", "toolSpec"})
    if (const auto* definition = value.find(inner)) note(definition->find("name"));
}

}  // namespace lnk::verb_model
