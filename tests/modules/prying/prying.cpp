// SPDX-License-Identifier: Apache-2.0
//
// A verb that tries to get out of the process that loaded it, once in create and once at its first request, and answers
// every request with what came of it. Built for tests and never installed.
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "lnk/cpp/verb.hpp"
#include "prying/tries.hpp"

namespace {

using prying::Outcome;

/// The texts between double quotes behind "files": plain paths without escapes, which is all that a test gives.
std::vector<std::string> files_of(std::string_view config_json) {
  std::vector<std::string> files;
  const std::size_t key = config_json.find("\"files\"");
  if (key == std::string_view::npos) return files;
  std::string_view rest = config_json.substr(key + 7);
  for (std::size_t open = rest.find('"'); open != std::string_view::npos; open = rest.find('"')) {
    const std::size_t close = rest.find('"', open + 1);
    if (close == std::string_view::npos) break;
    files.emplace_back(rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
  }
  return files;
}

std::string errno_name(int os_errno) {
  const char* name = ::strerrorname_np(os_errno);
  return name != nullptr ? name : std::to_string(os_errno);
}

std::string to_json(const std::vector<Outcome>& outcomes) {
  std::string out = "[";
  for (const Outcome& outcome : outcomes) {
    if (out.size() > 1) out += ',';
    out += R"({"try":")" + outcome.name + R"(","worked":)" + (outcome.os_errno == 0 ? "true" : "false");
    out += R"(,"errno":)" + std::to_string(outcome.os_errno);
    out += R"(,"name":")" + (outcome.os_errno == 0 ? std::string() : errno_name(outcome.os_errno)) + "\"}";
  }
  return out + "]";
}

class Prying {
 public:
  static constexpr std::string_view kId = "prying";
  static constexpr std::string_view kVersion = "1.0.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<lnk::VerbInterface>;

  static lnk::Status check_config(std::string_view) { return {}; }
  static lnk::Result<std::unique_ptr<Prying>> create(lnk::Host, std::string_view config_json) {
    auto self = std::make_unique<Prying>();
    self->files_ = files_of(config_json);
    self->at_create_ = to_json(prying::try_all(self->files_));
    return self;
  }

  lnk::Status declare(lnk::Declaration& declaration) { return declaration.route(LNK_ROUTE_EXACT, "prying"); }

  lnk::Status event(const lnk::Event& event, lnk::Actions& actions) {
    if (!std::holds_alternative<lnk::HeadEvent>(event.what)) return {};
    if (!at_event_) at_event_ = to_json(prying::try_all(files_));
    const std::string body = R"({"create":)" + at_create_ + R"(,"event":)" + *at_event_ + "}\n";
    return actions.answer({200, {{"Content-Type", "application/json"}}, body});
  }

 private:
  std::vector<std::string> files_;
  std::string at_create_;
  std::optional<std::string> at_event_;
};

}  // namespace

LNK_MODULE(Prying)
