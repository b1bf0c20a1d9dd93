// SPDX-License-Identifier: Apache-2.0
#include "runtimes.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "lnk/route/path_shape.hpp"

using lnk::verb_local::Endpoint;
using lnk::verb_local::is_refused;
using lnk::verb_local::Runtime;
using lnk::verb_local::runtimes;
using lnk::verb_local::Use;
using lnk::verb_local::use_of;

namespace {

/// A path of the pattern.
std::string an_example(std::string_view pattern) {
  std::string path(pattern);
  if (const auto at = path.find("{model}"); at != std::string::npos) path.replace(at, 7, "qwen3:8b");
  if (path.ends_with('*')) path.back() = 'x';
  return path;
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_runtime_has_for_inference_or_reading_no_other_has_for_something_else) {
  for (const Runtime& runtime : runtimes()) {
    for (const auto& [rows, use] :
         {std::pair(runtime.inference, Use::Inference), std::pair(runtime.reads, Use::Read)}) {
      for (const Endpoint& one : rows) {
        const auto path = an_example(one.path);
        BOOST_TEST_CONTEXT(runtime.name << ": " << one.method << " /" << path) {
          BOOST_TEST(!is_refused(one.method, path));
          BOOST_TEST((use_of(one.method, path) != Use::None));
          BOOST_TEST((one.method == "POST" || use == Use::Read));
          BOOST_TEST((path.empty() || lnk::route::is_plain_path(path)));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(what_looks_after_a_runtime_never_passes_in_any_case_of_its_letters) {
  std::size_t rows = 0;
  for (const Runtime& runtime : runtimes()) {
    for (const Endpoint& one : runtime.refused) {
      ++rows;
      const auto path = an_example(one.path);
      for (const auto* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}) {
        if (one.method != "*" && one.method != method) continue;
        BOOST_TEST_CONTEXT(runtime.name << ": " << method << " /" << path) {
          BOOST_TEST(is_refused(method, path));
          BOOST_TEST((use_of(method, path) == Use::None));
          BOOST_TEST((use_of(method, upper(path)) == Use::None));
        }
      }
    }
  }
  BOOST_TEST(rows > 60U);
}

BOOST_AUTO_TEST_CASE(each_runtime_says_where_its_rows_are_from) {
  BOOST_TEST(runtimes().size() == 9U);
  for (const Runtime& runtime : runtimes()) {
    BOOST_TEST_CONTEXT(runtime.name) {
      BOOST_TEST(runtime.port != 0);
      BOOST_TEST(!runtime.source.empty());
      BOOST_TEST(runtime.date.size() == 10U);
      BOOST_TEST((!runtime.inference.empty() && !runtime.reads.empty()));
    }
  }
}

BOOST_AUTO_TEST_CASE(method_and_path_are_exact) {
  struct Row {
    std::string_view method, path;
    Use use;
  };
  for (const auto& [method, path, use] : {Row{"POST", "api/chat", Use::Inference},
                                          Row{"GET", "api/chat", Use::None},
                                          Row{"PUT", "api/chat", Use::None},
                                          Row{"POST", "api/Chat", Use::None},
                                          Row{"POST", "api/chat/", Use::None},
                                          Row{"POST", "api/chat/x", Use::None},
                                          Row{"POST", "api", Use::None},
                                          Row{"POST", "", Use::None},
                                          Row{"GET", "", Use::Read},
                                          Row{"HEAD", "", Use::Read},
                                          Row{"post", "api/chat", Use::None},
                                          Row{"GET", "v1/models", Use::Read},
                                          Row{"GET", "v1/models/a.b:c", Use::Read},
                                          Row{"GET", "v1/models/a/b", Use::None}, Row{"GET", "v1/models/a..b", Use::None},
                                          Row{"GET", "v1/models/", Use::None},
                                          Row{"POST", "v1/models/a", Use::None},
                                          Row{"DELETE", "v1/models/a", Use::None},
                                          Row{"POST", "api/pull", Use::None},
                                          Row{"DELETE", "api/delete", Use::None},
                                          Row{"GET", "cors-proxy", Use::None},
                                          Row{"POST", "v1/anything", Use::None}})
    BOOST_TEST_CONTEXT(method << " /" << path) { BOOST_TEST((use_of(method, path) == use)); }
}
