// SPDX-License-Identifier: Apache-2.0
#include "unique_keys.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <set>
#include <string>
#include <vector>

namespace lnk::secret {
namespace {

namespace json = boost::json;

/// What basic_parser calls; only keys matter here.
class KeyHandler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Text = json::string_view;
  using Code = json::error_code;

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(std::size_t, Code&) { return true; }
  bool on_object_begin(Code&) {
    open_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t, Code&) {
    open_.pop_back();
    return true;
  }
  bool on_key_part(Text part, std::size_t, Code&) {
    key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(Text part, std::size_t, Code&) {
    key_.append(part.data(), part.size());
    if (!open_.back().insert(key_).second && twice_.empty()) twice_ = key_;
    key_.clear();
    return true;
  }
  bool on_string_part(Text, std::size_t, Code&) { return true; }
  bool on_string(Text, std::size_t, Code&) { return true; }
  bool on_number_part(Text, Code&) { return true; }
  bool on_int64(std::int64_t, Text, Code&) { return true; }
  bool on_uint64(std::uint64_t, Text, Code&) { return true; }
  bool on_double(double, Text, Code&) { return true; }
  bool on_bool(bool, Code&) { return true; }
  bool on_null(Code&) { return true; }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }

  [[nodiscard]] const std::string& twice() const noexcept { return twice_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string key_;
  std::string twice_;
};

}  // namespace

Result<void> check_json(std::string_view text) {
  json::parse_options options;
  options.max_depth = kRuleDepthMax;
  json::basic_parser<KeyHandler> parser(options);
  json::error_code error;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (error) return fail(Code::Invalid, "is no JSON: " + error.message() + " at byte " + std::to_string(used));
  if (used != text.size() || !parser.done()) return fail(Code::Invalid, "is no JSON: more behind its end");
  if (!parser.handler().twice().empty())
    return fail(Code::Invalid, "has the key '" + parser.handler().twice() + "' twice");
  return {};
}

}  // namespace lnk::secret
