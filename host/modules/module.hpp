// SPDX-License-Identifier: Apache-2.0
//
// A module file that is loaded. A module is code with the host's rights: nothing here confines it, all of it keeps out
// what is not a module, not for this host, not for this machine, or may be changed by others.
//
// The steps of `load`, each with an error of its own: trust of the path, hash, note, name, what the machine must have,
// the library, its symbol, its table. Then, by Instance: check_config, create. A library is never unloaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/module.h"
#include "lnk/cpp/result.hpp"
#include "modules/gate.hpp"
#include "modules/note.hpp"

namespace lnk::host {

/// What the caller knows of the file already.
struct LoadOptions {
  std::string sha256 = {};  ///< expected; empty: none is
  /// The file's stamp when it last had that hash. Where it still has it, its bytes are not read again to hash them.
  std::string stamp = {};
  /// What probes told of the machine; none: the note's requirements were checked by who chose this module.
  std::optional<std::span<const MachineCapability>> machine = std::nullopt;
};

class Module {
 public:
  /// errors: Denied (not trusted), Gone (not there, or no longer of that hash), Invalid, Unsupported.
  [[nodiscard]] static Result<Module> load(const std::filesystem::path& file, const LoadOptions& options = {});

  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  [[nodiscard]] const Note& note() const noexcept { return note_; }
  [[nodiscard]] std::string_view id() const noexcept { return note_.id; }
  [[nodiscard]] std::string_view version() const noexcept;
  [[nodiscard]] std::string_view config_schema() const noexcept;
  /// Device, inode, size and times of the file that was loaded: changes with any change of its bytes.
  [[nodiscard]] const std::string& stamp() const noexcept { return stamp_; }
  [[nodiscard]] const lnk_module_api& api() const noexcept { return *api_; }

  /// Has the module try the machine. May take milliseconds. thread: loop
  [[nodiscard]] Result<std::vector<MachineCapability>> probe() const;

 private:
  Module(std::filesystem::path file, Note note, std::string stamp, const lnk_module_api* api)
      : file_(std::move(file)), note_(std::move(note)), stamp_(std::move(stamp)), api_(api) {}

  std::filesystem::path file_;
  Note note_;
  std::string stamp_;
  const lnk_module_api* api_;  ///< in the library's static memory
};

/// The stamp that Module::stamp() would tell of a file: device, inode, size and times. The change time is the kernel's,
/// so that no write goes unseen, not even one that sets the other times back (inode(7)). errors: Gone.
[[nodiscard]] Result<std::string> file_stamp(const std::filesystem::path& file);

/// Pure: whether a table is one of this SDK and of the module that the note names. errors: Invalid, Unsupported.
[[nodiscard]] Result<void> check_table(const lnk_module_api& api, const Note& note);

}  // namespace lnk::host
