// SPDX-License-Identifier: Apache-2.0
#include "launch/broker_request.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>

#include "lnk/posix/io.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kVerbIdBytesMax = 64;  // as a note's id
constexpr std::size_t kToolNameBytesMax = 40;
constexpr std::size_t kUrlBytesMax = 32 * 1024;
constexpr std::size_t kQuestionFileBytesMax = 2 * kQuestionBytesMax + 4096;  // with what JSON escapes
constexpr std::int64_t kIdMax = std::int64_t{1} << 53;  // what any reader of JSON keeps whole

struct Form {
  std::string_view what;
  BrokerWish wish;
  std::string_view value;  ///< the key beside id, verb and what; empty: there is none
};

constexpr std::array<Form, 8> kForms = {{{"connect-inside", BrokerWish::ConnectInside, "port"},
                                         {"question", BrokerWish::Question, {}},
                                         {"withdraw", BrokerWish::Withdraw, {}},
                                         {"start-tool", BrokerWish::StartTool, "tool"},
                                         {"stop-tool", BrokerWish::StopTool, {}},
                                         {"open-page", BrokerWish::OpenPage, "url"},
                                         {"listen-outside", BrokerWish::ListenOutside, "port"},
                                         {"stop-listening", BrokerWish::StopListening, {}}}};

Failure bad() { return fail(Code::Invalid, "the wire asked what its front doesn't know"); }

/// A verb's id, or a tool's name.
bool is_name(std::string_view id, std::size_t bytes_max) noexcept {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !id.empty() && id.size() <= bytes_max && std::all_of(id.begin(), id.end(), fits);
}

bool is_url(std::string_view url) noexcept {
  const auto is_plain = [](char c) { return c > 0x20 && c < 0x7f; };
  return (url.starts_with("http://") || url.starts_with("https://")) && url.size() <= kUrlBytesMax &&
         std::all_of(url.begin(), url.end(), is_plain);
}

const json::object* table_under(const json::value& value, std::string_view key) {
  const auto* object = value.if_object();
  if (object == nullptr || object->size() != 1) return nullptr;
  const auto* under = object->if_contains(key);
  return under == nullptr ? nullptr : under->if_object();
}

/// 0: none, or out of bounds.
std::int64_t number_under(const json::object& table, std::string_view key, std::int64_t most) {
  const auto* value = table.if_contains(key);
  const auto* number = value == nullptr ? nullptr : value->if_int64();
  return number == nullptr || *number < 1 || *number > most ? 0 : *number;
}

std::string text_under(const json::object& table, std::string_view key) {
  const auto* value = table.if_contains(key);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

const Form* form_of(const json::object& table) {
  const auto what = text_under(table, "what");
  const auto* form = std::find_if(kForms.begin(), kForms.end(), [&what](const Form& each) { return each.what == what; });
  if (form == kForms.end() || table.size() != (form->value.empty() ? 3U : 4U)) return nullptr;
  return form;
}

bool is_sound(const BrokerRequest& request) {
  switch (request.wish) {
    case BrokerWish::ConnectInside:
    case BrokerWish::ListenOutside:
      return request.port != 0;
    case BrokerWish::StartTool:
      return is_name(request.text, kToolNameBytesMax);
    case BrokerWish::OpenPage:
      return is_url(request.text);
    case BrokerWish::Question:
    case BrokerWish::Withdraw:
    case BrokerWish::StopTool:
    case BrokerWish::StopListening:
      break;
  }
  return true;
}

}  // namespace

Result<BrokerRequest> read_broker_request(std::string_view packet) {
  json::error_code error;
  const auto value = json::parse({packet.data(), packet.size()}, error);
  const auto* table = error ? nullptr : table_under(value, "ask");
  const auto* form = table == nullptr ? nullptr : form_of(*table);
  if (form == nullptr) return bad();
  BrokerRequest request{static_cast<std::uint64_t>(number_under(*table, "id", kIdMax)), text_under(*table, "verb"), form->wish};
  if (form->value == "port") request.port = static_cast<std::uint16_t>(number_under(*table, form->value, 65535));
  else if (!form->value.empty()) request.text = text_under(*table, form->value);
  if (request.id == 0 || !is_name(request.verb, kVerbIdBytesMax) || !is_sound(request)) return bad();
  return request;
}

Result<BrokerQuestion> read_broker_question(std::string_view text) {
  json::error_code error;
  const auto value = json::parse({text.data(), text.size()}, error);
  const auto* table = error ? nullptr : value.if_object();
  const auto* lines = table == nullptr || table->size() != 2 ? nullptr : table->if_contains("lines");
  if (lines == nullptr || !lines->is_array() || lines->get_array().size() > kQuestionLinesMax) return bad();
  BrokerQuestion question{text_under(*table, "title"), {}};
  if (question.title.empty()) return bad();
  for (const auto& line : lines->get_array()) {
    if (!line.is_string()) return bad();
    question.lines.emplace_back(line.get_string());
  }
  return question;
}

Result<BrokerQuestion> read_broker_question_from(int fd) {
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;  // only a memory file has any
  struct stat entry {};
  if (fd < 0 || (::fcntl(fd, F_GET_SEALS) & kSeals) != kSeals || ::fstat(fd, &entry) != 0 || !S_ISREG(entry.st_mode)) return bad();
  if (static_cast<std::uint64_t>(entry.st_size) > kQuestionFileBytesMax) return fail(Code::Limit, "a question over 8 MiB");
  std::string text(static_cast<std::size_t>(entry.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got =
        posix::retry([&] { return ::pread(fd, text.data() + have, text.size() - have, static_cast<off_t>(have)); });
    if (got <= 0) return bad();
    have += static_cast<std::size_t>(got);
  }
  return read_broker_question(text);
}

}  // namespace lnk::host
