// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>

#include "plan/json.hpp"
#include "survey/survey.hpp"

namespace lnk::os_linux {
namespace {

namespace json = boost::json;

constexpr int kVersion = 2;

json::array list_of(const std::vector<std::string>& texts) { return json::array(texts.begin(), texts.end()); }

json::object bubblewrap_json(const Bubblewrap& bubblewrap) {
  return {{"changed_ns", bubblewrap.identity.changed_ns},
          {"device", static_cast<std::int64_t>(bubblewrap.identity.device)},
          {"disables_userns", bubblewrap.disables_userns},
          {"inode", static_cast<std::int64_t>(bubblewrap.identity.inode)},
          {"mend", bubblewrap.mend},
          {"path", bubblewrap.path},
          {"problem", bubblewrap.problem}};
}

Bubblewrap read_bubblewrap(JsonReader& reader, const json::value& in) {
  Bubblewrap out;
  out.path = reader.text(in, "path");
  out.problem = reader.text(in, "problem");
  out.mend = reader.text(in, "mend");
  out.disables_userns = reader.flag(in, "disables_userns");
  out.identity = {static_cast<std::uint64_t>(reader.number(in, "device")),
                  static_cast<std::uint64_t>(reader.number(in, "inode")), reader.number(in, "changed_ns")};
  return out;
}

Landlock read_landlock(JsonReader& reader, const json::value& in) {
  return {static_cast<std::uint32_t>(reader.number(in, "level")), static_cast<std::uint64_t>(reader.number(in, "fs")),
          static_cast<std::uint64_t>(reader.number(in, "scoped"))};
}

ExecWatch read_exec_watch(JsonReader& reader, const json::value& in) {
  return {reader.flag(in, "listener"), reader.flag(in, "waits_killable"), reader.flag(in, "seals_memory")};
}

}  // namespace

std::string survey_json(const Survey& survey) {
  json::array closed;
  for (const ClosedEntry& entry : survey.closed)
    closed.push_back(json::object{{"folder", entry.is_folder}, {"path", entry.path}});
  json::array links;
  for (const LayoutLink& link : survey.links)
    links.push_back(json::object{{"path", link.path}, {"target", link.target}});
  // Canonical: the keys stand in order.
  const json::object out{
      {"bubblewrap", bubblewrap_json(survey.bubblewrap)},
      {"closed", closed},
      {"exec_watch",
       {{"listener", survey.exec_watch.has_listener},
        {"seals_memory", survey.exec_watch.seals_memory},
        {"waits_killable", survey.exec_watch.waits_killable}}},
      {"keep", survey.may_be_kept()},
      {"landlock", {{"fs", survey.landlock.fs}, {"level", survey.landlock.level}, {"scoped", survey.landlock.scoped}}},
      {"links", links},
      {"proc_read_only", list_of(survey.proc_read_only)},
      {"resolver_file", survey.resolver_file},
      {"seccomp", survey.has_seccomp},
      {"system_folders", list_of(survey.system_folders)},
      {"uid", survey.uid},
      {"version", kVersion}};
  return json::serialize(out);
}

Result<Survey> parse_survey(std::string_view text) {
  JsonReader reader(text);
  const json::value& root = reader.root();
  if (reader.number(root, "version") != kVersion) reader.refuse("version", "is not this module's");
  Survey out;
  out.uid = static_cast<uid_t>(reader.number(root, "uid"));
  out.bubblewrap = read_bubblewrap(reader, reader.member(root, "bubblewrap"));
  out.landlock = read_landlock(reader, reader.member(root, "landlock"));
  out.has_seccomp = reader.flag(root, "seccomp");
  out.exec_watch = read_exec_watch(reader, reader.member(root, "exec_watch"));
  out.system_folders = reader.texts(root, "system_folders");
  out.proc_read_only = reader.texts(root, "proc_read_only");
  out.resolver_file = reader.text(root, "resolver_file");
  for (const json::value& link : reader.array(root, "links"))
    out.links.push_back({reader.text(link, "path"), reader.text(link, "target")});
  for (const json::value& entry : reader.array(root, "closed"))
    out.closed.push_back({reader.text(entry, "path"), reader.flag(entry, "folder")});
  if (Status status = reader.status(); !status) return fail(std::move(status).error().within("survey"));
  return out;
}

}  // namespace lnk::os_linux
