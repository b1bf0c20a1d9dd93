// SPDX-License-Identifier: Apache-2.0
//
// The part of a snapshot that the wall holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::os_linux {

enum class Access { Read, Write, Hide };
/// Special: a socket or a FIFO, which leads to what listens outside and is only ever covered.
enum class FileKind { Any, Folder, File, Special };
enum class NetworkMode { None, Wire, Direct };

struct FileGrant {
  Access access = Access::Read;
  std::string path;    ///< as named
  std::string target;  ///< what it resolved to once; differs where a link stands in `path`
  FileKind kind = FileKind::Any;
  bool optional = false;
};

/// A program that may run, or a folder whose programs all may.
struct ListedProgram {
  std::string path;  ///< links followed
  bool is_folder = false;
};

struct Snapshot {
  std::string home;
  std::vector<FileGrant> files;
  NetworkMode network = NetworkMode::None;
  bool has_names = false;  ///< the wire answers names inside: where there are endpoints
  std::vector<std::string> closed;
  std::vector<std::string> read_only;
  /// The listed ones, the one that is started, and the loaders they need; nothing: any program that can be read.
  std::optional<std::vector<ListedProgram>> programs;
  std::vector<std::string> held;  ///< read only too, and never left out: where one is missing nothing starts
};

/// errors: Invalid, with what is wrong; a member that isn't known is none of the wall's
[[nodiscard]] Result<Snapshot> parse_snapshot(std::string_view json);

}  // namespace lnk::os_linux
