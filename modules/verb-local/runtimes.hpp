// SPDX-License-Identifier: Apache-2.0
//
// Local runtimes as data: what of each is inference or a harmless read, and what is neither. A spec names a port and no
// runtime, so what passes is what any of them has as inference or read, less what any of them has as something else.
// Pure: names in, a word out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lnk::verb_local {

/// A method and a path without its first slash. In a path that passes `{model}` is one part that names a model. In one
/// that is refused a * at the end is any text, and the method may be * too.
struct Endpoint {
  std::string_view method;
  std::string_view path;
};

struct Runtime {
  std::string_view name;
  std::uint16_t port;       ///< its usual one, for people
  std::string_view source;  ///< what the rows were read of
  std::string_view date;    ///< when
  std::span<const Endpoint> inference;
  std::span<const Endpoint> reads;
  std::span<const Endpoint> refused;  ///< what looks after the runtime: models, files, adapters, tools, other processes
};

[[nodiscard]] std::span<const Runtime> runtimes() noexcept;

enum class Use : std::uint8_t { None, Read, Inference };

/// What a request of this method and plain path is for.
[[nodiscard]] Use use_of(std::string_view method, std::string_view path) noexcept;

/// Whether some runtime has it as something else; in any case of its letters, as servers fold them.
[[nodiscard]] bool is_refused(std::string_view method, std::string_view path) noexcept;

}  // namespace lnk::verb_local
