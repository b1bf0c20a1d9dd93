// SPDX-License-Identifier: Apache-2.0
#include "launch/arguments.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <unordered_set>

#include "launch/pin.hpp"
#include "lnk/posix/memory_file.hpp"
#include "lnk/posix/os_error.hpp"
#include "plan/paths.hpp"

namespace lnk::os_linux {
namespace {

std::string octal(unsigned mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", mode);
  return text;
}

std::string_view kind_words(FileKind kind) {
  return kind == FileKind::Folder ? "a folder" : kind == FileKind::File ? "a file" : "a socket or a pipe";
}

class Writer {
 public:
  Writer(const Plan& plan, const std::string& inner_stage) : plan_(plan), inner_stage_(inner_stage) {}

  Result<Arguments> write(int info) {
    namespaces(info);
    for (std::size_t at = 0; at < plan_.steps.size(); ++at) {
      out_.found.push_back(Found::Folder);
      if (Status done = step(plan_.steps[at]); !done) {
        Error error = std::move(done).error();
        error.step = static_cast<std::uint32_t>(at) + 1;
        return fail(std::move(error));
      }
    }
    return std::move(out_);
  }

 private:
  void add(std::initializer_list<std::string_view> options) {
    for (const std::string_view option : options) {
      out_.options += option;
      out_.options += '\0';
    }
  }

  void namespaces(int info) {
    add({"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"});
    if (plan_.network != NetworkMode::Direct) add({"--unshare-net"});
    if (plan_.bubblewrap.disables_userns) add({"--disable-userns"});
    add({"--cap-drop", "ALL", "--die-with-parent", "--chdir", "/", "--info-fd", std::to_string(info)});
  }

  Status step(const PlanStep& step) {
    switch (step.op) {
      case Op::BindRead:
        return bind("--ro-bind-fd", step);
      case Op::BindWrite:
        return bind("--bind-fd", step);
      case Op::Protect:
        return bind("--ro-bind-fd", step);
      case Op::InnerStage:
        return bind("--ro-bind-fd", {Op::InnerStage, step.path, inner_stage_});
      case Op::NameServer:
        return name_server(step);
      case Op::Mask:
        return mask(step);
      case Op::Empty:
        if (step.is_nested) check_later(false, nullptr);
        add({"--perms", octal(step.mode), "--tmpfs", step.path});
        return {};
      case Op::Folder:
        add({"--perms", octal(step.mode), "--dir", step.path});
        return {};
      case Op::Link:
        return link(step);
      case Op::Processes:
        add({"--proc", step.path});
        return {};
      case Op::Devices:
        add({"--dev", step.path});
        return {};
      case Op::Seal:
        if (!unsealed_.contains(step.path)) add({"--remount-ro", step.path});
        return {};
      case Op::Namespaces:
      case Op::Landlock:
      case Op::Filter:
      case Op::Start:
        return {};
    }
    return fail(Code::Internal, "a step of no known kind");
  }

  /// The source, or nothing where it may be missing and is.
  Status open_source(const PlanStep& step, const std::string& source, Pin& out) {
    auto pinned = pin(source);
    if (!pinned) {
      if (!step.optional || !is_missing(pinned.error())) return fail(std::move(pinned).error());
      out_.found.back() = Found::Missing;
      return {};
    }
    out_.found.back() = pinned->kind == FileKind::Folder ? Found::Folder : Found::File;
    if (step.kind != FileKind::Any && step.kind != pinned->kind) {
      return fail(Code::Gone, posix::escaped(source) + ": is " + std::string(kind_words(pinned->kind)) +
                                  " now, and was " + std::string(kind_words(step.kind)));
    }
    out = std::move(*pinned);
    return {};
  }

  Status bind(std::string_view option, const PlanStep& step) {
    Pin source;
    LNK_CHECK(open_source(step, step.source, source));
    if (!source.fd.is_open()) return {};
    // What waits at its other end is outside: an empty file stands there instead.
    if (source.kind == FileKind::Special) {
      if (step.is_nested) check_later(true, nullptr);
      return mask_file(step.path);
    }
    if (step.is_nested) check_later(step.op != Op::BindWrite, &source);
    add({option, hold(std::move(source.fd)), step.path});
    return {};
  }

  void check_later(bool is_read_only, const Pin* source) {
    MountCheck check{out_.found.size() - 1, is_read_only, source != nullptr, 0, 0};
    if (source != nullptr) {
      check.device = source->device;
      check.inode = source->inode;
    }
    out_.checks.push_back(check);
  }

  Status link(const PlanStep& step) {
    // An optional grant's link is left out with it.
    if (step.optional) {
      Pin target;
      LNK_CHECK(open_source(step, step.source, target));
      if (!target.fd.is_open()) return {};
    }
    add({"--symlink", step.source, step.path});
    return {};
  }

  Status mask(const PlanStep& step) {
    // What lies in the sandbox's own /proc can't be looked at from here; the plan knows what it is.
    if (is_within(step.path, "/proc")) return step.kind == FileKind::Folder ? mask_folder(step) : mask_file(step.path);
    Pin there;
    LNK_CHECK(open_source(step, step.path, there));
    if (there.fd.is_open() && step.is_nested) check_later(true, nullptr);
    if (there.fd.is_open() && out_.found.back() == Found::Folder) return mask_folder(step);
    unsealed_.insert(step.path);
    return there.fd.is_open() ? mask_file(step.path) : Status{};
  }

  /// Below the system's folders, which are read only, nothing can be made where nothing is; there the C libraries and Go ask
  /// 127.0.0.1 by themselves. In a place of the sandbox's own it is made.
  Status name_server(const PlanStep& step) {
    constexpr std::string_view kAsksTheWire = "# The endpoints of this sandbox's spec, and no other name.\nnameserver 127.0.0.1\noptions ndots:1\n";
    Pin there;
    LNK_CHECK(open_source(step, step.path, there));
    if (!there.fd.is_open() && (is_within(step.path, "/etc") || is_within(step.path, "/usr"))) return {};
    out_.found.back() = Found::File;
    LNK_TRY(auto file, posix::make_sealed_file("resolv.conf", kAsksTheWire));
    add({"--perms", octal(step.mode), "--ro-bind-data", hold(std::move(file)), step.path});
    return {};
  }

  Status mask_folder(const PlanStep& step) {
    add({"--perms", octal(step.mode), "--tmpfs", step.path});
    return {};
  }

  /// An empty file that none may read: bubblewrap copies it from a descriptor that is at its end.
  Status mask_file(const std::string& path) {
    UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing.is_open()) return posix::os_fail(Code::Internal, "open", "/dev/null", errno);
    add({"--perms", "0000", "--ro-bind-data", hold(std::move(nothing)), path});
    return {};
  }

  std::string hold(UniqueFd fd) {
    const std::string number = std::to_string(fd.get());
    out_.held.push_back(std::move(fd));
    return number;
  }

  const Plan& plan_;
  const std::string& inner_stage_;
  Arguments out_;
  std::unordered_set<std::string_view> unsealed_;
};

}  // namespace

Result<Arguments> make_arguments(const Plan& plan, const std::string& inner_stage, int info) {
  return Writer(plan, inner_stage).write(info);
}

}  // namespace lnk::os_linux
