// SPDX-License-Identifier: Apache-2.0
#include "plan/snapshot.hpp"

#include <boost/json.hpp>

#include "plan/json.hpp"

namespace lnk::os_linux {
namespace {

namespace json = boost::json;

Access read_access(JsonReader& reader, const json::value& file) {
  const std::string access = reader.text(file, "access");
  if (access == "write") return Access::Write;
  if (access == "hide") return Access::Hide;
  if (access != "read") reader.refuse("access", "is none of read, write, hide");
  return Access::Read;
}

FileKind read_kind(JsonReader& reader, const json::value& file) {
  const std::string kind = reader.text(file, "kind");
  if (kind == "dir") return FileKind::Folder;
  if (kind == "file") return FileKind::File;
  if (kind != "any") reader.refuse("kind", "is none of dir, file, any");
  return FileKind::Any;
}

NetworkMode read_mode(JsonReader& reader, const json::value& network) {
  const std::string mode = reader.text(network, "mode");
  if (mode == "wire") return NetworkMode::Wire;
  if (mode == "direct") return NetworkMode::Direct;
  if (mode != "none") reader.refuse("network.mode", "is none of none, wire, direct");
  return NetworkMode::None;
}

}  // namespace

Result<Snapshot> parse_snapshot(std::string_view text) {
  JsonReader reader(text);
  const json::value& root = reader.root();
  if (reader.number(root, "version") != 1) reader.refuse("version", "is not 1");
  const json::value& grants = reader.member(root, "grants");
  Snapshot out;
  out.home = reader.text(grants, "home");
  out.network = read_mode(reader, reader.member(grants, "network"));
  for (const json::value& file : reader.array(grants, "files")) {
    out.files.push_back({read_access(reader, file), reader.text(file, "path"), reader.text(file, "target"),
                         read_kind(reader, file), reader.flag(file, "optional")});
  }
  out.closed = reader.texts(root, "closed");
  out.read_only = reader.texts(root, "read_only");
  // A kept snapshot has none: what is held is found anew at each start.
  const json::object* object = root.if_object();
  if (object != nullptr && object->contains("held")) out.held = reader.texts(root, "held");
  if (Status status = reader.status(); !status) return fail(std::move(status).error().within("snapshot"));
  return out;
}

}  // namespace lnk::os_linux
