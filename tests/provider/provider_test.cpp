// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE provider
#include "lnk/provider/provider.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <string>

using namespace lnk::provider;

namespace {

std::string host(std::string_view name, std::string_view part = {}) {
  const auto* provider = find(name);
  BOOST_REQUIRE_MESSAGE(provider != nullptr, name);
  const auto made = host_of(*provider, part);
  return made ? *made : "! " + made.error().text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_provider_is_found_by_its_name_and_no_other_is) {
  for (const auto& one : providers()) BOOST_TEST((find(one.name) == &one));
  BOOST_TEST(providers().size() == 15U);
  BOOST_TEST((find("Anthropic") == nullptr));
  BOOST_TEST((find("") == nullptr));
}

BOOST_AUTO_TEST_CASE(each_row_is_whole) {
  for (const auto& one : providers()) {
    BOOST_TEST_CONTEXT(one.name) {
      BOOST_TEST(!one.hosts.empty());
      BOOST_TEST(!one.bases.empty());
      BOOST_TEST(!one.keys.empty());
      BOOST_TEST(one.date.size() == std::string_view("2026-11-30").size());
      BOOST_TEST(!one.source.empty());
      BOOST_TEST((one.hosts.front().find('{') != std::string_view::npos) == (one.part != HostPart::None));
      for (const auto& base : one.bases) BOOST_TEST((base.path.empty() || (base.path.front() == '/' && base.path.back() != '/')));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_two_providers_share_a_variable_or_a_host) {
  std::set<std::string_view> variables;
  std::set<std::string_view> hosts;
  for (const auto& one : providers()) {
    for (const auto& base : one.bases) BOOST_TEST(variables.insert(base.name).second, base.name);
    for (const auto key : one.keys) BOOST_TEST(variables.insert(key).second, key);
    for (const auto setting : one.settings) BOOST_TEST(variables.insert(setting).second, setting);
    for (const auto other : one.others) BOOST_TEST(variables.insert(other).second, other);
    for (const auto name : one.hosts) BOOST_TEST(hosts.insert(name).second, name);
  }
}

BOOST_AUTO_TEST_CASE(a_fixed_host_takes_no_part) {
  BOOST_TEST(host("anthropic") == "api.anthropic.com");
  BOOST_TEST(host("openai", "x") == "! openai has one host, and no resource or region");
}

BOOST_AUTO_TEST_CASE(a_part_makes_the_host) {
  BOOST_TEST(host("azure", "my-app") == "my-app.openai.azure.com");
  BOOST_TEST(host("azure", "my-app.services.ai.azure.com") == "my-app.services.ai.azure.com");
  BOOST_TEST(host("azure", "my-app.cognitiveservices.azure.com") == "my-app.cognitiveservices.azure.com");
  BOOST_TEST(host("bedrock", "eu-central-1") == "bedrock-runtime.eu-central-1.amazonaws.com");
  BOOST_TEST(host("vertex", "europe-west4") == "europe-west4-aiplatform.googleapis.com");
  BOOST_TEST(host("vertex", "global") == "aiplatform.googleapis.com");
  BOOST_TEST(host("vertex", "eu") == "aiplatform.eu.rep.googleapis.com");
  BOOST_TEST(host("azure") == "! azure has a host for each resource; name one by --resource");
  BOOST_TEST(host("bedrock") == "! bedrock has a host for each region; name one by --region");
}

BOOST_AUTO_TEST_CASE(a_part_that_could_make_another_host_is_refused) {
  for (const std::string_view part : {"evil.example/", "a.b", "A", "-a", "a-", "a b", "a.openai.azure.com.evil.example", "x@y", "a\n",
                                      ".openai.azure.com", "a.b.openai.azure.com", "{resource}", "a:1", "a#", "a?b", "\xc3\xa4"})
    BOOST_TEST(host("azure", part).starts_with("! is no resource of azure"), part);
  BOOST_TEST(host("azure", std::string(64, 'a')).starts_with("! "));
  BOOST_TEST(host("azure", std::string(63, 'a')) == std::string(63, 'a') + ".openai.azure.com");
  BOOST_TEST(host("bedrock", "us-east-1.evil").starts_with("! "));
}

BOOST_AUTO_TEST_CASE(a_host_is_known_by_its_shape) {
  const std::map<std::string_view, std::map<std::string_view, bool>> cases = {
      {"anthropic", {{"api.anthropic.com", true}, {"anthropic.com", false}, {"xapi.anthropic.com", false}, {"", false}}},
      {"azure", {{"a.openai.azure.com", true}, {"a.b.openai.azure.com", false}, {".openai.azure.com", false}, {"openai.azure.com", false}}},
      {"bedrock", {{"bedrock-runtime.us-east-1.amazonaws.com", true}, {"bedrock-runtime..amazonaws.com", false}}},
      {"vertex", {{"us-central1-aiplatform.googleapis.com", true}, {"aiplatform.googleapis.com", true},
                  {"aiplatform.us.rep.googleapis.com", true}, {"-aiplatform.googleapis.com", false}}},
  };
  for (const auto& [name, hosts] : cases)
    for (const auto& [one, is_of] : hosts) BOOST_TEST(is_host_of(*find(name), one) == is_of, name << " " << one);
}

BOOST_AUTO_TEST_CASE(the_part_is_read_back_from_the_host) {
  for (const auto& one : providers()) {
    if (one.part == HostPart::None) continue;
    for (const std::string_view part : {"eu", "us-east-1", "x"}) BOOST_TEST(part_of(one, host(one.name, part)) == part, one.name);
  }
  BOOST_TEST(part_of(*find("vertex"), "aiplatform.googleapis.com") == "global");
  BOOST_TEST(part_of(*find("openai"), "api.openai.com") == "");
}

BOOST_AUTO_TEST_CASE(hosts_of_one_key_are_all_shapes_of_its_part) {
  const auto hosts = same_hosts(*find("azure"), "app.services.ai.azure.com");
  const std::vector<std::string> expected = {"app.openai.azure.com", "app.services.ai.azure.com", "app.cognitiveservices.azure.com"};
  BOOST_TEST(hosts == expected, boost::test_tools::per_element());
  BOOST_TEST(same_hosts(*find("mistral"), "api.mistral.ai").size() == 3U);
}
