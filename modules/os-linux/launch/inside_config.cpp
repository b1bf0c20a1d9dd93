// SPDX-License-Identifier: Apache-2.0
#include "launch/inside_config.hpp"

#include <sys/sysmacros.h>

#include <cstring>

#include "inside/format.h"
#include "lnk/abi/confiner.h"
#include "lnk/cpp/view.hpp"
#include "survey/landlock.hpp"

namespace lnk::os_linux {
namespace {

class Bytes {
 public:
  template <class T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
    bytes_ += '\0';
  }
  void align() { bytes_.resize((bytes_.size() + 7U) & ~std::size_t{7}); }
  void put_raw(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }

  std::string take() && { return std::move(bytes_); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  std::string& text() { return bytes_; }

 private:
  std::string bytes_;
};

Status check_text(std::string_view text, std::string_view what) {
  if (text.find('\0') == std::string_view::npos) return {};
  return fail(Code::Invalid, std::string(what) + ": holds a NUL byte");
}

Status check(const InsideConfig& config) {
  if (config.argv.empty() || view(config.argv[0]).empty()) return fail(Code::Invalid, "no program is named");
  if (config.argv.size() > LNK_INSIDE_TEXTS_MAX || config.env.size() > LNK_INSIDE_TEXTS_MAX ||
      config.rules.size() > LNK_INSIDE_TEXTS_MAX || config.checks.size() > LNK_INSIDE_TEXTS_MAX)
    return fail(Code::Limit, "more than 65536 arguments, variables or files");
  if (!config.cwd.starts_with('/')) return fail(Code::Invalid, "the current folder is not absolute");
  LNK_CHECK(check_text(config.cwd, "the current folder"));
  for (const lnk_str& argument : config.argv) LNK_CHECK(check_text(view(argument), "an argument"));
  for (const lnk_str& variable : config.env) {
    LNK_CHECK(check_text(view(variable), "a variable"));
    const std::size_t equals = view(variable).find('=');
    if (equals == 0 || equals == std::string_view::npos) return fail(Code::Invalid, "a variable without a name");
  }
  return {};
}

std::uint32_t terminal_flags(std::uint32_t terminal) {
  constexpr std::uint32_t kStreams = LNK_TERMINAL_STDIN | LNK_TERMINAL_STDOUT | LNK_TERMINAL_STDERR;
  static_assert(kStreams * LNK_INSIDE_TERMINAL == LNK_INSIDE_TERMINALS);
  const std::uint32_t streams = (terminal & kStreams) * LNK_INSIDE_TERMINAL;
  return streams | ((terminal & LNK_TERMINAL_IN_FRONT) != 0 ? std::uint32_t{LNK_INSIDE_IN_FRONT} : 0U);
}

lnk_inside_head head_of(const InsideConfig& config) {
  lnk_inside_head head{};
  head.magic = LNK_INSIDE_MAGIC;
  head.version = LNK_INSIDE_VERSION;
  if (config.filter_is_on) head.flags = LNK_INSIDE_FILTER_IS_ON;
  if (config.waits_killable) head.flags |= LNK_INSIDE_WAIT_KILLABLE;
  head.flags |= terminal_flags(config.terminal);
  head.landlock_fs = config.landlock.fs;
  head.landlock_scoped = config.landlock.scoped;
  head.argc = static_cast<std::uint32_t>(config.argv.size());
  head.envc = static_cast<std::uint32_t>(config.env.size());
  head.checkc = static_cast<std::uint32_t>(config.checks.size());
  head.rulec = static_cast<std::uint32_t>(config.rules.size());
  head.filterc = static_cast<std::uint32_t>(config.filter.size());
  head.watchedc = static_cast<std::uint32_t>(config.watched.size());
  head.unwatchedc = static_cast<std::uint32_t>(config.unwatched.size());
  for (std::size_t i = 0; i < config.stdio.size(); ++i) {
    head.stdio[i] = config.stdio[i];
    if (config.is_reopened[i]) head.flags |= std::uint32_t{LNK_INSIDE_REOPEN} << i;
  }
  return head;
}

}  // namespace

Result<std::string> write_inside_config(const InsideConfig& config) {
  LNK_CHECK(check(config));
  lnk_inside_head head = head_of(config);
  Bytes bytes;
  bytes.put(head);
  bytes.put_text(config.cwd);
  for (const lnk_str& argument : config.argv) bytes.put_text(view(argument));
  for (const lnk_str& variable : config.env) bytes.put_text(view(variable));
  for (const InsideCheck& check : config.checks) {
    bytes.put(lnk_inside_check{check.flags, major(check.device), minor(check.device), check.step, check.inode});
    bytes.put_text(check.path);
  }
  for (const InsideRule& rule : config.rules) {
    bytes.put(rule.access);
    bytes.put_text(rule.path);
  }
  bytes.align();
  for (const auto& filter : {config.filter, config.watched, config.unwatched}) bytes.put_raw(filter.data(), filter.size_bytes());
  if (bytes.size() > LNK_INSIDE_BYTES_MAX) return fail(Code::Limit, "arguments and environment of more than 16 MiB");
  head.total_bytes = static_cast<std::uint32_t>(bytes.size());
  std::memcpy(bytes.text().data(), &head, sizeof head);
  return std::move(bytes).take();
}

std::uint64_t rights_of(RuleClass rule, bool is_file, const Landlock& held, bool are_programs_listed) noexcept {
  std::uint64_t rights = 0;
  switch (rule) {
    case RuleClass::List:
      rights = kReadDir;
      break;
    case RuleClass::Read:
      rights = kReadFile | kReadDir | kExecute;
      break;
    case RuleClass::Write:
      // No rule gives a socket by its path: the kernel lets those through that were made inside (landlock(7), level 9).
      rights = held.fs & ~kResolveUnix;
      break;
    case RuleClass::Process:
      rights = kReadFile | kReadDir | kWriteFile | kTruncate;
      break;
    case RuleClass::Device:
      rights = kReadFile | kReadDir | kWriteFile | kTruncate | kIoctlDev;
      break;
  }
  if (is_file) rights &= kFileRights;
  if (are_programs_listed) rights &= ~kExecute;
  return rights & held.fs;
}

}  // namespace lnk::os_linux
