// SPDX-License-Identifier: Apache-2.0
#include "model_names.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using lnk::verb_local::model_fault;

namespace {

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(a_model_that_is_run_elsewhere_is_refused_whatever_the_spec_lists) {
  for (const auto* name : {"kimi-k2:cloud", "gpt-oss:120b-cloud", "GPT-OSS:120B-CLOUD", "ollama.com/library/x:1t-cloud",
                           "x-cloud@sha256:00", "x-cloud:latest", "me/x:Cloud"}) {
    BOOST_TEST(model_fault({}, name).find("elsewhere") != std::string::npos, name);
    BOOST_TEST(model_fault({name, "*"}, name).find("elsewhere") != std::string::npos, name);
  }
  for (const auto* name : {"llama3.2:1b", "cloudy:8b", "my-cloud-model", "qwen3-coder:30b", "nimbus-cloudy"})
    BOOST_TEST(model_fault({}, name).empty(), name);
}

BOOST_AUTO_TEST_CASE(a_name_that_may_be_fetched_or_be_a_file_is_the_specs_to_name) {
  for (const auto* name : {"mlx-community/Qwen3-4B", "hf.co/a/b", "/models/llama", "~/model", "./model", ".model"}) {
    BOOST_TEST(model_fault({}, name).find("models = [\"" + std::string(name) + "\"]") != std::string::npos, name);
    BOOST_TEST(model_fault({name}, name).empty(), name);
  }
  BOOST_TEST(model_fault({"mlx-community/*"}, "mlx-community/Qwen3-4B").empty());
  BOOST_TEST(!model_fault({"mlx-community/*"}, "other/Qwen3-4B").empty());
  BOOST_TEST(!model_fault({"qwen3*"}, "qwen3-of-others/payload").empty());
  BOOST_TEST(model_fault({"qwen3*"}, "qwen3:8b").empty());
  BOOST_TEST(model_fault({"hf.co/mine*"}, "hf.co/mine/x:q4").empty());
  BOOST_TEST(model_fault({"*"}, "org/x").empty());
  BOOST_TEST(!model_fault({"llama3.2:1b"}, "llama3.2:3b").empty());
  BOOST_TEST(!model_fault({"llama3.2:1b"}, "llama3.2:1b2").empty());
  BOOST_TEST(!model_fault({"llama3*"}, "Llama3.2").empty());
}

BOOST_AUTO_TEST_CASE(what_no_spec_means_is_refused_below_a_pattern_too) {
  for (const auto* name : {"org/../../etc", "org/x\\y", "org/https://a.example/x", "org/a b", "org/\xc3\xa4", ""})
    BOOST_TEST(!model_fault({"org/*", "*"}, name).empty(), name);
  BOOST_TEST(!model_fault({"*"}, std::string(300, 'a')).empty());
  BOOST_TEST(model_fault({"*"}, std::string(200, 'a')).empty());
}
