// SPDX-License-Identifier: Apache-2.0
//
// A module's file, trusted and open, before any of it runs. What is read of it is read through the one descriptor.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "modules/note.hpp"

namespace lnk::host {

class ModuleFile {
 public:
  /// errors: Denied, Gone, Invalid, as open_trusted; Limit.
  [[nodiscard]] static Result<ModuleFile> open(const std::filesystem::path& file);

  /// Device, inode, size and times: changes with any change of the bytes.
  [[nodiscard]] const std::string& stamp() const noexcept { return stamp_; }
  /// errors: as read_note.
  [[nodiscard]] Result<Note> note() const;
  /// errors: as read_schema_note.
  [[nodiscard]] Result<std::string> schema() const;
  /// Reads the whole file. errors: Gone where it is another than `wanted`.
  [[nodiscard]] Status check_hash(std::string_view wanted) const;

 private:
  ModuleFile(UniqueFd fd, std::size_t size, std::string stamp) noexcept
      : fd_(std::move(fd)), size_(size), stamp_(std::move(stamp)) {}

  UniqueFd fd_;
  std::size_t size_ = 0;
  std::string stamp_;
};

}  // namespace lnk::host
