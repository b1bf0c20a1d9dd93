// SPDX-License-Identifier: Apache-2.0
#include "dot_files/placeholders.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "dot_files/journal.hpp"
#include "dot_files/look.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/process.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kJournal = "placeholders/journal";
constexpr std::string_view kLock = "placeholders/lock";
/// The sticky bit says nothing on an empty folder of one's own, and marks one that was made in the moment before a KILL, whose
/// number nobody could write down.
constexpr mode_t kPlaceholderMode = 01755;
constexpr int kEndOfSandboxMs = 5000;  // a killed sandbox takes a few

/// A folder's own folder, pinned without following a link, and its name there.
struct Pinned {
  UniqueFd parent;
  std::string name;
};

Result<Pinned> pin_parent(const std::string& path) {
  const std::filesystem::path place(path);
  LNK_TRY(auto parent, open_place(place.parent_path().native(), Links::Refused));
  return Pinned{std::move(parent), place.filename().native()};
}

enum class Stands { Nothing, Ours, Other };

/// What stands at a name; its number and when it was made.
struct Standing {
  bool is_ours_by_mode = false;  ///< a folder as we make them: nobody inside can change its mode, since it is mounted read only
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t born = 0;  ///< 0: not told
};

std::optional<Standing> standing_at(const Pinned& pinned) {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  struct statx seen {};
  if (::statx(pinned.parent.get(), pinned.name.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &seen) != 0) return std::nullopt;
  Standing standing;
  standing.is_ours_by_mode = S_ISDIR(seen.stx_mode) && (seen.stx_mode & S_ISVTX) != 0 && seen.stx_uid == ::geteuid();
  standing.device = ::gnu_dev_makedev(seen.stx_dev_major, seen.stx_dev_minor);
  standing.inode = seen.stx_ino;
  if ((seen.stx_mask & STATX_BTIME) != 0 && seen.stx_btime.tv_sec >= 0)
    standing.born = static_cast<std::uint64_t>(seen.stx_btime.tv_sec) * kNanoseconds + seen.stx_btime.tv_nsec;
  return standing;
}

Stands what_stands(const Pinned& pinned, const JournalEntry& entry, bool is_same_boot) {
  const auto seen = standing_at(pinned);
  if (!seen) return Stands::Nothing;
  if (!seen->is_ours_by_mode) return Stands::Other;
  if (entry.inode == 0) return Stands::Ours;
  // The number of a device may be another after a boot.
  const bool is_same = seen->inode == entry.inode && seen->born == entry.born && (seen->device == entry.device || !is_same_boot);
  return is_same ? Stands::Ours : Stands::Other;
}

/// Removes a placeholder that nobody holds. False: it could not be removed now, so that it stays listed.
bool clear(const JournalEntry& entry, bool is_same_boot) {
  const auto pinned = pin_parent(entry.path);
  if (!pinned || what_stands(*pinned, entry, is_same_boot) != Stands::Ours) return true;
  if (::unlinkat(pinned->parent.get(), pinned->name.c_str(), AT_REMOVEDIR) == 0) return true;
  return errno == ENOTEMPTY || errno == EEXIST || errno == ENOENT || errno == ENOTDIR;  // someone uses it, or it went
}

/// Makes one. False: nobody who runs as this person can make it.
Result<bool> make(JournalEntry& entry) {
  LNK_TRY(const auto pinned, pin_parent(entry.path));
  const int made = ::mkdirat(pinned.parent.get(), pinned.name.c_str(), kPlaceholderMode);
  const int why = errno;
  struct stat seen {};
  if (made != 0 && why != EEXIST) {
    const bool is_own = ::fstat(pinned.parent.get(), &seen) == 0 && seen.st_uid == ::geteuid();
    // The owner of a folder that is closed to itself can open it, from inside too.
    if (why == EROFS || why == EPERM || (why == EACCES && !is_own)) return false;
    return fail(why == EACCES ? Code::Denied : Code::Gone,
                "the name " + host::quoted(entry.path) + " can't be held: " + std::string(posix::errno_words(why)) +
                    (why == EACCES ? "; open its folder to yourself with: chmod u+rwx " +
                                         host::quoted(std::filesystem::path(entry.path).parent_path().native())
                                   : std::string("; mend that, or name the folder in write_dot_files")),
                why);
  }
  if (made != 0) return true;
  if (const auto standing = standing_at(pinned); standing && standing->is_ours_by_mode)
    entry.device = standing->device, entry.inode = standing->inode, entry.born = standing->born;
  return true;
}

/// The journal while it is locked.
class LockedJournal {
 public:
  [[nodiscard]] static Result<LockedJournal> open(const Settings& settings) {
    LNK_TRY(auto boot, posix::boot_id());
    LNK_TRY(auto lock, settings.lock(kLock));
    LNK_TRY(const auto text, settings.read(kJournal));
    Journal journal;
    if (text && !text->empty()) {
      auto read = read_journal(*text);
      if (!read)
        return fail(Code::Invalid, (settings.folder() / kJournal).string() + ": " + read.error().text +
                                       "; remove it while no sandbox runs, and the empty folders that it lists");
      journal = std::move(*read);
    }
    LockedJournal opened(settings, std::move(lock), std::move(journal));
    opened.is_same_boot_ = opened.journal.boot == boot;
    if (!opened.is_same_boot_)
      for (auto& entry : opened.journal.entries) entry.holds.clear();
    opened.journal.boot = std::move(boot);
    return opened;
  }

  void drop_dead_holds() {
    for (auto& entry : journal.entries)
      std::erase_if(entry.holds, [](const auto& hold) { return !is_alive(hold.front) && !is_alive(hold.inside); });
  }

  void clear_unheld(const std::set<std::string_view>& but = {}) {
    std::erase_if(journal.entries, [&](const auto& entry) {
      return entry.holds.empty() && !but.contains(entry.path) && clear(entry, is_same_boot_);
    });
  }

  [[nodiscard]] bool is_same_boot() const noexcept { return is_same_boot_; }

  [[nodiscard]] Status write() const {
    if (journal.entries.empty()) return settings_->remove(kJournal);
    return settings_->write(kJournal, journal_text(journal), Settings::Flush::No);
  }

  Journal journal;

 private:
  LockedJournal(const Settings& settings, UniqueFd lock, Journal read) : journal(std::move(read)), settings_(&settings), lock_(std::move(lock)) {}

  const Settings* settings_;
  UniqueFd lock_;
  bool is_same_boot_ = true;
};

/// Lists this run's hold on each placeholder, with an entry for each that is to be made.
void list_holds(Journal& journal, bool is_same_boot, const std::vector<DotPlace>& places, const JournalHold& hold) {
  for (const auto& place : places) {
    auto* entry = journal.find(place.path);
    const auto pinned = pin_parent(place.path);
    const auto stands = entry == nullptr || !pinned ? Stands::Nothing : what_stands(*pinned, *entry, is_same_boot);
    if (stands == Stands::Other) {
      std::erase_if(journal.entries, [&](const auto& other) { return other.path == place.path; });
      continue;
    }
    if (entry == nullptr && ((!place.is_missing && !place.is_marked) || posix::is_there(place.path))) continue;
    if (entry == nullptr) entry = &journal.entries.emplace_back(JournalEntry{place.path, 0, 0, 0, {}});
    if (stands == Stands::Nothing) entry->inode = entry->born = 0;
    entry->holds.push_back(hold);
  }
}

bool is_of(const JournalHold& hold, const ProcessName& front) { return hold.front == front; }

bool has_hold_of(const JournalEntry& entry, const ProcessName& front) {
  return std::any_of(entry.holds.begin(), entry.holds.end(), [&](const auto& hold) { return is_of(hold, front); });
}

}  // namespace

Result<ProcessName> name_process(pid_t pid) {
  LNK_TRY(const auto stat, posix::process_stat(pid));
  return ProcessName{pid, stat.start};
}

bool is_alive(const ProcessName& process) {
  if (process.pid <= 0) return false;
  const auto stat = posix::process_stat(process.pid);
  return stat && stat->state != 'Z' && stat->state != 'X' && stat->start == process.start;
}

Placeholders::Placeholders(Placeholders&& other) noexcept
    : settings_(other.settings_),
      front_(other.front_),
      standing_(std::move(other.standing_)),
      made_(std::move(other.made_)),
      inside_(std::move(other.inside_)),
      is_held_(std::exchange(other.is_held_, false)) {}

Placeholders::~Placeholders() {
  if (is_held_) give_up();
}

Result<Placeholders> Placeholders::hold(const Settings& settings, const std::vector<DotPlace>& places) {
  Placeholders held(settings);
  for (const auto& place : places) held.standing_.push_back(place.path);
  const bool has_empty = std::any_of(places.begin(), places.end(), [](const auto& place) { return place.is_missing || place.is_marked; });
  LNK_TRY(const auto kept, settings.read(kJournal));
  if (!has_empty && !kept) return held;
  LNK_TRY(held.front_, name_process(::getpid()));
  LNK_TRY(auto locked, LockedJournal::open(settings));
  locked.drop_dead_holds();
  locked.clear_unheld({held.standing_.begin(), held.standing_.end()});
  list_holds(locked.journal, locked.is_same_boot(), places, {held.front_, {}});
  LNK_CHECK(locked.write());
  held.is_held_ = true;
  LNK_CHECK(held.make_all(locked.journal));
  return held;
}

Status Placeholders::make_all(Journal& journal) {
  for (auto& entry : journal.entries) {
    if (!has_hold_of(entry, front_)) continue;
    LNK_TRY(const bool stands, make(entry));
    if (!stands) std::erase(standing_, entry.path);
    if (entry.inode != 0) made_.push_back(entry);
  }
  return {};
}

Status Placeholders::bind_to_sandbox_of(pid_t target) {
  if (!is_held_) return {};
  // bubblewrap's pid 1 ends after all others of the sandbox have: pid_namespaces(7). It isn't always the target's parent:
  // the leader of a terminal's session may stand between.
  LNK_TRY(const auto first_process, posix::first_process_around(target));
  LNK_TRY(inside_, posix::open_pidfd(first_process));
  LNK_TRY(const auto inside, name_process(first_process));
  LNK_TRY(auto locked, LockedJournal::open(*settings_));
  for (auto& entry : locked.journal.entries) {
    for (auto& hold : entry.holds)
      if (is_of(hold, front_)) hold.inside = inside;
    for (const auto& made : made_)
      if (made.path == entry.path) entry.device = made.device, entry.inode = made.inode, entry.born = made.born;
  }
  return locked.write();
}

/// What fails leaves the hold listed, and the next start finds it dead.
void Placeholders::give_up() {
  if (inside_.is_open()) {
    // bubblewrap ends before the sandbox's last process is gone, and until then the mounts must stand.
    pollfd end{inside_.get(), POLLIN, 0};
    if (posix::retry([&] { return ::poll(&end, 1, kEndOfSandboxMs); }) <= 0) return;
  }
  auto locked = LockedJournal::open(*settings_);
  if (!locked) return;
  for (auto& entry : locked->journal.entries) {
    for (const auto& made : made_)
      if (made.path == entry.path && entry.inode == 0) entry.device = made.device, entry.inode = made.inode, entry.born = made.born;
    std::erase_if(entry.holds, [&](const auto& hold) { return is_of(hold, front_); });
  }
  locked->clear_unheld();
  (void)locked->write();  // an entry too many is cleared by the next start
}

}  // namespace lnk::host
