// SPDX-License-Identifier: Apache-2.0
#include "methods.hpp"

#include <algorithm>
#include <array>

namespace lnk::verb_mcp {
namespace {

using Names = std::span<const std::string_view>;

// "_meta" is in each. inputResponses and requestState are the stateless family's second try at a request.
constexpr auto kMeta = std::to_array<std::string_view>({"_meta"});
constexpr auto kList = std::to_array<std::string_view>({"cursor", "_meta"});
constexpr auto kInitialize = std::to_array<std::string_view>({"protocolVersion", "capabilities", "clientInfo", "_meta"});
constexpr auto kCall = std::to_array<std::string_view>({"name", "arguments", "task", "inputResponses", "requestState", "_meta"});
constexpr auto kPrompt = std::to_array<std::string_view>({"name", "arguments", "inputResponses", "requestState", "_meta"});
constexpr auto kRead = std::to_array<std::string_view>({"uri", "inputResponses", "requestState", "_meta"});
constexpr auto kUri = std::to_array<std::string_view>({"uri", "_meta"});
constexpr auto kComplete = std::to_array<std::string_view>({"ref", "argument", "context", "_meta"});
constexpr auto kLevel = std::to_array<std::string_view>({"level", "_meta"});
constexpr auto kTask = std::to_array<std::string_view>({"taskId", "_meta"});
constexpr auto kTaskUpdate = std::to_array<std::string_view>({"taskId", "inputResponses", "_meta"});
constexpr auto kListen = std::to_array<std::string_view>({"notifications", "_meta"});
constexpr auto kCancelled = std::to_array<std::string_view>({"requestId", "reason", "_meta"});
constexpr auto kProgress = std::to_array<std::string_view>({"progressToken", "progress", "total", "message", "_meta"});
constexpr auto kTaskStatus = std::to_array<std::string_view>(
    {"taskId", "status", "statusMessage", "createdAt", "lastUpdatedAt", "ttl", "pollInterval", "_meta"});

constexpr std::uint8_t kOld = static_cast<std::uint8_t>(Family::Sessions);
constexpr std::uint8_t kNew = static_cast<std::uint8_t>(Family::Stateless);
constexpr std::uint8_t kBoth = kOld | kNew;

constexpr Method request(std::string_view name, std::uint8_t families, Names members) {
  return {name, Way::ToServer, Form::Request, families, false, members, {}};
}
constexpr Method asked(std::string_view name, std::uint8_t families, Names members, std::string_view named_by) {
  return {name, Way::ToServer, Form::Request, families, true, members, named_by};
}
constexpr Method told(std::string_view name, std::uint8_t families, Names members) {
  return {name, Way::ToServer, Form::Notification, families, false, members, {}};
}
constexpr Method wanted(std::string_view name) { return {name, Way::ToClient, Form::Request, kOld, false, {}, {}}; }
constexpr Method news(std::string_view name, std::uint8_t families) {
  return {name, Way::ToClient, Form::Notification, families, false, {}, {}};
}

constexpr auto kMethods = std::to_array<Method>({
    request("initialize", kOld, kInitialize),
    request("ping", kOld, kMeta),
    request("tools/list", kBoth, kList),
    request("resources/list", kBoth, kList),
    request("resources/templates/list", kBoth, kList),
    request("prompts/list", kBoth, kList),
    request("resources/subscribe", kOld, kUri),
    request("resources/unsubscribe", kOld, kUri),
    request("logging/setLevel", kOld, kLevel),
    request("server/discover", kNew, kMeta),
    request("subscriptions/listen", kNew, kListen),
    asked("tools/call", kBoth, kCall, "name"),
    asked("resources/read", kBoth, kRead, "uri"),
    asked("prompts/get", kBoth, kPrompt, "name"),
    asked("completion/complete", kBoth, kComplete, {}),
    asked("tasks/get", kBoth, kTask, "taskId"),
    asked("tasks/cancel", kBoth, kTask, "taskId"),
    asked("tasks/result", kOld, kTask, {}),
    asked("tasks/list", kOld, kList, {}),
    asked("tasks/update", kNew, kTaskUpdate, "taskId"),
    told("notifications/initialized", kOld, kMeta),
    told("notifications/cancelled", kBoth, kCancelled),
    told("notifications/progress", kOld, kProgress),
    told("notifications/tasks/status", kOld, kTaskStatus),

    // roots/list is answered by the verb, and never carried in.
    wanted("roots/list"),
    wanted("ping"),
    wanted("sampling/createMessage"),
    wanted("elicitation/create"),
    wanted("tasks/get"),
    wanted("tasks/result"),
    wanted("tasks/cancel"),
    wanted("tasks/list"),
    news("notifications/cancelled", kBoth),
    news("notifications/progress", kBoth),
    news("notifications/message", kBoth),
    news("notifications/tools/list_changed", kBoth),
    news("notifications/resources/list_changed", kBoth),
    news("notifications/prompts/list_changed", kBoth),
    news("notifications/resources/updated", kBoth),
    news("notifications/tasks/status", kOld),
    news("notifications/elicitation/complete", kBoth),
    news("notifications/subscriptions/acknowledged", kNew),
    news("notifications/tasks", kNew),
});

}  // namespace

const Method* find_method(std::string_view name, Way way, Form form, Family family) noexcept {
  const auto* found = std::find_if(kMethods.begin(), kMethods.end(), [&](const Method& method) {
    return method.name == name && method.way == way && method.form == form &&
           (method.families & static_cast<std::uint8_t>(family)) != 0;
  });
  return found == kMethods.end() ? nullptr : found;
}

std::span<const Method> all_methods() noexcept { return kMethods; }

bool is_session_version(std::string_view version) noexcept {
  return version == "2025-11-25" || version == "2025-06-18" || version == "2025-03-26" || version == "2024-11-05";
}

}  // namespace lnk::verb_mcp
