// SPDX-License-Identifier: Apache-2.0
#include "modules/library.hpp"

#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <exception>
#include <string>

#include "lnk/posix/os_error.hpp"

namespace lnk::host {

namespace {

constexpr const char* kSymbol = "lnk_module_v1";

/// now: a symbol that is missing is told here and not in the middle of a call. local: no module's names reach
/// another's. RTLD_NODELETE, for which Boost.DLL has no name: the destructor's dlclose drops a count and unmaps
/// nothing, so that no call, handler or leak report ever points into a hole.
constexpr auto kMode = static_cast<boost::dll::load_mode::type>(
    static_cast<unsigned>(boost::dll::load_mode::rtld_now) | static_cast<unsigned>(boost::dll::load_mode::rtld_local) |
    static_cast<unsigned>(RTLD_NODELETE));

}  // namespace

Result<const lnk_module_api*> open_library(const std::filesystem::path& file) {
  // Boost.DLL puts "./" before a bare name, which would be the current folder.
  if (!file.is_absolute()) return fail(Code::Invalid, "'" + posix::escaped(file.native()) + "' is not absolute");
  // The overloads that take an error_code lose the loader's words; these throw, and it ends here.
  try {
    boost::dll::shared_library library(file, kMode);
    if (!library.has(kSymbol)) return fail(Code::Invalid, std::string("it exports no symbol ") + kSymbol);
    return &library.get<const lnk_module_api>(kSymbol);
  } catch (const std::exception& thrown) {
    return fail(Code::Invalid, "it can't be loaded: " + posix::escaped(thrown.what()));
  }
}

}  // namespace lnk::host
