// SPDX-License-Identifier: Apache-2.0
#include "held_json.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace lnk::verb_secret {
namespace {

namespace json = boost::json;
using secret::HeldField;

constexpr std::string_view kRefused = "is refused by the rule's \"refuse_body\"";
constexpr std::string_view kNoJson = "is no JSON that every reader reads alike";
constexpr std::string_view kTwice = "has a key twice";
constexpr std::string_view kTooDeep = "holds JSON in texts of JSON, deeper than is read";

std::optional<HeldFault> read_json(const std::vector<HeldField>& fields, std::string_view text, std::string name, std::size_t depth);

/// What basic_parser calls. Elements of a list stand under the name of the list.
class FieldHandler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Text = json::string_view;
  using Code = json::error_code;

  FieldHandler(const std::vector<HeldField>& fields, std::string name, std::size_t depth)
      : fields_(fields), name_(std::move(name)), depth_(depth) {}

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code& code) { return open(code, true); }
  bool on_object_end(std::size_t, Code&) { return close(); }
  bool on_array_begin(Code& code) { return open(code, false); }
  bool on_array_end(std::size_t, Code&) { return close(); }
  bool on_key_part(Text part, std::size_t, Code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_key(Text part, std::size_t, Code& code) {
    text_.append(part.data(), part.size());
    name_ = std::exchange(text_, {});
    if (!open_.back().keys.insert(name_).second) return stop(code, kTwice);
    return secret::may_stand(fields_, name_) || stop(code, kRefused);
  }
  bool on_string_part(Text part, std::size_t, Code&) {
    text_.append(part.data(), part.size());
    return true;
  }
  bool on_string(Text part, std::size_t, Code& code) {
    text_.append(part.data(), part.size());
    const auto text = std::exchange(text_, {});
    if (name_.empty()) return true;
    switch (secret::hold_text(fields_, name_, text)) {
      case secret::Held::Passes: return true;
      case secret::Held::Refused: return stop(code, kRefused);
      case secret::Held::Json: break;
    }
    const auto fault = read_json(fields_, text, name_, depth_ + 1);
    return !fault || stop(code, fault->why);
  }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t, Text, Code&) { return true; }
  bool on_uint64(std::uint64_t, Text, Code&) { return true; }
  bool on_double(double, Text, Code&) { return true; }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }

  [[nodiscard]] const std::optional<HeldFault>& fault() const noexcept { return fault_; }

 private:
  struct Open {
    std::string name;  ///< of what is opened, and of what follows behind it in a list
    bool is_object;
    std::set<std::string> keys = {};
  };

  bool open(Code& code, bool is_object) {
    // A whole text may be JSON's beginning: what it stands under was held before.
    if (!open_.empty() && !secret::may_contain(fields_, name_)) return stop(code, kRefused);
    open_.push_back({name_, is_object});
    return true;
  }
  bool close() {
    name_ = std::move(open_.back().name);
    open_.pop_back();
    return true;
  }
  bool stop(Code& code, std::string_view fault) {
    fault_ = HeldFault{name_, fault};
    code = json::make_error_code(json::error::syntax);
    return false;
  }

  const std::vector<HeldField>& fields_;
  std::string name_;
  std::size_t depth_;
  std::vector<Open> open_;
  std::string text_;
  std::optional<HeldFault> fault_;
};

std::optional<HeldFault> read_json(const std::vector<HeldField>& fields, std::string_view text, std::string name, std::size_t depth) {
  if (depth > kJsonInTextMax) return HeldFault{std::move(name), kTooDeep};
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::basic_parser<FieldHandler> parser(options, fields, name, depth);
  json::error_code error;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (parser.handler().fault()) return parser.handler().fault();
  if (error || used != text.size() || !parser.done()) return HeldFault{std::move(name), kNoJson};
  return std::nullopt;
}

}  // namespace

std::optional<HeldFault> held_json_fault(const std::vector<HeldField>& fields, std::string_view json) { return read_json(fields, json, {}, 0); }

std::string_view held_fault(const std::vector<HeldField>& fields, std::string_view name, std::string_view text) {
  switch (secret::hold_text(fields, name, text)) {
    case secret::Held::Passes: return {};
    case secret::Held::Refused: return kRefused;
    case secret::Held::Json: break;
  }
  const auto fault = read_json(fields, text, std::string(name), 1);
  return fault ? fault->why : std::string_view{};
}

}  // namespace lnk::verb_secret
