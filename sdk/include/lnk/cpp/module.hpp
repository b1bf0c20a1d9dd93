// SPDX-License-Identifier: Apache-2.0
//
// LNK_MODULE(T) makes a module of a class: the note, the tables and the one exported symbol.
//
//   class Clock {
//    public:
//     static constexpr std::string_view kId = "verb-clock";       // as the file's name
//     static constexpr std::string_view kVersion = "1.0.0";
//     static constexpr std::uint16_t kKind = LNK_KIND_VERB;
//     using Interfaces = lnk::Interfaces<lnk::VerbInterface>;     // what it offers
//     static lnk::Status check_config(std::string_view config_json);
//     static lnk::Result<std::unique_ptr<Clock>> create(lnk::Host host, std::string_view config_json);
//     …                                                           // what its interfaces ask for
//   };
//   LNK_MODULE(Clock)
//
// May be left out: kRequires and kUses (as in note.h), kConfigSchema (the JSON Schema of the module's own table in a spec, which
// goes into a note of its own too, so that it is read without running the module), and
//     static lnk::Status probe(lnk::CapabilityReport& report);
//
// Every generated function is noexcept and stands behind the barrier.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>

#include "lnk/abi/module.h"
#include "lnk/abi/note.h"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/cpp/view.hpp"

namespace lnk {

/// The host, as a module sees it. Copies are the same host; it outlives every instance.
class Host {
 public:
  Host() noexcept = default;
  Host(lnk_host* host, const lnk_host_api* api) noexcept : host_(host), api_(api) {}

  /// thread: any
  void log(std::uint32_t level, std::string_view line) const noexcept {
    if (api_ != nullptr && LNK_HAS(api_, log)) api_->log(host_, level, to_str(line));
  }
  /// The host's table, or null. `T` is the struct that the id and major name. thread: any
  template <class T>
  [[nodiscard]] const T* query(std::string_view id, std::uint32_t major) const noexcept {
    if (api_ == nullptr || !LNK_HAS(api_, query)) return nullptr;
    return reinterpret_cast<const T*>(api_->query(host_, to_str(id), major));
  }
  /// thread: any
  [[nodiscard]] bool on_loop_thread() const noexcept {
    return api_ != nullptr && LNK_HAS(api_, on_loop_thread) && api_->on_loop_thread(host_) == 1;
  }

 private:
  lnk_host* host_ = nullptr;
  const lnk_host_api* api_ = nullptr;
};

enum class CapabilityState : std::uint32_t {
  Supported = LNK_SUPPORTED,
  Degraded = LNK_DEGRADED,
  Unsupported = LNK_UNSUPPORTED,
  Unknown = LNK_UNKNOWN
};

/// One capability of the machine, as in probe.h.
struct Capability {
  std::string_view name = {};
  CapabilityState state = CapabilityState::Unknown;
  std::uint32_t level = 0;
  int os_errno = 0;
  std::string_view evidence = {};
  std::string_view mend = {};
};

class CapabilityReport {
 public:
  explicit CapabilityReport(const lnk_capability_sink* sink) noexcept : sink_(sink) {}

  [[nodiscard]] Status add(const Capability& capability) {
    auto record = sized<lnk_capability>();
    record.state = static_cast<std::uint32_t>(capability.state);
    record.name = to_str(capability.name);
    record.level = capability.level;
    record.os_errno = capability.os_errno;
    record.evidence = to_str(capability.evidence);
    record.mend = to_str(capability.mend);
    if (sink_->report(sink_->context, &record) != LNK_OK) return fail(Code::Internal, "the host took no report");
    return {};
  }

 private:
  const lnk_capability_sink* sink_;
};

/// The interfaces of a module. Each has kId, kMajor, State (kept for each instance) and table<T>().
template <class... Interface>
struct Interfaces {
  using States = std::tuple<typename Interface::State...>;

  template <class T>
  [[nodiscard]] static const lnk_iface* find(std::string_view id, std::uint32_t major) noexcept {
    const lnk_iface* found = nullptr;
    ((id == Interface::kId && major == Interface::kMajor ? void(found = Interface::template table<T>()) : void()), ...);
    return found;
  }
};

/// What a class must have to be made a module.
template <class T>
concept Module = requires(Host host, std::string_view config_json) {
  { T::kId } -> std::convertible_to<std::string_view>;
  { T::kVersion } -> std::convertible_to<std::string_view>;
  { T::kKind } -> std::convertible_to<std::uint16_t>;
  typename T::Interfaces::States;
  { T::check_config(config_json) } -> std::same_as<Status>;
  { T::create(host, config_json) } -> std::same_as<Result<std::unique_ptr<T>>>;
};

namespace detail {

/// What an instance's pointer points to: the author's object, and what the layer keeps for each interface.
template <class T>
struct Held {
  std::unique_ptr<T> object;
  typename T::Interfaces::States states;
};

template <class T>
[[nodiscard]] Held<T>& held(lnk_instance* instance) noexcept {
  return *reinterpret_cast<Held<T>*>(instance);
}
template <class T>
[[nodiscard]] T& object_of(lnk_instance* instance) noexcept {
  return *held<T>(instance).object;
}
template <class Interface, class T>
[[nodiscard]] typename Interface::State& state_of(lnk_instance* instance) noexcept {
  return std::get<typename Interface::State>(held<T>(instance).states);
}

template <class T>
lnk_status probe(const lnk_capability_sink* sink, lnk_error* error) noexcept {
  return barrier(error, [&]() -> Status {
    if (sink == nullptr || !LNK_HAS(sink, report)) return fail(Code::Invalid, "probe: no sink");
    if constexpr (requires(CapabilityReport & report) { T::probe(report); }) {
      CapabilityReport report(sink);
      return T::probe(report);
    } else {
      return {};
    }
  });
}

template <class T>
lnk_status check_config(lnk_str config_json, lnk_error* error) noexcept {
  return barrier(error, [&] { return T::check_config(view(config_json)); });
}

template <class T>
lnk_status create(lnk_host* host, const lnk_host_api* api, lnk_str config_json, lnk_instance** out,
                  lnk_error* error) noexcept {
  return barrier(error, [&]() -> Status {
    if (out == nullptr) return fail(Code::Invalid, "create: nowhere to put the instance");
    *out = nullptr;
    auto made = T::create(Host(host, api), view(config_json));
    if (!made) return fail(std::move(made).error());
    auto instance = std::make_unique<Held<T>>();
    instance->object = std::move(made).value();
    *out = reinterpret_cast<lnk_instance*>(instance.release());
    return {};
  });
}

template <class T>
void destroy(lnk_instance* instance) noexcept {
  delete reinterpret_cast<Held<T>*>(instance);
}

template <class T>
const lnk_iface* query(lnk_instance* instance, lnk_str id, std::uint32_t major) noexcept {
  return instance == nullptr ? nullptr : T::Interfaces::template find<T>(view(id), major);
}

template <class T>
[[nodiscard]] constexpr std::string_view requires_of() noexcept {
  if constexpr (requires { T::kRequires; }) {
    return T::kRequires;
  } else {
    return "";
  }
}
template <class T>
[[nodiscard]] constexpr std::string_view uses_of() noexcept {
  if constexpr (requires { T::kUses; }) {
    return T::kUses;
  } else {
    return "";
  }
}
template <class T>
[[nodiscard]] constexpr std::string_view schema_of() noexcept {
  if constexpr (requires { T::kConfigSchema; }) {
    return T::kConfigSchema;
  } else {
    return "";
  }
}

/// The note's bytes, as note.h lays them out.
template <std::size_t TextBytes>
struct NoteBytes {
  std::uint32_t owner_size = 4;
  std::uint32_t description_size = sizeof(lnk_note_head) + TextBytes;
  std::uint32_t type = LNK_NOTE_TYPE;
  std::array<char, 4> owner{'l', 'n', 'k', '\0'};
  lnk_note_head head{};
  std::array<char, TextBytes> texts{};
};

template <class T>
inline constexpr std::size_t kNoteTextBytes =
    std::string_view(T::kId).size() + requires_of<T>().size() + uses_of<T>().size();

template <class T>
[[nodiscard]] consteval NoteBytes<kNoteTextBytes<T>> make_note() {
  constexpr std::string_view kId = T::kId;
  static_assert(!kId.empty() && kId.size() <= LNK_NOTE_TEXT_MAX, "kId is empty or too long");
  static_assert(requires_of<T>().size() <= LNK_NOTE_TEXT_MAX, "kRequires is too long");
  static_assert(uses_of<T>().size() <= LNK_NOTE_TEXT_MAX, "kUses is too long");
  NoteBytes<kNoteTextBytes<T>> note;
  note.head = {LNK_SDK_MAJOR,
               LNK_SDK_MINOR,
               T::kKind,
               static_cast<std::uint16_t>(kId.size()),
               static_cast<std::uint16_t>(requires_of<T>().size()),
               static_cast<std::uint16_t>(uses_of<T>().size())};
  std::size_t at = 0;
  for (const std::string_view text : {kId, requires_of<T>(), uses_of<T>()}) {
    for (const char c : text) note.texts[at++] = c;
  }
  return note;
}

/// The schema note's bytes; of a module without a schema nothing, for an empty text would be one that takes any table.
template <std::size_t TextBytes>
struct SchemaNoteBytes {
  std::uint32_t owner_size = 4;
  std::uint32_t description_size = TextBytes;
  std::uint32_t type = LNK_NOTE_SCHEMA_TYPE;
  std::array<char, 4> owner{'l', 'n', 'k', '\0'};
  std::array<char, TextBytes> text{};
};

template <class T>
struct NotesWithSchema {
  NoteBytes<kNoteTextBytes<T>> note = {};
  SchemaNoteBytes<schema_of<T>().size()> schema = {};
};

template <class T>
[[nodiscard]] consteval auto make_notes() {
  constexpr std::string_view kSchema = schema_of<T>();
  static_assert(kSchema.size() <= LNK_NOTE_SCHEMA_MAX, "kConfigSchema is too long");
  if constexpr (kSchema.empty()) {
    return make_note<T>();
  } else {
    NotesWithSchema<T> notes;
    notes.note = make_note<T>();
    std::size_t at = 0;
    for (const char c : kSchema) notes.schema.text[at++] = c;
    return notes;
  }
}

template <Module T>
[[nodiscard]] consteval lnk_module_api make_api() {
  return {{sizeof(lnk_module_api), LNK_SDK_MAJOR, LNK_SDK_MINOR},
          to_str(T::kId),
          to_str(T::kVersion),
          &probe<T>,
          &check_config<T>,
          &create<T>,
          &destroy<T>,
          &query<T>,
          to_str(schema_of<T>())};
}

}  // namespace detail
}  // namespace lnk

/// Once in a module, in the global namespace.
#define LNK_MODULE(T) \
  LNK_MODULE_NOTE(T)  \
  extern "C" LNK_EXPORT constinit const lnk_module_api LNK_MODULE_SYMBOL = ::lnk::detail::make_api<T>();

// A static module stands in a program, which has no note of its own.
#if defined(LNK_STATIC_ID)
#define LNK_MODULE_NOTE(T)
#else
#define LNK_MODULE_NOTE(T)                                                                                   \
  static constinit const auto lnk_module_note __attribute__((section(LNK_NOTE_SECTION), used, aligned(4))) = \
      ::lnk::detail::make_notes<T>();
#endif
