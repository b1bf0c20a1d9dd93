// SPDX-License-Identifier: Apache-2.0
//
// init: a starter spec for the current folder.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "cli/commands.hpp"
#include "cli/prepare.hpp"
#include "cli/say.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "spec/shown.hpp"
#include "spec/spec.hpp"

namespace lnk::host {
namespace {

constexpr const char* kStarter = "lnk-sandbox.toml";

/// The least that still does the job: the folder, and nothing else. The rest stands as comments, so that each is one edit away.
std::string starter_text(const std::string& folder) {
  return "# What a program may touch in this folder. Nothing reads this file by itself: name it.\n"
         "#   lnk-sandbox describe --spec " + std::string(kStarter) + "\n"
         "#   lnk-sandbox run --spec " + std::string(kStarter) + " -- CMD...\n"
         "# What is not named is closed. Paths are absolute, or begin with ~/ (the home) or ./ (this folder).\n"
         "name = \"" + default_name(folder) + "\"\n"
         "\n"
         "[files]\n"
         "write = [\"./\"]        # reads too; this file stays read only\n"
         "# read = [\"~/src/lib\", \"~/.cache/pip?\"]    # a ? at the end: only if it is there\n"
         "# hide = [\"./private\"]                     # closed, whatever else is open\n"
         "\n"
         "# [commands]\n"
         "# allow = [\"git\", \"make\"]    # only these may start; lnk-sandbox learn tells which a command needs\n"
         "\n"
         "# [network]\n"
         "# hosts = [\"registry.npmjs.org\", \"*.pythonhosted.org\"]    # none: no network at all\n"
         "\n"
         "# [lan]\n"
         "# machines = [\"nas.local:445\", \"192.168.1.20:8080\"]    # of your own network, each with its port\n"
         "\n"
         "# [localhost]\n"
         "# ports = [5432]    # of this machine, found at localhost:5432 inside\n"
         "\n"
         "# [model]\n"
         "# providers = [\"anthropic\"]    # hosted models, by a key that lnk-sandbox key add keeps outside\n"
         "# local = [11434]    # a runtime of models on this machine, for inference alone, at localhost:11434 inside\n"
         "\n"
         "# [tcp]\n"
         "# endpoints = [\"db.example.com:5432\"]    # for what speaks no proxy: databases, ssh\n"
         "\n"
         "# [secrets]\n"
         "# use = [\"telegram\"]    # kept outside by lnk-sandbox secret add, and put in by the wire\n"
         "\n"
         "# [tools]\n"
         "# use = [\"files\"]    # MCP tools that run outside as you, kept by lnk-sandbox tool add\n"
         "\n"
         "# [limits]\n"
         "# calls_per_minute = 120    # of all that it reaches\n"
         "\n"
         "# [env]\n"
         "# pass = [\"EDITOR\"]\n";
}

Status write_starter(const std::string& text) {
  // A new file or none: what is there, a link too, is the person's.
  const UniqueFd fd(::open(kStarter, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!fd.is_open() && errno == EEXIST)
    return fail(Code::Denied, std::string(kStarter) + " is there already, and stays as it is; look at it with: lnk-sandbox describe --spec " + kStarter);
  if (!fd.is_open())
    return fail(Code::Gone,
                std::string(kStarter) + " can't be made here: " + std::string(posix::errno_words(errno)) +
                    "; go to the folder that the program works in, and make it there",
                errno);
  return posix::write_all(fd.get(), text);
}

}  // namespace

int init(const Context& context) {
  const auto facts = context.facts();
  if (!facts) return say_refused(facts.error());
  if (facts->cwd.empty()) return say_refused({Code::Gone, "the current folder is gone or closed to you"});
  if (const auto done = write_starter(starter_text(facts->cwd)); !done) return say_refused(done.error());
  // A folder that no spec may write, the home for one, gets none: the reasons are those of the spec.
  const auto prepared = prepare(context, kStarter, Spec(), {});
  if (!prepared) {
    if (::unlink(kStarter) != 0) say(std::string(kStarter) + " was left, and can't be removed");
    return say_refused({prepared.error().code, "no spec is made in " + host::quoted(facts->cwd) + ", since none may open it so:\n" +
                                                   prepared.error().text +
                                                   "\ngo to the folder that the program works in, and make it there"});
  }
  return print(std::string(kStarter) + " is made. What it opens: lnk-sandbox describe --spec " + kStarter + "\n") ? 0 : kRefused;
}

}  // namespace lnk::host
