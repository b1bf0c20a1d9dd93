// SPDX-License-Identifier: Apache-2.0
//
// Reading the host's JSON member by member. What is missing or of another type makes the whole document invalid.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::os_linux {

/// A place in a document. Once anything is wrong, all that is read from it is empty, and `status` says what it was.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text);
  ~JsonReader();
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  [[nodiscard]] const boost::json::value& root() const noexcept;
  [[nodiscard]] const boost::json::value& member(const boost::json::value& in, std::string_view name);
  [[nodiscard]] std::string text(const boost::json::value& in, std::string_view name);
  [[nodiscard]] std::int64_t number(const boost::json::value& in, std::string_view name);
  [[nodiscard]] bool flag(const boost::json::value& in, std::string_view name);
  [[nodiscard]] std::vector<std::string> texts(const boost::json::value& in, std::string_view name);
  [[nodiscard]] const boost::json::array& array(const boost::json::value& in, std::string_view name);

  void refuse(std::string_view name, std::string_view why);
  [[nodiscard]] Status status() const;

 private:
  struct Document;
  std::unique_ptr<Document> document_;
  std::string problem_;
};

}  // namespace lnk::os_linux
