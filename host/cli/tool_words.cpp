// SPDX-License-Identifier: Apache-2.0
#include "cli/tool_words.hpp"

#include "spec/shown.hpp"

namespace lnk::host {
namespace {

std::string listed(const std::vector<std::string>& texts) {
  std::string line;
  for (const auto& text : texts) line += (line.empty() ? "" : ", ") + host::quoted_whole(text);
  return line;
}

}  // namespace

std::string tool_command_in_words(const GrantedTool& tool) {
  if (tool.argv.empty()) return "the server at " + shown(tool.url);
  std::string words;
  for (const auto& word : tool.argv) words += (words.empty() ? "" : " ") + host::quoted_whole(word);
  return words;
}

std::vector<std::string> tool_in_words(const GrantedTool& tool) {
  const std::string name = "the tool " + host::quoted_whole(tool.name);
  std::vector<std::string> lines = {
      "uses     " + name +
      ", which runs outside of the sandbox as you, with all that you may: " + tool_command_in_words(tool)};
  if (!tool.headers.empty())
    lines.push_back("uses     " + name + " with its kept field " + listed(tool.headers) + ", without holding it");
  if (!tool.env.empty())
    lines.push_back("uses     " + name + " with the variables " + listed(tool.env) + " as they were when it was added");
  if (!tool.roots.empty()) lines.push_back("uses     " + name + ", told of the folders " + listed(tool.roots));
  std::vector<std::string> unasked;
  for (const auto& [one, hash] : tool.allow) unasked.push_back(one);
  if (!tool.asks)
    lines.push_back("uses     " + name + " unasked, whatever it offers");
  else if (unasked.empty())
    lines.push_back("asks     you before each call of " + name);
  else
    lines.push_back("uses     " + name + " unasked for " + listed(unasked) +
                    ", as long as each is defined as it was when it was added");
  if (tool.asks && !unasked.empty()) lines.push_back("asks     you before each other call of " + name);
  return lines;
}

}  // namespace lnk::host
