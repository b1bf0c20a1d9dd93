// SPDX-License-Identifier: Apache-2.0
#include "tools/tools_listing.hpp"

#include <algorithm>

#include "lnk/jsonfilter/document.hpp"
#include "lnk/mcp/definition.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

using jsonfilter::Value;

constexpr std::string_view kSessions = "2025-11-25";
constexpr std::string_view kNoSessions = "2026-07-28";
constexpr std::size_t kToolNameBytesMax = 128;  // as the specification of tools has it
constexpr std::size_t kWordsBytesMax = 300;     // of what a server says of an error

std::string quoted_json(std::string_view text) {
  std::string out;
  jsonfilter::append_string(out, text);
  return out;
}

std::string client_info() { return R"({"name":"lnk-sandbox","version":"1"})"; }

std::string_view text_of(const Value& message, std::string_view key) {
  const auto* value = message.find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

/// What an error says, to be shown.
std::string words_of(const Value& error) {
  const auto words = text_of(error, "message");
  return words.empty() ? "an error without words" : host::quoted(words.substr(0, kWordsBytesMax));
}

bool is_answer_to(const Value& message, std::size_t id) {
  const auto* found = message.find("id");
  return found != nullptr && found->kind() == jsonfilter::Kind::Number && found->text() == std::to_string(id) &&
         message.find("method") == nullptr;
}

}  // namespace

std::string file_uri(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char byte : path) {
    const auto number = static_cast<unsigned char>(byte);
    if (kPlain.find(byte) != std::string_view::npos)
      uri += byte;
    else
      uri += {'%', kDigits[number >> 4U], kDigits[number & 15U]};
  }
  return uri;
}

std::string ToolsListing::first() {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + std::string(kSessions) +
         R"(","capabilities":{)" + (roots_.empty() ? "" : R"("roots":{})") + R"(},"clientInfo":)" + client_info() +
         "}}\n";
}

std::string ToolsListing::ask_tools(std::string_view cursor) {
  ++id_;
  std::string params = cursor.empty() ? "" : "\"cursor\":" + quoted_json(cursor);
  if (is_newest_)
    params += std::string(params.empty() ? "" : ",") + R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" +
              std::string(kNoSessions) +
              R"(","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":)" +
              client_info() + "}";
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id_) + R"(,"method":"tools/list","params":{)" + params + "}}\n";
}

/// A server may ask before it answers. Of what it may ask there are the roots, and whether anybody is there.
std::string ToolsListing::answer_to(const Value& request) const {
  const auto* id = request.find("id");
  const bool may_answer = id != nullptr && (id->is_string() || id->kind() == jsonfilter::Kind::Number);
  if (!may_answer) return {};  // a notice
  const auto method = text_of(request, "method");
  std::string answer = R"("error":{"code":-32601,"message":"this client has no such method"})";
  if (method == "ping") answer = R"("result":{})";
  if (method == "roots/list" && !roots_.empty()) {
    answer = R"("result":{"roots":[)";
    for (const auto& root : roots_)
      answer += (&root == &roots_.front() ? "" : ",") + std::string("{\"uri\":") + quoted_json(file_uri(root)) + "}";
    answer += "]}";
  }
  return R"({"jsonrpc":"2.0","id":)" + jsonfilter::write(*id) + "," + answer + "}\n";
}

Result<std::string> ToolsListing::take(std::string_view line) {
  if (is_done()) return std::string();
  if (line.size() > kListingLineBytesMax)
    return fail(Code::Limit, "sent a line that is longer than " + std::to_string(kListingLineBytesMax) + " bytes");
  if (++lines_ > kListingLinesMax)
    return fail(Code::Limit, "sent more than " + std::to_string(kListingLinesMax) + " lines and didn't tell its tools");
  const auto document = jsonfilter::parse(line);
  // A server may print what is no message; the protocol forbids it, and its clients pass over that.
  if (!document || !document->root().is_object()) return std::string();
  const auto& message = document->root();
  if (message.find("method") != nullptr) return answer_to(message);
  if (!is_answer_to(message, id_)) return std::string();
  return step_ == Step::Initialize ? take_initialized(message) : take_tools(message);
}

Result<std::string> ToolsListing::take_initialized(const Value& message) {
  step_ = Step::Tools;
  if (const auto* result = message.find("result"); result != nullptr && result->is_object())
    return R"({"jsonrpc":"2.0","method":"notifications/initialized"})" + std::string("\n") + ask_tools({});
  const auto* error = message.find("error");
  if (error == nullptr) return fail(Code::Unsupported, "answered initialize with neither a result nor an error");
  is_newest_ = true;
  first_error_ = words_of(*error);
  return ask_tools({});
}

Result<std::string> ToolsListing::take_tools(const Value& message) {
  if (const auto* error = message.find("error"))
    return fail(Code::Unsupported, "can't list its tools: " + words_of(*error) +
                                       (first_error_.empty() ? "" : "; and it said to initialize: " + first_error_));
  const auto* result = message.find("result");
  const auto* tools = result == nullptr ? nullptr : result->find("tools");
  if (tools == nullptr || !tools->is_array())
    return fail(Code::Unsupported, "listed its tools in a form that isn't known");
  for (const auto& item : tools->items()) LNK_CHECK(add(item.value));
  const auto cursor = text_of(*result, "nextCursor");
  if (cursor.empty()) {
    step_ = Step::Done;
    return std::string();
  }
  if (++pages_ >= kListingPagesMax)
    return fail(Code::Limit, "lists its tools on more than " + std::to_string(kListingPagesMax) + " pages");
  return ask_tools(cursor);
}

Status ToolsListing::add(const Value& tool) {
  const auto name = text_of(tool, "name");
  if (name.empty() || name.size() > kToolNameBytesMax)
    return fail(Code::Unsupported,
                "lists a tool whose name is missing or longer than " + std::to_string(kToolNameBytesMax) + " bytes");
  if (tools_.size() >= kListedToolsMax)
    return fail(Code::Limit, "lists more than " + std::to_string(kListedToolsMax) + " tools");
  if (!tools_.emplace(name, mcp::definition_sha256(tool)).second)
    return fail(Code::Invalid,
                "lists the tool " + host::quoted(name) + " twice, so that what a call of it does can't be told");
  return {};
}

}  // namespace lnk::host
