// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "limits.hpp"

namespace lnk::verb_mcp {
namespace {

/// What MCP itself puts there says nothing of what is done. The rest goes to the server too, and is shown.
constexpr auto kPlainMeta = std::to_array<std::string_view>(
    {"progressToken", "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientInfo",
     "io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/logLevel"});
constexpr std::size_t kKeyBytesMax = 64;
constexpr std::size_t kTitleNameBytesMax = 160;  ///< of the 256 that the host lets a title have

/// A key that isn't plain is shown as JSON writes it, so that none can look like a key with its value.
std::string shown_key(std::string_view key) {
  const bool is_plain = !key.empty() && key.size() <= kKeyBytesMax && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (is_plain) return std::string(key);
  std::string out;
  jsonfilter::append_string(out, key);
  return out;
}

class Lines {
 public:
  explicit Lines(std::vector<std::string>& lines) : lines_(lines) {}

  void add(std::string_view before, std::string_view key, const Json& value) {
    lines_.push_back(std::string(before) + shown_key(key) + ": " + jsonfilter::write(value));
    bytes_ += lines_.back().size();
  }
  void add_members(std::string_view before, const Json& object) {
    for (const auto& item : object.items()) add(before, item.key, item.value);
  }
  [[nodiscard]] bool is_over() const noexcept { return lines_.size() > kQuestionLinesMax || bytes_ > kQuestionBytesMax; }

 private:
  std::vector<std::string>& lines_;
  std::size_t bytes_ = 0;
};

bool is_plain_meta(std::string_view key) noexcept {
  return std::find(kPlainMeta.begin(), kPlainMeta.end(), key) != kPlainMeta.end();
}

}  // namespace

std::optional<Question> make_question(const Tool& tool, const Method& method, const Json& params) {
  Question question;
  const bool is_call = method.name == "tools/call";
  const Json* name = params.find("name");
  const std::string shown = is_call && name != nullptr ? shown_key(name->text()) : std::string(method.name);
  const bool is_short = shown.size() <= kTitleNameBytesMax;
  question.title = "Let the tool server \"" + tool.name + "\" " + (is_call ? "run " : "answer ") +
                   (is_short ? shown : "a tool of a long name") + '?';
  if (!is_short) question.lines.push_back("tool: " + shown);
  Lines lines(question.lines);
  for (const auto& item : params.items()) {
    if (is_call && item.key == "name") continue;
    if (item.key == "arguments" && item.value.is_object()) {
      lines.add_members(is_call ? "" : "arguments.", item.value);
    } else if (item.key != "_meta") {
      lines.add(is_call ? "params." : "", item.key, item.value);
    }
  }
  if (const Json* meta = params.find("_meta"); meta != nullptr) {
    for (const auto& item : meta->items())
      if (!is_plain_meta(item.key)) lines.add("_meta.", item.key, item.value);
  }
  if (!lines.is_over()) return question;
  question.lines.assign(1, "params: " + jsonfilter::write(params));
  if (question.lines.front().size() > kQuestionBytesMax) return std::nullopt;
  return question;
}

void add_standing(Question& question, const Tool& tool, const ToolList& list, std::string_view name) {
  if (standing_of(tool, list, name) == Standing::Changed)
    question.lines.emplace_back("this tool is another than the one that was allowed: its definition changed since");
  const ListedTool* listed = list.find(name);
  if (listed == nullptr) {
    question.lines.emplace_back("the server doesn't list this tool");
    return;
  }
  question.lines.insert(question.lines.end(), listed->hints.begin(), listed->hints.end());
}

std::string refusal_reply(const Id& id, const Method& method, Family family, std::string_view words) {
  if (method.name != "tools/call") return make_error(id, kRefused, words);
  std::string out = R"({"jsonrpc":"2.0","id":)" + id.json() + R"(,"result":{)";
  if (family == Family::Stateless) out += R"("resultType":"complete",)";
  out += R"("content":[{"type":"text","text":)";
  jsonfilter::append_string(out, words);
  return out += R"(}],"isError":true}})";
}

std::string_view words_of(Answer answer) noexcept {
  switch (answer) {
    case Answer::Yes: return "yes";
    case Answer::No: return "the person who was asked said no; this was not done, and asking the same again won't help";
    case Answer::TimedOut: break;
  }
  return "nobody answered in two minutes; this was not done, and it may be asked again when somebody is there";
}

}  // namespace lnk::verb_mcp
