// SPDX-License-Identifier: Apache-2.0
#include "launch/front_services.hpp"

namespace lnk::host {
namespace {

Failure not_yet() { return fail(Code::Unsupported, "not in this version"); }

}  // namespace

Status FrontServices::ask(std::uint64_t, std::string_view, BrokerQuestion, std::function<void(Verdict)>) { return not_yet(); }
void FrontServices::withdraw(std::uint64_t) {}
Result<UniqueFd> FrontServices::start_tool(std::uint64_t, std::string_view, std::function<void(int code)>) { return not_yet(); }
void FrontServices::stop_tool(std::uint64_t) {}
void FrontServices::open_page(std::string_view, std::function<void(Status)> done) { done(not_yet()); }
Result<std::vector<UniqueFd>> FrontServices::listen_outside(std::uint16_t) { return not_yet(); }

}  // namespace lnk::host
