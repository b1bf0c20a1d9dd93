// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

// linux/limits.h: PATH_MAX less its NUL, NAME_MAX.
constexpr std::size_t kMaxPathBytes = 4095;
constexpr std::size_t kMaxPartBytes = 255;

Failure refuse(std::string_view text, const std::string& words) {
  return fail(Code::Invalid, quoted(text) + " " + words);
}

Result<void> check_characters(std::string_view text, std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return refuse(text, "holds a NUL, which no path can");
  if (path.find('$') != std::string_view::npos) {
    return refuse(text, "holds a $: variables aren't read in a spec; write the path itself, or ~/ for the home");
  }
  if (path.find_first_of("*?") != std::string_view::npos) {
    return refuse(text, "holds a * or ?: globs can't be enforced; name the folder above, which takes all below");
  }
  return {};
}

Result<PathBase> read_base(std::string_view text, std::string_view& path) {
  if (path.starts_with('/')) return path.remove_prefix(1), PathBase::Root;
  if (path.starts_with("~/")) return path.remove_prefix(2), PathBase::Home;
  if (path.starts_with("./")) return path.remove_prefix(2), PathBase::SpecFolder;
  if (path == "~") return refuse(text, "is no path of a spec; the home itself is written \"~/\"");
  if (path == ".") return refuse(text, "is no path of a spec; the spec's own folder is written \"./\"");
  if (path.starts_with('~'))
    return refuse(text, "names another's home; only ~/ (your own) is known, or write it absolute");
  if (path == ".." || path.starts_with("../")) return refuse(text, "goes up with \"..\"; write where it leads");
  return refuse(text, "is relative; write " + quoted("./" + std::string(text)) +
                          " for one in the spec's folder, or begin it with / or ~/");
}

Result<void> check_size(std::string_view text) {
  if (text.empty()) return fail(Code::Invalid, "a path can't be empty");
  if (text.size() > kMaxPathBytes) return refuse(text, "is longer than 4095 bytes");
  return {};
}

/// "src//./app/" → "src/app".
Result<std::string> clean(std::string_view text, std::string_view path) {
  std::string rest;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse(text, "goes up with \"..\"; write where it leads");
    if (part.size() > kMaxPartBytes) return refuse(text, "has a part of more than 255 bytes");
    if (!rest.empty()) rest += '/';
    rest += part;
  }
  return rest;
}

}  // namespace

Result<WrittenPath> read_path(std::string_view text, Optional optional) {
  LNK_CHECK(check_size(text));
  WrittenPath out;
  out.written = text;
  std::string_view path = text;
  if (path.ends_with('?')) {
    if (optional == Optional::No) return refuse(text, "takes no ? at its end: what is named here must be there");
    out.optional = true;
    path.remove_suffix(1);
  }
  LNK_CHECK(check_characters(text, path));
  LNK_TRY(out.base, read_base(text, path));
  LNK_TRY(out.rest, clean(text, path));
  return out;
}

Result<WrittenPath> read_typed_path(std::string_view text) {
  LNK_CHECK(check_size(text));
  if (text.find('\0') != std::string_view::npos) return refuse(text, "holds a NUL, which no path can");
  WrittenPath out;
  out.written = text;
  out.base = PathBase::SpecFolder;
  std::string_view path = text;
  if (path.starts_with('/') || path.starts_with("~/") || path == "~") {
    LNK_TRY(out.base, read_base(text, path));
  }
  LNK_TRY(out.rest, clean(text, path));
  return out;
}

Result<WrittenPath> read_write_path(std::string_view text) {
  LNK_TRY(WrittenPath path, read_path(text, Optional::Yes));
  if (path.rest.empty() && path.base == PathBase::Root)
    return refuse(text, "is the whole machine; name the folders to write");
  if (path.rest.empty() && path.base == PathBase::Home)
    return refuse(text, "is the whole home; name the folders to write");
  return path;
}

Result<ProgramGrant> read_program(std::string_view text) {
  if (text.empty()) return fail(Code::Invalid, "a program can't be empty");
  ProgramGrant out;
  out.written = text;
  if (text.find('/') != std::string_view::npos) {
    out.folder = text.ends_with('/');
    LNK_TRY(out.path, read_path(text, Optional::No));
    if (out.path.rest.empty() && out.path.base == PathBase::Root) {
      return refuse(text, "is every program; leave [commands] out for that");
    }
    return out;
  }
  LNK_CHECK(check_characters(text, text));
  if (text == "." || text == ".." || text.starts_with('~')) return refuse(text, "is no program's name");
  if (text.size() > kMaxPartBytes) return refuse(text, "is longer than 255 bytes");
  out.name = text;
  return out;
}

}  // namespace lnk::host
