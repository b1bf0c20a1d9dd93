// SPDX-License-Identifier: Apache-2.0
#include "launch/front_services.hpp"

#include "spec/shown.hpp"

namespace lnk::host {
namespace {

Failure not_yet() { return fail(Code::Unsupported, "not in this version"); }

}  // namespace

FrontServices::FrontServices(Wall& wall, const RunRequest& request) : wall_(wall), notice_(request.notice) {
  const auto ended = [this](std::uint64_t id, int code) {
    if (auto told = tool_ends_.extract(id)) told.mapped()(code);
  };
  if (!request.snapshot.grants.tools.empty()) tools_.emplace(request.parts, request.settings, request.snapshot.grants.tools, ended);
}

Status FrontServices::ask(std::uint64_t, std::string_view, BrokerQuestion, std::function<void(Verdict)>) { return not_yet(); }
void FrontServices::withdraw(std::uint64_t) {}
Result<UniqueFd> FrontServices::start_tool(std::uint64_t id, std::string_view name, std::function<void(int code)> ended) {
  if (!tools_) return not_yet();
  auto stream = tools_->start(id, name);
  if (stream)
    tool_ends_.emplace(id, std::move(ended));
  else if (told_.emplace(name).second)
    notice_("the tool " + host::quoted(name) + " can't be started: " + stream.error().text);
  return stream;
}

void FrontServices::stop_tool(std::uint64_t id) {
  if (tools_) tools_->stop(id);
}

void FrontServices::open_page(std::string_view, std::function<void(Status)> done) { done(not_yet()); }
Result<std::vector<UniqueFd>> FrontServices::listen_outside(std::uint16_t) { return not_yet(); }

}  // namespace lnk::host
