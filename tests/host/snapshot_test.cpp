// SPDX-License-Identifier: Apache-2.0
#include "snapshot/snapshot.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "approval/approval.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace lnk::host;

Snapshot example() {
  Snapshot snapshot;
  snapshot.grants.name = "claude";
  snapshot.grants.home = "/home/u";
  snapshot.grants.files = {{Access::Write, "/home/u/app", "/data/app", FileKind::Folder, false, true},
                           {Access::Read, "/home/u/maybe", "/home/u/maybe", FileKind::Any, true}};
  snapshot.grants.commands = {{"sh", "/usr/bin/sh", "/usr/bin/dash", false}, {"~/bin/", "/home/u/bin", "/home/u/bin", true}};
  snapshot.loaders = {"/usr/lib/ld.so"};
  snapshot.commands_at = "spec.toml:12";
  snapshot.grants.network = NetworkMode::Wire;
  snapshot.grants.hosts = {{"*.example.com", {80, 443}}};
  snapshot.grants.machines = {{"nas.local", 445, "192.168.1.20"}};
  snapshot.grants.localhost = {5432, 6379};
  snapshot.grants.endpoints = {{"*.example.org", 5432, false}, {"c.x.example.net", 0, true}};
  snapshot.grants.secrets = {{"telegram", R"({"host":"api.telegram.org","methods":["GET"],"paths":["bot{secret}/{name}"]})"}};
  snapshot.grants.model = {{{"anthropic", "api.anthropic.com"}, {"azure", "app.openai.azure.com"}}, true, {"claude-*", "gpt-6"}, {1234, 11434}};
  snapshot.grants.tools = {{"files", {"/usr/bin/npx", "-y", "server"}, "", {{"read_file", std::string(64, 'd')}}, true, {"/home/u/app"}, {}, {"TOKEN"}, std::string(64, 'e')},
                           {"remote", {}, "https://mcp.example.com/mcp", {}, false, {}, {"Authorization"}, {}, std::string(64, 'f')}};
  snapshot.grants.verbs = {{"greeting", R"({"greeting":"hello","share":0.1})", {{"api.example.org", 8443}}, {8080}}};
  snapshot.grants.open_pages = "/usr/lib/lnk-sandbox/os-linux/lnk-open";
  snapshot.grants.env_set = {{"CI", "1"}};
  snapshot.approval = "sha256:" + std::string(64, 'c');
  snapshot.closed = {"/home/u/.config/link"};
  snapshot.program = {"npm", "/usr/bin/npm"};
  snapshot.modules = {{"os-linux", "/usr/lib/lnk-sandbox/modules/os-linux.so", std::string(64, 'a')}};
  return snapshot;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot)

BOOST_AUTO_TEST_CASE(a_snapshot_reads_back_as_it_was_written) {
  const auto text = snapshot_json(example());
  const auto read = parse_snapshot(text);
  BOOST_REQUIRE(read);
  BOOST_TEST(snapshot_json(*read) == text);
  BOOST_TEST(read->grants.files[0].target == "/data/app");
  BOOST_REQUIRE(read->grants.commands.has_value());
  BOOST_TEST((*read->grants.commands)[1].is_folder);
  BOOST_TEST(text.find(R"("commands":{"allow":[{"folder":false,"path":"/usr/bin/sh","target":"/usr/bin/dash","written":"sh"},)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(pages_and_the_program_that_asks_for_them_are_of_the_grants) {
  const auto read = parse_snapshot(snapshot_json(example()));
  BOOST_REQUIRE(read);
  BOOST_TEST(read->grants.open_pages.value() == "/usr/lib/lnk-sandbox/os-linux/lnk-open");
  auto without = example();
  without.grants.open_pages.reset();
  BOOST_TEST(grants_json(without.grants) != grants_json(example().grants));
  BOOST_REQUIRE(parse_snapshot(snapshot_json(without)));
  for (const auto* program : {"", "lnk-open", "/usr/../lnk-open"}) {
    auto other = example();
    other.grants.open_pages = program;
    BOOST_TEST(!parse_snapshot(snapshot_json(other)), program);
  }
  Snapshot no_wire;
  no_wire.grants.name = "a";
  no_wire.grants.home = "/home/u";
  BOOST_REQUIRE(parse_snapshot(snapshot_json(no_wire)));
  no_wire.grants.open_pages = "/usr/lib/lnk-sandbox/os-linux/lnk-open";
  BOOST_TEST(!parse_snapshot(snapshot_json(no_wire)));
}

BOOST_AUTO_TEST_CASE(a_verbs_table_and_what_it_opens_are_of_the_grants) {
  const auto read = parse_snapshot(snapshot_json(example()));
  BOOST_REQUIRE(read);
  BOOST_REQUIRE(read->grants.verbs.size() == 1U);
  const auto& verb = read->grants.verbs.front();
  BOOST_TEST(verb.json == R"({"greeting":"hello","share":0.1})");
  BOOST_TEST(verb.hosts.front().name == "api.example.org");
  BOOST_TEST(verb.inside_ports.front() == 8080);
  for (const auto change : {0, 1, 2, 3}) {
    auto other = example();
    auto& changed = other.grants.verbs.front();
    if (change == 0) changed.json = R"({"greeting":"hi"})";
    if (change == 1) changed.hosts.front().port = 443;
    if (change == 2) changed.inside_ports.push_back(8081);
    if (change == 3) other.grants.verbs.clear();
    BOOST_TEST(grants_json(other.grants) != grants_json(example().grants));
    BOOST_TEST(parse_snapshot(snapshot_json(other)).has_value());
  }
  auto twice = example();
  twice.grants.verbs.push_back(twice.grants.verbs.front());
  BOOST_TEST(!parse_snapshot(snapshot_json(twice)).has_value());
  auto no_table = example();
  no_table.grants.verbs.front().json = "[]";
  BOOST_TEST(!parse_snapshot(snapshot_json(no_table)).has_value());
}

BOOST_AUTO_TEST_CASE(a_tool_and_what_goes_unasked_are_of_the_grants) {
  const auto read = parse_snapshot(snapshot_json(example()));
  BOOST_REQUIRE(read);
  BOOST_TEST((read->grants.tools == example().grants.tools));
  for (const auto change : {0, 1, 2, 3, 4, 5, 6}) {
    auto other = example();
    auto& changed = other.grants.tools.front();
    if (change == 0) changed.argv.back() = "another";
    if (change == 1) changed.allow["read_file"] = std::string(64, '0');
    if (change == 2) changed.allow.clear();
    if (change == 3) changed.asks = false;
    if (change == 4) changed.roots.clear();
    if (change == 5) changed.env_sha256 = std::string(64, '0');
    if (change == 6) other.grants.tools.pop_back();
    BOOST_TEST(grants_json(other.grants) != grants_json(example().grants));
    BOOST_TEST(parse_snapshot(snapshot_json(other)).has_value());
  }
  for (const auto change : {0, 1, 2, 3, 4, 5}) {
    auto other = example();
    auto& changed = other.grants.tools.front();
    if (change == 0) changed.url = "https://mcp.example.com/";  // beside a command
    if (change == 1) changed.argv.front() = "npx";
    if (change == 2) changed.allow["read_file"] = "short";
    if (change == 3) other.grants.tools.push_back(changed);
    if (change == 4) other.grants.tools.back().url = "http://mcp.example.com/";
    if (change == 5) changed.name = "../files";
    BOOST_TEST(!parse_snapshot(snapshot_json(other)).has_value(), change);
  }
}

BOOST_AUTO_TEST_CASE(what_its_fuzzer_begins_with_is_of_this_form) {
  for (const char* seed : {"full", "empty", "direct"}) {
    std::ifstream file(std::string(LNK_SEEDS "/") + seed);
    std::stringstream text;
    text << file.rdbuf();
    const auto read = parse_snapshot(text.str());
    BOOST_TEST(read.has_value(), seed << ": " << (read ? "" : read.error().text));
  }
}

BOOST_AUTO_TEST_CASE(no_list_and_an_empty_one_are_two_things) {
  auto snapshot = example();
  snapshot.loaders.clear();
  snapshot.grants.commands->clear();
  const auto none = snapshot_json(snapshot);
  BOOST_TEST(none.find(R"("commands":{"allow":[]})") != std::string::npos);
  BOOST_TEST(parse_snapshot(none)->grants.commands.has_value());
  snapshot.grants.commands.reset();
  BOOST_TEST(!parse_snapshot(snapshot_json(snapshot)));  // a place of no list
  snapshot.commands_at.clear();
  const auto any = snapshot_json(snapshot);
  BOOST_TEST(any.find(R"("commands":null)") != std::string::npos);
  BOOST_TEST(!parse_snapshot(any)->grants.commands.has_value());
  BOOST_TEST(hash_name(none) != hash_name(any));
}

BOOST_AUTO_TEST_CASE(the_program_and_modules_are_beside_the_grants) {
  auto other = example();
  other.program = {"node", "/usr/bin/node"};
  other.modules[0].sha256 = std::string(64, 'b');
  BOOST_TEST(grants_json(other.grants) == grants_json(example().grants));
  BOOST_TEST(snapshot_json(other) != snapshot_json(example()));
}

BOOST_AUTO_TEST_CASE(what_is_not_canonical_is_refused) {
  const auto text = snapshot_json(example());
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"version\":1", "\"version\": 1"},
                                 {"\"version\":1", "\"version\":2"},
                                 {"\"name\":\"claude\"", "\"name\":\"claude\",\"name\":\"x\""},
                                 {"\"optional\":true", "\"optional\":1"},
                                 {"\"open_dot_files\":false", "\"open_dot_files\":true"},
                                 {"\"approval\":\"sha256:cc", "\"approval\":\"sha256:c/"},
                                 {"/data/app", "/data/../etc"},
                                 {"/data/app", "data/app"},
                                 {"\"kind\":\"dir\"", "\"kind\":\"any\""},
                                 {"/usr/bin/dash", "bin/dash"},
                                 {"\"written\":\"sh\"", "\"written\":\"\""},
                                 {"\"folder\":true", "\"folder\":1"},
                                 {"/usr/lib/ld.so", "/usr/lib/../ld.so"},
                                 {"\"commands_at\":\"spec.toml:12\"", "\"commands_at\":\"\""},
                                 {"[80,443]", "[0]"},
                                 {"[80,443]", "[65536]"},
                                 {"[80,443]", "[]"},
                                 {"\"port\":5432", "\"port\":0"},
                                 {"\"port\":5432", "\"port\":65536"},
                                 {"\"port\":0", "\"port\":27017"},
                                 {"\"srv\":true", "\"srv\":1"},
                                 {"\"name\":\"*.example.org\"", "\"name\":\"*\""},
                                 {"\"name\":\"*.example.org\"", "\"name\":\"d.example.org\""},
                                 {"\"mode\":\"wire\"", "\"mode\":\"none\""},
                                 {"\"secrets\"", "\"secretz\""},
                                 {"\"port\":445", "\"port\":0"},
                                 {"\"port\":445", "\"port\":\"445\""},
                                 {"\"name\":\"nas.local\"", "\"name\":\"\""},
                                 {"\"address\":\"192.168.1.20\",", ""},
                                 {"[5432,6379]", "[6379,5432]"},
                                 {"[5432,6379]", "[5432,5432]"},
                                 {"[5432,6379]", "[0]"},
                                 {"\"localhost\":{\"ports\":[5432,6379]},", ""},
                                 {"[1234,11434]", "[11434,1234]"},
                                 {"[1234,11434]", "[5432]"},
                                 {"\"local\":[1234,11434],", ""},
                                 {"api.telegram.org", "*"},
                                 {"{secret}", "{path}"},
                                 {"\"paths\":[\"bot{secret}/{name}\"]", "\"paths\":\"bot{secret}/{name}\""},
                                 {"\"name\":\"anthropic\"", "\"name\":\"openai\""},
                                 {"\"name\":\"anthropic\"", "\"name\":\"azure\""},
                                 {"\"name\":\"azure\"", "\"name\":\"azura\""},
                                 {"api.anthropic.com", "api.anthropic.com.evil.test"},
                                 {"app.openai.azure.com", "a.b.openai.azure.com"},
                                 {"\"server_tools\":true", "\"server_tools\":1"},
                                 {"\"server_tools\":true", "\"server_tool\":true"},
                                 {"[\"claude-*\",\"gpt-6\"]", "[\"gpt-6\",\"claude-*\"]"},
                                 {"[\"claude-*\",\"gpt-6\"]", "[\"\",\"gpt-6\"]"},
                                 {"\"name\":\"telegram\"", "\"name\":\"\""}}) {
    std::string changed = text;
    const auto at = changed.find(from);
    BOOST_REQUIRE(at != std::string::npos);
    changed.replace(at, from.size(), to);
    BOOST_TEST(!parse_snapshot(changed), from << " as " << to);
  }
  BOOST_TEST(!parse_snapshot(text + "\n"));
}

BOOST_AUTO_TEST_CASE(a_kept_snapshot_is_held_against_its_hash) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder / "link");
  BOOST_REQUIRE(settings);
  const auto hash = keep_snapshot(*settings, example());
  BOOST_REQUIRE(hash);
  BOOST_TEST(load_snapshot(*settings, *hash).has_value());
  const auto name = "snapshots/" + hash->substr(7) + ".json";
  auto other = example();
  other.grants.files[0].target = "/etc";
  BOOST_REQUIRE(settings->write(name, snapshot_json(other)));
  BOOST_TEST(!load_snapshot(*settings, *hash));
  BOOST_TEST(!load_snapshot(*settings, "sha256:" + std::string(64, '0')));
  BOOST_TEST(!load_snapshot(*settings, "sha256:../../x"));
}

BOOST_AUTO_TEST_CASE(settings_are_the_persons_own) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder / "a/link");
  BOOST_REQUIRE(settings);
  struct stat entry {};
  BOOST_REQUIRE(::stat((folder / "a/link").c_str(), &entry) == 0);
  BOOST_TEST((entry.st_mode & 0777U) == 0700U);
  BOOST_REQUIRE(settings->write("names/x.json", "1"));
  BOOST_REQUIRE(::stat((folder / "a/link/names/x.json").c_str(), &entry) == 0);
  BOOST_TEST((entry.st_mode & 0777U) == 0600U);
  BOOST_TEST(*settings->read("names/x.json").value() == "1");
  BOOST_TEST(!settings->read("names/y.json").value().has_value());
}

BOOST_AUTO_TEST_CASE(a_setting_that_others_may_read_is_an_error_and_no_default) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder / "link");
  BOOST_REQUIRE(settings);
  BOOST_REQUIRE(settings->write("x.json", "1"));
  BOOST_REQUIRE(::chmod((folder / "link/x.json").c_str(), 0644) == 0);
  BOOST_TEST(!settings->read("x.json"));
  BOOST_REQUIRE(::chmod((folder / "link").c_str(), 0755) == 0);
  BOOST_TEST(!Settings::open(folder / "link"));
}

BOOST_AUTO_TEST_CASE(a_link_among_the_settings_is_not_followed) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder / "link");
  BOOST_REQUIRE(settings);
  const auto outside = folder.file("outside", "secret");
  BOOST_REQUIRE(::chmod(outside.c_str(), 0600) == 0);
  std::filesystem::create_symlink(outside, folder / "link/x.json");
  BOOST_TEST(!settings->read("x.json"));
  BOOST_REQUIRE(settings->write("x.json", "mine"));
  BOOST_TEST(std::filesystem::file_size(outside) == 6U);
  BOOST_TEST(!settings->read("../outside"));
  BOOST_TEST(!settings->write("a/../../outside", "x"));
}

BOOST_AUTO_TEST_CASE(an_approval_is_of_one_hash_and_is_dropped_by_its_spec) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder / "link");
  BOOST_REQUIRE(settings);
  Grants grants;
  grants.name = "claude";
  grants.home = "/home/u";
  const std::string hash = hash_name(grants_json(grants));
  BOOST_TEST(!is_approved(*settings, hash).value());
  BOOST_TEST(!last_approved(*settings, "/home/u/spec.toml").value().has_value());
  BOOST_REQUIRE(approve(*settings, grants, "/home/u/spec.toml"));
  BOOST_TEST(grants_json(last_approved(*settings, "/home/u/spec.toml").value().value()) == grants_json(grants));
  BOOST_TEST(is_approved(*settings, hash).value());
  BOOST_TEST(!is_approved(*settings, hash_name("other")).value());
  BOOST_TEST(*spec_of_name(*settings, "claude").value() == "/home/u/spec.toml");
  BOOST_TEST(forget(*settings, "/home/u/another.toml").value() == 0U);
  BOOST_TEST(is_approved(*settings, hash).value());
  BOOST_TEST(forget(*settings, "/home/u/spec.toml").value() == 1U);
  BOOST_TEST(!is_approved(*settings, hash).value());
  BOOST_TEST(!spec_of_name(*settings, "claude").value().has_value());
  BOOST_TEST(!last_approved(*settings, "/home/u/spec.toml").value().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
