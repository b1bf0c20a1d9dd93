// SPDX-License-Identifier: Apache-2.0
#include "lnk/provider/provider.hpp"

#include <algorithm>

namespace lnk::provider {
namespace {

constexpr std::size_t kPartBytesMax = 63;  // one label of a name: RFC 1035, 2.3.1
/// What a person names where a provider's host has no region in it.
constexpr std::string_view kGlobal = "global";
/// Two regions of Vertex are whole continents, and have a host of another shape.
constexpr std::string_view kContinents[] = {"eu", "us"};

bool is_label(std::string_view text) noexcept {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && text.size() <= kPartBytesMax && text.front() != '-' && text.back() != '-' &&
         std::all_of(text.begin(), text.end(), fits);
}

/// "{region}-aiplatform.googleapis.com" as what stands before and behind the braces.
struct Shape {
  std::string_view before;
  std::string_view after;
  bool has_part = false;
};

Shape shape_of(std::string_view host) noexcept {
  const auto begin = host.find('{');
  if (begin == std::string_view::npos) return {host, {}, false};
  return {host.substr(0, begin), host.substr(host.find('}') + 1), true};
}

/// The part in a host of that shape; no host of it: nothing, with `is_of` false.
std::string_view part_in(const Shape& shape, std::string_view host, bool& is_of) noexcept {
  is_of = !shape.has_part && host == shape.before;
  if (!shape.has_part || host.size() <= shape.before.size() + shape.after.size()) return {};
  if (!host.starts_with(shape.before) || !host.ends_with(shape.after)) return {};
  const auto part = host.substr(shape.before.size(), host.size() - shape.before.size() - shape.after.size());
  is_of = is_label(part);
  return is_of ? part : std::string_view();
}

std::string host_with(std::string_view host, std::string_view part) {
  const auto shape = shape_of(host);
  if (!shape.has_part) return std::string(host);
  return std::string(shape.before) + std::string(part) + std::string(shape.after);
}

bool has_global(const Provider& provider) {
  return provider.part == HostPart::Region && !shape_of(provider.hosts.back()).has_part;
}

bool is_continent(std::string_view part) {
  return std::find(std::begin(kContinents), std::end(kContinents), part) != std::end(kContinents);
}

}  // namespace

const Provider* find(std::string_view name) noexcept {
  const auto all = providers();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Provider& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string_view part_name(HostPart part) noexcept {
  switch (part) {
    case HostPart::None: return {};
    case HostPart::Resource: return "resource";
    case HostPart::Region: return "region";
  }
  return {};
}

Result<std::string> host_of(const Provider& provider, std::string_view part) {
  const std::string name(part_name(provider.part));
  if (provider.part == HostPart::None) {
    if (part.empty()) return std::string(provider.hosts.front());
    return fail(Code::Invalid, std::string(provider.name) + " has one host, and no resource or region");
  }
  if (part.empty())
    return fail(Code::Invalid, std::string(provider.name) + " has a host for each " + name + "; name one by --" + name);
  if (is_host_of(provider, part)) return std::string(part);
  if (has_global(provider) && part == kGlobal) return std::string(provider.hosts.back());
  if (is_label(part)) return host_with(provider.hosts[has_global(provider) && is_continent(part) ? 1 : 0], part);
  std::string shapes;
  for (const auto host : provider.hosts) shapes += (shapes.empty() ? "" : ", ") + std::string(host);
  return fail(Code::Invalid, "is no " + name + " of " + std::string(provider.name) +
                                 ": small letters, digits and dashes, or a whole host (" + shapes + ")");
}

bool is_host_of(const Provider& provider, std::string_view host) noexcept {
  return std::any_of(provider.hosts.begin(), provider.hosts.end(), [host](std::string_view one) {
    bool is_of = false;
    part_in(shape_of(one), host, is_of);
    return is_of;
  });
}

std::string_view part_of(const Provider& provider, std::string_view host) noexcept {
  for (const auto one : provider.hosts) {
    bool is_of = false;
    const auto part = part_in(shape_of(one), host, is_of);
    if (!is_of) continue;
    return part.empty() && provider.part == HostPart::Region ? kGlobal : part;
  }
  return {};
}

std::vector<std::string> same_hosts(const Provider& provider, std::string_view host) {
  const auto part = part_of(provider, host);
  std::vector<std::string> all;
  for (const auto one : provider.hosts) all.push_back(host_with(one, part));
  return all;
}

}  // namespace lnk::provider
