// SPDX-License-Identifier: Apache-2.0
#include "plan/json.hpp"

#include <boost/json.hpp>

namespace lnk::os_linux {

namespace json = boost::json;

struct JsonReader::Document {
  json::value value;
};

JsonReader::JsonReader(std::string_view text) : document_(std::make_unique<Document>()) {
  json::error_code error;
  document_->value = json::parse({text.data(), text.size()}, error);
  if (error) problem_ = "not JSON: " + error.message();
}

JsonReader::~JsonReader() = default;

const json::value& JsonReader::root() const noexcept { return document_->value; }

const json::value& JsonReader::member(const json::value& in, std::string_view name) {
  static const json::value kNothing;
  if (const json::object* object = in.if_object()) {
    if (const json::value* found = object->if_contains({name.data(), name.size()})) return *found;
  }
  refuse(name, "is missing");
  return kNothing;
}

std::string JsonReader::text(const json::value& in, std::string_view name) {
  const json::string* text = member(in, name).if_string();
  if (text == nullptr) {
    refuse(name, "is no text");
    return {};
  }
  return {text->data(), text->size()};
}

std::int64_t JsonReader::number(const json::value& in, std::string_view name) {
  const std::int64_t* number = member(in, name).if_int64();
  if (number == nullptr) {
    refuse(name, "is no whole number");
    return 0;
  }
  return *number;
}

bool JsonReader::flag(const json::value& in, std::string_view name) {
  const bool* flag = member(in, name).if_bool();
  if (flag == nullptr) {
    refuse(name, "is neither true nor false");
    return false;
  }
  return *flag;
}

const json::array& JsonReader::array(const json::value& in, std::string_view name) {
  static const json::array kNone;
  const json::array* list = member(in, name).if_array();
  if (list != nullptr) return *list;
  refuse(name, "is no list");
  return kNone;
}

std::vector<std::string> JsonReader::texts(const json::value& in, std::string_view name) {
  std::vector<std::string> out;
  for (const json::value& one : array(in, name)) {
    const json::string* text = one.if_string();
    if (text == nullptr) {
      refuse(name, "holds something that is no text");
      return {};
    }
    out.emplace_back(text->data(), text->size());
  }
  return out;
}

void JsonReader::refuse(std::string_view name, std::string_view why) {
  if (problem_.empty()) problem_ = std::string(name) + " " + std::string(why);
}

Status JsonReader::status() const {
  if (problem_.empty()) return {};
  return fail(Code::Invalid, problem_);
}

}  // namespace lnk::os_linux
