// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/tool_file.hpp"

#include <boost/json.hpp>

namespace lnk::host::remote {

namespace json = boost::json;

Result<Headers> headers_of_tool(std::string_view file, std::string_view url) {
  json::error_code error;
  const auto value = json::parse(file, error);
  const auto* object = error ? nullptr : value.if_object();
  if (object == nullptr) return fail(Code::Invalid, "is no JSON object; add the tool again");
  const auto* kept = object->if_contains("url");
  if (kept == nullptr || !kept->is_string()) return fail(Code::Invalid, "names no URL: the tool is none that is reached by one");
  if (std::string_view(kept->get_string()) != url)
    return fail(Code::Invalid, "is of a tool at another URL; its headers go to that one alone");
  Headers headers;
  const auto* fields = object->if_contains("headers");
  if (fields == nullptr) return headers;
  if (!fields->is_object()) return fail(Code::Invalid, "has headers that are no object");
  for (const auto& [name, field] : fields->get_object()) {
    if (!field.is_string()) return fail(Code::Invalid, "has a header whose value is no text");
    headers.emplace_back(std::string(name), std::string(field.get_string()));
  }
  LNK_CHECK(check_headers(headers));
  return headers;
}

}  // namespace lnk::host::remote
