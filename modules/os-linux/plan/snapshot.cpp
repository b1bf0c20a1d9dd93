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

/// null: any program.
std::optional<std::vector<ListedProgram>> read_programs(JsonReader& reader, const json::value& root, const json::value& grants) {
  const json::value& commands = reader.member(grants, "commands");
  if (commands.is_null()) return std::nullopt;
  std::vector<ListedProgram> programs;
  for (const json::value& program : reader.array(commands, "allow"))
    programs.push_back({reader.text(program, "target"), reader.flag(program, "folder")});
  for (std::string& loader : reader.texts(root, "loaders")) programs.push_back({std::move(loader), false});
  std::string started = reader.text(reader.member(root, "program"), "path");
  // What was not found outside is looked up inside, and runs where it is listed.
  if (!started.empty()) programs.push_back({std::move(started), false});
  return programs;
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
  // A snapshot of before there were endpoints has none.
  const json::object* granted = grants.if_object();
  if (granted != nullptr && granted->contains("tcp")) out.has_names = !reader.array(reader.member(grants, "tcp"), "endpoints").empty();
  for (const json::value& file : reader.array(grants, "files")) {
    out.files.push_back({read_access(reader, file), reader.text(file, "path"), reader.text(file, "target"),
                         read_kind(reader, file), reader.flag(file, "optional")});
  }
  out.programs = read_programs(reader, root, grants);
  out.closed = reader.texts(root, "closed");
  out.read_only = reader.texts(root, "read_only");
  // A kept snapshot has none: what is held is found anew at each start.
  const json::object* object = root.if_object();
  if (object != nullptr && object->contains("held")) out.held = reader.texts(root, "held");
  if (Status status = reader.status(); !status) return fail(std::move(status).error().within("snapshot"));
  return out;
}

}  // namespace lnk::os_linux
