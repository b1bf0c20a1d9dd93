// SPDX-License-Identifier: Apache-2.0
//
// The providers of hosted models, as data: where each answers, and the variables by which its clients are told another
// place and a key. The host sets the variables and keeps the keys; the model verb holds a request against the hosts.
//
// May be used by the host, modules and tests; uses nothing but the C++ library.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::provider {

/// The part of a host that a person names when a key is added. Its name stands in the host's template, in braces.
enum class HostPart { None, Resource, Region };

/// A variable that a client reads its base URL from, and the path that it expects below the provider's root there.
struct BaseVariable {
  std::string_view name;
  std::string_view path;  ///< "", or "/v1": no slash at its end
};

struct Provider {
  std::string_view name;
  HostPart part = HostPart::None;
  /// Templates, as "{region}-aiplatform.googleapis.com". The first is the usual one; all answer to the same key.
  std::span<const std::string_view> hosts;
  std::span<const BaseVariable> bases;
  std::span<const std::string_view> keys;      ///< variables that clients read a key from
  std::span<const std::string_view> settings;  ///< variables that hold the part of the host
  /// Variables that a client takes a credential from before those of `keys`, or besides.
  std::span<const std::string_view> others;
  std::string_view date;                       ///< when it was last held against the source
  std::string_view source;
};

[[nodiscard]] std::span<const Provider> providers() noexcept;
/// Null where none is of that name.
[[nodiscard]] const Provider* find(std::string_view name) noexcept;

/// "resource", "region", or "" for a provider whose host has no part.
[[nodiscard]] std::string_view part_name(HostPart part) noexcept;

/// The host that a key goes to. `part` is "" where the provider's host has none; else a name of letters, digits and dashes, or, of a
/// provider with several shapes of host, a whole host of one of them.
/// errors: Invalid, with what is wrong in words
[[nodiscard]] Result<std::string> host_of(const Provider& provider, std::string_view part);

/// Whether a host, in small letters, is of one of the provider's shapes.
[[nodiscard]] bool is_host_of(const Provider& provider, std::string_view host) noexcept;
/// The part that stands in a host of the provider's; "" where it has none.
[[nodiscard]] std::string_view part_of(const Provider& provider, std::string_view host) noexcept;

/// Every host that answers to the key which goes to `host`: the same resource's or region's other shapes too.
[[nodiscard]] std::vector<std::string> same_hosts(const Provider& provider, std::string_view host);

}  // namespace lnk::provider
