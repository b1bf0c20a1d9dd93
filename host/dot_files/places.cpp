// SPDX-License-Identifier: Apache-2.0
#include "dot_files/places.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "lnk/cpp/utf8.hpp"
#include "lnk/posix/os_error.hpp"
#include "resolve/check.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

std::string parent_of(const std::string& path) { return std::filesystem::path(path).parent_path().native(); }

}  // namespace

const GrantedFile* DotPlaceCollector::writer_of(std::string_view path) const {
  const auto* nearest = nearest_grant(path, files_);
  const bool is_held = nearest != nullptr && nearest->access == Access::Write && !nearest->open_dot_files;
  return is_held ? nearest : nullptr;
}

void DotPlaceCollector::refuse(std::string words) {
  if (out_.refusals.size() == LookLimits::kRefusals) return;
  if (std::find(out_.refusals.begin(), out_.refusals.end(), words) == out_.refusals.end()) out_.refusals.push_back(std::move(words));
}

void DotPlaceCollector::refuse_at(const std::string& place, std::string words) {
  const auto* writer = writer_of(place);
  if (writer == nullptr) return refuse(std::move(words));
  refuse(std::move(words) + "; take it away where a program left it there, or name " + host::quoted(writer->path) + " in write_dot_files");
}

void DotPlaceCollector::hold(const std::string& path, std::string_view why) { settle(path, why, Missing::Hold); }
void DotPlaceCollector::hold_if_there(const std::string& path, std::string_view why) { settle(path, why, Missing::Leave); }

bool DotPlaceCollector::is_inside_held(const std::string& path) const {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    if (const auto found = places_.find(path.substr(0, end)); found != places_.end() && !found->second.is_missing) return true;
  return false;
}

void DotPlaceCollector::hold_named(const std::string& path, std::string_view why) {
  // What a held folder holds stays as it is, so a link in it is one that the person made.
  if (is_written(path) && !is_inside_held(path)) return hold(path, why);
  settle_way(path, why, Missing::Hold);
}

void DotPlaceCollector::hold_links_in(const std::string& folder) {
  std::vector<Folder> left = {{folder, 0}};
  while (!left.empty()) {
    const Folder next = std::move(left.back());
    left.pop_back();
    if (looked_through_.insert(next.path).second) look_through(next, left);
  }
}

void DotPlaceCollector::look_through(const Folder& folder, std::vector<Folder>& more) {
  const auto* writer = writer_of(folder.path);
  if (writer == nullptr) return;
  const std::string mend = "; take away what doesn't belong there, or name " + host::quoted(writer->path) + " in write_dot_files";
  const auto names = budget_.names(folder.path, LookLimits::kHeldEntries - links_looked_at_, Links::Refused);
  if (!names) return refuse(names.error().text + ", and links in it can't all be held" + mend);
  if (folder.depth > LookLimits::kHeldDepth && !names->empty())
    return refuse(host::quoted(folder.path) + " lies deeper in a protected folder than is looked through for links" + mend);
  links_looked_at_ += names->size();
  for (const auto& name : *names) {
    const auto path = folder.path + "/" + name;
    if (!budget_.take(path, LookLimits::kEntrySteps)) return;
    const auto seen = look_at(path);
    if (!seen) return refuse(host::quoted(path) + " can't be looked at: " + seen.error().text + mend);
    if (seen->entry == Entry::Folder) more.push_back({path, folder.depth + 1});
    if (seen->entry != Entry::Link) continue;
    hold_named(path, "a link in a protected folder");
    // Through it the folder that it leads to is part of this one.
    if (auto end = way_of(path).end; is_written(end)) more.push_back({std::move(end), folder.depth + 1});
  }
}

DotPlaceCollector::Way DotPlaceCollector::way_of(const std::string& path) {
  constexpr int kLinksMax = 40;  // path_resolution(7)
  Way way;
  std::vector<std::string> rest;  // the next part is the last
  const auto add = [&rest](const std::filesystem::path& parts) {
    const std::vector<std::string> all(parts.begin(), parts.end());
    rest.insert(rest.end(), all.rbegin(), all.rend());
  };
  add(path);
  for (int links = 0; !rest.empty();) {
    const std::string part = std::move(rest.back());
    rest.pop_back();
    if (part.empty() || part == "/" || part == ".") continue;
    if (part == "..") {
      way.end.resize(way.end.empty() ? 0 : way.end.rfind('/'));
      continue;
    }
    const std::string next = way.end + "/" + part;
    if (!budget_.take(path)) return {};
    std::error_code error;
    const auto target = std::filesystem::read_symlink(next, error);
    if (error) {  // no link, or not there
      way.end = next;
      continue;
    }
    if (is_written(next) && !is_inside_held(next)) way.links.push_back(next);
    if (++links > kLinksMax) return {};
    if (target.is_absolute()) way.end.clear();
    add(target);
  }
  return way;
}

void DotPlaceCollector::settle_way(const std::string& path, std::string_view why, Missing missing) {
  const Way way = way_of(path);
  // A run could put another in the place of such a link: it is refused in words.
  for (const auto& link : way.links) settle(link, why, missing);
  if (way.links.empty() && !way.end.empty()) settle(way.end, why, missing);
}

void DotPlaceCollector::hold_settings_file(const std::string& path) {
  constexpr std::string_view kWhy = "settings that git includes";
  if (is_written(path) && !is_inside_held(path)) return settle(path, kWhy, Missing::Refuse);
  settle_way(path, kWhy, Missing::Refuse);
}

void DotPlaceCollector::settle(const std::string& path, std::string_view why, Missing missing) {
  const auto* writer = writer_of(path);
  if (writer == nullptr || is_inside_held(path) || !budget_.take(path, LookLimits::kPlaceSteps)) return;
  const std::string open_it = "or name " + host::quoted(writer->path) + " in write_dot_files, which opens all such places in it";
  const auto seen = look_at(path);
  // Said of the folder, so that it is said once. One that is closed itself is of no use however its names are treated.
  if (!seen) {
    const bool is_closed = parent_of(path) == writer->target && seen.error().os_errno == EACCES;
    return refuse(
        "in " + host::quoted(parent_of(path)) +
        " protected names can't be looked at: " + std::string(posix::errno_words(seen.error().os_errno)) +
        (is_closed ? "; open the folder to yourself, as its owner with: chmod u+rwx" : "; open the way to it, " + open_it));
  }
  // A written folder that is itself missing, or a file, has no places in it.
  if (seen->at.size() < writer->target.size()) return;
  if (seen->at == writer->target) {
    if (seen->entry == Entry::Folder)
      refuse(host::quoted(path) + " is " + std::string(why) + " and written as a whole, so nothing in it can be held; name folders in it instead, " + open_it);
    return;
  }
  switch (seen->entry) {
    case Entry::Link:
      return refuse(host::quoted(seen->at) + " is a link on the way to " + std::string(why) +
                    ", and a link can't be held in its place; put there what it leads to, " + open_it);
    case Entry::Other:
      return refuse(host::quoted(seen->at) + ", " + std::string(why) + ", is neither a folder nor a file; take it away, " + open_it);
    case Entry::Missing:
      if (missing == Missing::Leave) return;
      if (missing == Missing::Refuse)
        return refuse(host::quoted(path) + " isn't there, and git's settings include it: whoever makes it gives git its settings; make it, or take it out of them, " + open_it);
      return keep(*writer, *seen, why);
    case Entry::Folder:
    case Entry::File:
      return keep(*writer, *seen, why);
  }
}

void DotPlaceCollector::keep(const GrantedFile& writer, const Seen& seen, std::string_view why) {
  const auto& at = seen.at;
  const bool is_missing = seen.entry == Entry::Missing;
  const auto& shared = person_.shared;
  if (is_missing && std::find(shared.begin(), shared.end(), parent_of(at)) != shared.end()) return;
  for (const auto& file : files_)
    if (file.access == Access::Write && is_within(file.target, at))
      refuse("write " + host::quoted(file.path) + ": lies in " + host::quoted(at) + ", " + std::string(why) +
             ", which is to be read only in " + host::quoted(writer.path) + "; take it out, or name " + host::quoted(writer.path) + " in write_dot_files");
  if (!is_utf8(at)) return refuse(host::quoted(at) + ", " + std::string(why) + ", isn't UTF-8, which a plan can't hold; rename it");
  if (places_.size() == LookLimits::kPlaces)
    return refuse(host::quoted(writer.path) + " has more than " + std::to_string(LookLimits::kPlaces) +
                  " places that run as you outside; take away what a program made there, write folders in it instead, or name it in write_dot_files");
  places_.emplace(at, DotPlace{at, std::string(why), is_missing, seen.is_marked});
}

DotPlaces DotPlaceCollector::finish() && {
  if (budget_.is_spent()) {
    out_.refusals.clear();  // what was found before that follows from it, and may be much
    refuse_at(budget_.place(), host::quoted(budget_.place()) + " is where looking for what runs as you outside took more than any real folder does");
  }
  for (auto& [path, place] : places_)
    if (!is_inside_held(path)) out_.places.push_back(std::move(place));
  return std::move(out_);
}

}  // namespace lnk::host
