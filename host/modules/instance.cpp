// SPDX-License-Identifier: Apache-2.0
#include "modules/instance.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {

namespace {
constexpr std::size_t kLogLineMax = 4096;  // bytes of one line of a module
}

/// What a module's `lnk_host *` points to.
struct Instance::HostSide {
  std::string id;
  ModuleLog log;
  std::thread::id loop = std::this_thread::get_id();

  static HostSide& of(lnk_host* host) noexcept { return *reinterpret_cast<HostSide*>(host); }

  /// This version of the host has no table that a module may ask for.
  static const lnk_iface* query(lnk_host*, lnk_str, std::uint32_t) noexcept { return nullptr; }

  static void write_log(lnk_host* host, std::uint32_t level, lnk_str text) noexcept {
    (void)barrier(nullptr, [&]() -> Status {
      const HostSide& self = of(host);
      const bool is_known = level >= LNK_LOG_ERROR && level <= LNK_LOG_DEBUG;
      const std::uint32_t known = is_known ? level : static_cast<std::uint32_t>(LNK_LOG_ERROR);
      if (self.log) self.log(known, self.id, posix::escaped(lnk::detail::cut_text(view(text), kLogLineMax)));
      return {};
    });
  }

  static std::int32_t on_loop_thread(lnk_host* host) noexcept {
    return of(host).loop == std::this_thread::get_id() ? 1 : 0;
  }

  static constexpr lnk_host_api kApi{
      {sizeof(lnk_host_api), LNK_SDK_MAJOR, LNK_SDK_MINOR}, &query, &write_log, &on_loop_thread};
};

Result<Instance> Instance::create(const Module& module, const InstanceOptions& options) {
  const lnk_module_api& api = module.api();
  const std::string where = "module '" + std::string(module.id()) + "'";
  ErrorSlot refused;
  if (const lnk_status status = api.check_config(to_str(options.config_json), refused.get()); status != LNK_OK)
    return fail(refused.take(status).within(where + ": its configuration is refused"));

  auto host = std::make_unique<HostSide>();
  host->id = module.id();
  host->log = options.log;
  ErrorSlot failed;
  lnk_instance* made = nullptr;
  const lnk_status status = api.create(reinterpret_cast<lnk_host*>(host.get()), &HostSide::kApi,
                                       to_str(options.config_json), &made, failed.get());
  // What a failed call leaves in `made` is not an instance.
  if (status != LNK_OK) return fail(failed.take(status).within(where + ": create failed"));
  if (made == nullptr) return fail(Code::Internal, where + ": create says that it went well, and made nothing");
  return Instance(&api, std::move(host), made);
}

Instance::Instance(const lnk_module_api* api, std::unique_ptr<HostSide> host, lnk_instance* instance) noexcept
    : api_(api), host_(std::move(host)), instance_(instance) {}

Instance::Instance(Instance&& other) noexcept
    : api_(other.api_), host_(std::move(other.host_)), instance_(std::exchange(other.instance_, nullptr)) {}

Instance& Instance::operator=(Instance&& other) noexcept {
  if (this != &other) {
    reset();
    api_ = other.api_;
    host_ = std::move(other.host_);
    instance_ = std::exchange(other.instance_, nullptr);
  }
  return *this;
}

Instance::~Instance() { reset(); }

void Instance::reset() noexcept {
  if (instance_ != nullptr) api_->destroy(std::exchange(instance_, nullptr));
}

Result<const lnk_iface*> Instance::find_table(std::string_view id, std::uint32_t major, std::size_t size_min) const {
  const std::string name = std::string(id) + "/" + std::to_string(major);
  const std::string who = "module '" + host_->id + "'";
  const lnk_iface* table = api_->query(instance_, to_str(id), major);
  if (table == nullptr) return fail(Code::Unsupported, who + " has no table " + name);
  if (table->major != major)
    return fail(Code::Invalid, who + " answers " + name + " with a table of major " + std::to_string(table->major));
  if (table->size < size_min)
    return fail(Code::Invalid, who + ": its table " + name + " has " + std::to_string(table->size) +
                                   " bytes; 1.0 has " + std::to_string(size_min));
  return table;
}

}  // namespace lnk::host
