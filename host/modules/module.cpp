// SPDX-License-Identifier: Apache-2.0
#include "modules/module.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "digest/sha256.hpp"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/posix/os_error.hpp"
#include "modules/library.hpp"
#include "trust/trust.hpp"

namespace lnk::host {

namespace {

constexpr std::size_t kFileBytesMax = 256 * 1024 * 1024;  // far above any library; a bound for the mapping
constexpr std::size_t kVersionMax = 64;
constexpr std::size_t kCapabilitiesMax = 256;     // records of one probe
constexpr std::size_t kCapabilityTextMax = 1024;  // bytes of each of their texts

/// A file's bytes, mapped: only the pages that are looked at are read.
class MappedFile {
 public:
  [[nodiscard]] static Result<MappedFile> map(int fd, std::size_t size) {
    if (size == 0) return fail(Code::Invalid, "it is empty");
    if (size > kFileBytesMax) return fail(Code::Limit, "it has more than " + std::to_string(kFileBytesMax) + " bytes");
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return posix::os_fail(Code::Internal, "map it", {}, errno);
    return MappedFile(data, size);
  }
  MappedFile(MappedFile&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(data_), size_};
  }
  [[nodiscard]] std::string_view text() const noexcept { return {static_cast<const char*>(data_), size_}; }

 private:
  MappedFile(void* data, std::size_t size) noexcept : data_(data), size_(size) {}

  void* data_;
  std::size_t size_;
};

std::string nanoseconds(const timespec& time) {
  return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
}

std::string stamp_of(const struct stat& status) {
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + ":" + std::to_string(status.st_size) +
         ":" + nanoseconds(status.st_mtim) + ":" + nanoseconds(status.st_ctim);
}

Status check_hash(std::string_view bytes, const std::string& stamp, const LoadOptions& options) {
  if (options.sha256.empty() || (!options.stamp.empty() && options.stamp == stamp)) return {};
  const std::string found = sha256_hex(bytes);
  if (found == options.sha256) return {};
  return fail(Code::Gone, "it is another file than the snapshot holds: its SHA-256 is " + found + ", and " +
                              options.sha256 + " is wanted");
}

/// What was checked of a file, before any of it runs.
struct Checked {
  Note note;
  std::string stamp;
};

Result<Checked> check_file(const std::filesystem::path& file, const LoadOptions& options) {
  LNK_TRY(const UniqueFd fd, open_trusted(file));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return posix::os_fail(Code::Gone, "look at it", {}, errno);
  LNK_TRY(const MappedFile mapped, MappedFile::map(fd.get(), static_cast<std::size_t>(status.st_size)));
  Checked checked{{}, stamp_of(status)};
  LNK_CHECK(check_hash(mapped.text(), checked.stamp, options));
  LNK_TRY(checked.note, read_note(mapped.bytes()));
  if (file.filename() != checked.note.id + ".so")
    return fail(Code::Invalid,
                "its note says '" + checked.note.id + "', so its file must be named " + checked.note.id + ".so");
  LNK_CHECK(parse_requirements(checked.note.needs));
  if (options.machine) LNK_CHECK(check_requirements(checked.note.needs, *options.machine));
  return checked;
}

std::string bounded(lnk_str text) { return std::string(detail::cut_text(view(text), kCapabilityTextMax)); }

lnk_status take_capability(void* context, const lnk_capability* record) noexcept {
  auto& list = *static_cast<std::vector<MachineCapability>*>(context);
  return barrier(nullptr, [&]() -> Status {
    if (record == nullptr || record->size < sizeof(lnk_capability)) return fail(Code::Invalid, "a short record");
    if (list.size() == kCapabilitiesMax) return fail(Code::Limit, "too many records");
    list.push_back({bounded(record->name), record->state, record->level, record->os_errno, bounded(record->evidence),
                    bounded(record->mend)});
    return {};
  });
}

}  // namespace

Result<std::string> file_stamp(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return posix::os_fail(Code::Gone, "look at", file.native(), errno);
  return stamp_of(status);
}

Result<void> check_table(const lnk_module_api& api, const Note& note) {
  if (api.head.size < sizeof(lnk_module_api))
    return fail(Code::Invalid, "its table has " + std::to_string(api.head.size) + " bytes; that of SDK 1.0 has " +
                                   std::to_string(sizeof(lnk_module_api)));
  if (api.head.major != note.sdk_major || api.head.minor != note.sdk_minor)
    return fail(Code::Invalid, "its table is of SDK " + std::to_string(api.head.major) + "." +
                                   std::to_string(api.head.minor) + ", and its note says " +
                                   std::to_string(note.sdk_major) + "." + std::to_string(note.sdk_minor));
  if (view(api.id) != note.id)
    return fail(Code::Invalid, "its table's id is '" + posix::escaped(detail::cut_text(view(api.id), kVersionMax)) +
                                   "', and its note says '" + note.id + "'");
  const std::pair<std::string_view, bool> functions[] = {{"probe", api.probe != nullptr},
                                                         {"check_config", api.check_config != nullptr},
                                                         {"create", api.create != nullptr},
                                                         {"destroy", api.destroy != nullptr},
                                                         {"query", api.query != nullptr}};
  for (const auto& [name, is_there] : functions) {
    if (!is_there) return fail(Code::Invalid, "its table has no function " + std::string(name));
  }
  if (view(api.version).size() > kVersionMax) return fail(Code::Invalid, "its version is longer than 64 bytes");
  return {};
}

Result<Module> Module::load(const std::filesystem::path& file, const LoadOptions& options) {
  const std::string where = "module '" + posix::escaped(file.native()) + "'";
  auto checked = check_file(file, options);
  if (!checked) return fail(std::move(checked).error().within(where));
  // The path is opened a second time here, by the loader. It names the file that was checked: nobody but root and the
  // person may change it or a folder above it, which is what open_trusted has seen.
  const auto api = open_library(file);
  if (!api) return fail(Error(api.error()).within(where));
  if (auto sound = check_table(*api.value(), checked->note); !sound)
    return fail(std::move(sound).error().within(where));
  return Module(file, std::move(checked->note), std::move(checked->stamp), api.value());
}

std::string_view Module::version() const noexcept { return view(api_->version); }

std::string_view Module::config_schema() const noexcept { return view(api_->config_schema); }

Result<std::vector<MachineCapability>> Module::probe() const {
  std::vector<MachineCapability> list;
  auto sink = sized<lnk_capability_sink>();
  sink.context = &list;
  sink.report = take_capability;
  ErrorSlot error;
  if (const lnk_status status = api_->probe(&sink, error.get()); status != LNK_OK)
    return fail(error.take(status).within("module '" + note_.id + "': probe"));
  return list;
}

}  // namespace lnk::host
