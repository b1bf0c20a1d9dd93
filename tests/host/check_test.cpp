// SPDX-License-Identifier: Apache-2.0
#include "resolve/check.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "launch/machine_mounts.hpp"
#include "machine.hpp"

using namespace lnk::host;

BOOST_AUTO_TEST_SUITE(check_grants)

BOOST_AUTO_TEST_CASE(a_path_that_is_not_there_needs_a_question_mark) {
  const Machine machine;
  machine.refuses("[files]\nread = [\"~/src/none\"]\n", "isn't there");
  machine.allows("[files]\nread = [\"~/src/none?\"]\n");
  machine.refuses("[files]\nhide = [\"~/src/none\"]\n", "isn't there");
  machine.allows("[files]\nhide = [\"~/src/lib\"]\n");
}

BOOST_AUTO_TEST_CASE(a_link_that_leads_to_nothing_is_told_with_what_is_missing) {
  const Machine machine;
  machine.root.link("home/src/lost", "gone/away");
  machine.root.link("home/src/round", "round");
  const std::string target = "\"" + machine.facts.home + "/src/gone/away\", which isn't there";
  for (const std::string list : {"read", "write", "hide"}) {
    machine.refuses("[files]\n" + list + " = [\"~/src/lost\"]\n", "is a link to " + target);
    machine.refuses("[files]\n" + list + " = [\"~/src/lost/below\"]\n", "/src/lost\" on the way is a link to " + target);
    machine.refuses("[files]\n" + list + " = [\"~/src/none/lost\"]\n", "isn't there; ");
    machine.refuses("[files]\n" + list + " = [\"~/src/round\"]\n", "go in a circle");
  }
  machine.refuses("[files]\nread = [\"~/src/lost?\"]\n", "is a link to " + target);
  machine.allows("[files]\nread = [\"~/src/lost/below?\"]\n");
  machine.root.folder("home/src/gone");
  machine.root.folder("home/src/gone/away");
  machine.allows("[files]\nread = [\"~/src/lost\", \"~/src/lost?\"]\n");
}

BOOST_AUTO_TEST_CASE(refusals_stand_in_the_order_of_the_lines) {
  const Machine machine;
  const auto refusals =
      machine
          .check_of(
              "[secrets]\nuse = [\"none\"]\n[files]\nread = [\"~/n1\", \"/proc\"]\nhide = [\"~/a:1:1: x\"]\nwrite = [\"~/n2\"]\n"
              "[network]\nhosts = [\"a.com\"]\n",
              {{"none", "", "", "no secret"}, {"other", "a.com", "", ""}})
          .refusals;
  std::vector<std::string> places;
  for (const auto& refusal : refusals) places.push_back(refusal.substr(0, refusal.find(": ")));
  const std::vector<std::string> wanted = {"spec.toml:2:8", "spec.toml:4:9",  "spec.toml:4:17",
                                           "spec.toml:5:9", "spec.toml:6:10", "spec.toml:8:10"};
  BOOST_TEST(places == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_refused_for_writing_is_told_once) {
  const Machine machine;
  const auto refusals_of = [&machine](const std::string& files) { return machine.check_of("[files]\n" + files).refusals; };
  const std::string dot_files = "write_dot_files = [\"~/src/none\"]\n";
  BOOST_TEST(refusals_of("write = [\"~/src/none\"]\n" + dot_files).size() == 1U);
  BOOST_TEST(refusals_of("write = [\"~/src/none\", \"~/src/lib\"]\n" + dot_files).size() == 1U);
  machine.root.folder("home/src/none");
  BOOST_TEST(refusals_of("write = [\"~/src/none\"]\n" + dot_files).empty());
}

BOOST_AUTO_TEST_CASE(a_folder_that_holds_the_home_is_not_written) {
  const Machine machine;
  machine.refuses("[files]\nwrite = [\"" + machine.root.path().native() + "\"]\n", "home itself can't be written");
  machine.allows("[files]\nread = [\"" + machine.root.path().native() + "\"]\n");
  machine.allows("[files]\nwrite = [\"~/src\"]\n");
}

BOOST_AUTO_TEST_CASE(a_link_to_the_home_is_no_way_around) {
  const Machine machine;
  machine.root.link("away", machine.facts.home);
  machine.refuses("[files]\nwrite = [\"" + (machine.root / "away") + "\"]\n", "home itself can't be written");
  machine.allows("[files]\nwrite = [\"" + (machine.root / "away/src/app") + "\"]\n");
}

BOOST_AUTO_TEST_CASE(start_places_are_written_only_when_named_exactly) {
  const Machine machine;
  machine.root.folder("home/.config/autostart");
  machine.refuses("[files]\nwrite = [\"~/.config\"]\n", "");
  machine.allows("[files]\nwrite = [\"~/.ssh\"]\n");
  machine.root.link("home/src/keys", machine.facts.home + "/.ssh");
  machine.refuses("[files]\nwrite = [\"~/src/keys\"]\n", "by a link");
  machine.refuses("[files]\nwrite = [\"/etc\"]\n", "runs as you");
}

BOOST_AUTO_TEST_CASE(the_settings_are_never_granted) {
  const Machine machine;
  machine.refuses("[files]\nread = [\"~/.config/link\"]\n", "closed to every sandbox");
  machine.refuses("[files]\nwrite = [\"~/.config/link\"]\n", "closed to every sandbox");
  machine.root.link("home/src/settings", machine.facts.settings);
  machine.refuses("[files]\nread = [\"~/src/settings\"]\n", "closed to every sandbox");
  const auto wide = machine.check_of("[files]\nread = [\"~/.config\"]\n");
  BOOST_TEST(wide.refusals.empty());
  BOOST_TEST(std::count(wide.closed.begin(), wide.closed.end(), machine.facts.settings) == 1);
}

BOOST_AUTO_TEST_CASE(key_places_under_a_wide_read_are_closed_unless_named) {
  const Machine machine;
  const auto ssh = machine.facts.home + "/.ssh";
  const auto wide = machine.check_of("[files]\nread = [\"~/\"]\n");
  BOOST_TEST(std::count(wide.closed.begin(), wide.closed.end(), ssh) == 1);
  const auto named = machine.check_of("[files]\nread = [\"~/\", \"~/.ssh\"]\n");
  BOOST_TEST(std::count(named.closed.begin(), named.closed.end(), ssh) == 0);
}

BOOST_AUTO_TEST_CASE(an_environment_file_at_the_top_of_a_grant_is_closed_unless_named) {
  const Machine machine;
  const auto file = machine.root.file("home/src/app/.env");
  machine.root.file("home/src/app/below/.env");
  machine.root.folder("home/src/lib/.env");  // a Python environment
  const auto closed_by = [&machine](const std::string& spec) { return machine.check_of("[files]\n" + spec).closed; };
  for (const std::string spec : {"write = [\"~/src/app\"]\n", "read = [\"~/src/app\", \"~/src/lib\"]\n"})
    BOOST_TEST(closed_by(spec) == (std::vector<std::string>{machine.facts.settings, file}), boost::test_tools::per_element());
  for (const std::string spec : {"write = [\"~/src/app\"]\nread = [\"~/src/app/.env\"]\n", "write = [\"~/src/app\", \"~/src/app/.env\"]\n",
                                 "read = [\"~/src\"]\n"})
    BOOST_TEST(closed_by(spec) == std::vector<std::string>{machine.facts.settings}, boost::test_tools::per_element());
  machine.root.file("home/src/kept");
  machine.root.link("home/src/.env", "kept");
  BOOST_TEST(closed_by("read = [\"~/src\"]\n") == (std::vector<std::string>{machine.facts.settings, machine.facts.home + "/src/kept"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(browsers_profiles_are_closed_wherever_they_are_packed) {
  const Machine machine;
  for (const std::string name : {".mozilla", ".config/chromium", "snap/firefox", ".var/app/org.mozilla.firefox", ".librewolf"}) {
    const auto place = machine.root.folder("home/" + name);
    const auto wide = machine.check_of("[files]\nread = [\"~/\"]\n");
    BOOST_TEST(std::count(wide.closed.begin(), wide.closed.end(), place) == 1, name);
  }
}

BOOST_AUTO_TEST_CASE(a_place_of_ours_that_is_missing_is_held_by_the_folder_that_is_there) {
  Machine machine;
  const std::string tree = machine.root.folder("home/src/app/tree");
  const std::string missing = tree + "/share/lnk-sandbox";
  machine.facts.own_files = {missing};
  using Paths = std::vector<std::string>;
  BOOST_TEST((machine.check_of("[files]\nwrite = [\"~/src/app\"]\n").read_only == Paths{tree}));
  machine.allows("[files]\nwrite = [\"~/src/app\"]\n");
  machine.refuses("[files]\nwrite = [\"~/src/app/tree\"]\n", "make that folder first");
  // Where nothing could make it, or it is there, it stands for itself.
  for (const char* text : {"[files]\nread = [\"~/src/app\"]\n", "[files]\nwrite = [\"~/src/lib\"]\n",
                           "[files]\nwrite = [\"~/src/app\"]\nread = [\"~/src/app/tree\"]\n"})
    BOOST_TEST((machine.check_of(text).read_only == Paths{missing}), text);
  // A read grant that isn't there protects nothing.
  BOOST_TEST((machine.check_of("[files]\nwrite = [\"~/src/app\"]\nread = [\"~/src/app/tree/share?\"]\n").read_only == Paths{tree}));
  machine.root.folder("home/src/app/tree/share/lnk-sandbox");
  BOOST_TEST((machine.check_of("[files]\nwrite = [\"~/src/app/tree\"]\n").read_only == Paths{missing}));
}

BOOST_AUTO_TEST_CASE(a_link_into_a_hidden_place_is_refused) {
  const Machine machine;
  machine.root.folder("home/agents/a");
  machine.root.link("home/src/agent", machine.facts.home + "/agents/a");
  machine.refuses("[files]\nread = [\"~/src/agent\"]\nhide = [\"~/agents\"]\n", "hidden");
  machine.allows("[files]\nread = [\"~/agents/a\"]\nhide = [\"~/agents\"]\n");
}

BOOST_AUTO_TEST_CASE(one_path_is_not_both_hidden_and_granted) {
  const Machine machine;
  const std::string spelled = machine.facts.home + "/src/app";
  machine.refuses("[files]\nread = [\"" + spelled + "\"]\nhide = [\"~/src/app\"]\n", "both hidden and granted");
  const auto both = machine.check_of("[files]\nread = [\"~/src/app\"]\nwrite = [\"~/src/app\"]\n");
  BOOST_REQUIRE(both.grants.files.size() == 1U);
  BOOST_TEST((both.grants.files[0].access == Access::Write));
}

BOOST_AUTO_TEST_CASE(sockets_are_not_granted_and_a_pipe_is_kept_as_neither_file_nor_folder) {
  const Machine machine;
  BOOST_REQUIRE(::mkfifo((machine.root / "home/src/pipe").c_str(), 0600) == 0);
  BOOST_REQUIRE(::mknod((machine.root / "home/src/socket").c_str(), S_IFSOCK | 0600, 0) == 0);
  machine.refuses("[files]\nread = [\"~/src/socket\"]\n", "neither a folder nor a file");
  machine.refuses("[files]\nwrite = [\"~/src/socket\"]\n", "neither a folder nor a file");
  machine.allows("[files]\nread = [\"~/src\"]\nhide = [\"~/src/socket\"]\n");
  const auto named = machine.check_of("[files]\nread = [\"~/src/pipe\"]\n");
  BOOST_REQUIRE(named.refusals.empty());
  BOOST_TEST((named.grants.files[0].kind == FileKind::Any));
}

BOOST_AUTO_TEST_CASE(an_endpoint_does_not_go_around_a_secrets_rule) {
  const Machine machine;
  const std::vector<NamedSecret> secrets = {{"telegram", "api.telegram.org", "{}", ""}};
  const auto refusals_of = [&](const std::string& endpoint) {
    return machine.check_of("[tcp]\nendpoints = [\"" + endpoint + "\"]\n[secrets]\nuse = [\"telegram\"]\n", secrets).refusals.size();
  };
  for (const char* endpoint : {"api.telegram.org:443", "api.telegram.org:5432", "*.telegram.org:443", "mongodb+srv://c.telegram.org"})
    BOOST_TEST_CONTEXT(endpoint) BOOST_TEST(refusals_of(endpoint) == 1U);
  for (const char* endpoint : {"db.telegram.org:443", "*.api.telegram.org:443", "mongodb+srv://c.x.telegram.org"})
    BOOST_TEST_CONTEXT(endpoint) BOOST_TEST(refusals_of(endpoint) == 0U);
}

BOOST_AUTO_TEST_CASE(endpoints_need_a_wire_and_are_kept_in_order_once) {
  const Machine machine;
  const auto checked = machine.check_of("[tcp]\nendpoints = [\"b.test:2\", \"a.test:3\", \"b.test:1\"]\n");
  BOOST_TEST(checked.refusals.empty());
  BOOST_CHECK(checked.grants.network == NetworkMode::Wire);
  BOOST_REQUIRE(checked.grants.endpoints.size() == 3U);
  BOOST_TEST(checked.grants.endpoints[0].name == "a.test");
  BOOST_TEST(checked.grants.endpoints[1].port == 1U);
}

BOOST_AUTO_TEST_CASE(a_host_does_not_go_around_a_secrets_rule) {
  const Machine machine;
  const std::vector<NamedSecret> secrets = {{"telegram", "api.telegram.org", "{}", ""}};
  for (const std::string host : {"api.telegram.org", "*.telegram.org", "*"}) {
    const auto checked = machine.check_of("[network]\nhosts = [\"" + host + "\"]\n[secrets]\nuse = [\"telegram\"]\n", secrets);
    BOOST_TEST(checked.refusals.size() == 1U, host);
  }
  const auto other = machine.check_of("[network]\nhosts = [\"*.api.telegram.org\"]\n[secrets]\nuse = [\"telegram\"]\n", secrets);
  BOOST_TEST(other.refusals.empty());
}

BOOST_AUTO_TEST_CASE(a_listed_host_does_not_go_around_a_providers_filter) {
  const Machine machine;
  const std::vector<NamedKey> keys = {{"openai", "api.openai.com", ""}, {"azure", "app.openai.azure.com", ""}, {"vertex", "aiplatform.googleapis.com", ""}};
  const auto refusals_of = [&](const std::string& lines) {
    return machine.check_of(lines + "[model]\nproviders = [\"openai\", \"azure\", \"vertex\"]\n", {}, keys).refusals;
  };
  for (const std::string host : {"api.openai.com", "api.openai.com:8443", "*.openai.com", "app.openai.azure.com", "*.openai.azure.com",
                                 "app.services.ai.azure.com", "*.googleapis.com"})
    BOOST_TEST_CONTEXT(host) {
      BOOST_TEST(refusals_of("[network]\nhosts = [\"" + host + "\"]\n").size() == 1U);
      BOOST_TEST(refusals_of("[tcp]\nendpoints = [\"" + host + (host.find(':') == std::string::npos ? ":443" : "") + "\"]\n").size() == 1U);
    }
  BOOST_TEST(refusals_of("[lan]\nmachines = [\"api.openai.com:443\"]\n").size() == 1U);
  BOOST_TEST(refusals_of("[tcp]\nendpoints = [\"mongodb+srv://db.openai.com\"]\n").size() == 1U);
  for (const std::string host : {"*.api.openai.com", "openai.com", "other.openai.azure.com", "storage.googleapis.com", "*"})
    BOOST_TEST_CONTEXT(host) BOOST_TEST(refusals_of("[network]\nhosts = [\"" + host + "\"]\n").empty());
  const auto one = refusals_of("[network]\nhosts = [\"*.openai.com\"]\n");
  BOOST_TEST(one.front() == "spec.toml:2:10: \"*.openai.com\" covers \"api.openai.com\", the host of the provider \"openai\" in [model], so a call could "
                            "go around what the wire keeps out of requests; take it out, and list what else is needed by its own names");
}

BOOST_AUTO_TEST_CASE(a_provider_without_its_key_is_refused_at_its_place_and_one_with_it_is_granted) {
  const Machine machine;
  const std::string text = "[model]\nproviders = [\"xai\", \"groq\"]\nmodels = [\"b\", \"a\", \"b\"]\n";
  const auto refused = machine.check_of(text, {}, {{"groq", "api.groq.com", ""}, {"xai", "", "no key of xai is kept"}});
  BOOST_REQUIRE(refused.refusals.size() == 1U);
  BOOST_TEST(refused.refusals[0] == "spec.toml:2:14: no key of xai is kept");
  const auto granted = machine.check_of(text, {}, {{"xai", "api.x.ai", ""}, {"groq", "api.groq.com", ""}}).grants;
  BOOST_CHECK(granted.network == NetworkMode::Wire);
  BOOST_CHECK((granted.model.providers == std::vector<GrantedProvider>{{"groq", "api.groq.com"}, {"xai", "api.x.ai"}}));
  BOOST_CHECK((granted.model.models == std::vector<std::string>{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(what_the_wire_sets_for_a_provider_is_set_by_no_spec) {
  const Machine machine;
  const std::vector<NamedKey> keys = {{"anthropic", "api.anthropic.com", ""}};
  const auto refusals_of = [&](const std::string& variable) {
    return machine.check_of("[model]\nproviders = [\"anthropic\"]\n[env]\nset = { " + variable + " = \"x\" }\n", {}, keys).refusals.size();
  };
  for (const char* variable : {"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"}) BOOST_TEST(refusals_of(variable) == 1U, variable);
  for (const char* variable : {"OPENAI_BASE_URL", "ANTHROPIC_MODEL"}) BOOST_TEST(refusals_of(variable) == 0U, variable);
}

BOOST_AUTO_TEST_CASE(a_machine_does_not_go_around_a_secrets_rule_either) {
  const Machine machine;
  const std::vector<NamedSecret> secrets = {{"telegram", "api.telegram.org", "{}", ""}};
  const std::string uses = "[secrets]\nuse = [\"telegram\"]\n";
  BOOST_TEST(machine.check_of("[lan]\nmachines = [\"api.telegram.org:443\"]\n" + uses, secrets).refusals.size() == 1U);
  BOOST_TEST(machine.check_of("[lan]\nmachines = [\"nas.telegram.org:443\"]\n" + uses, secrets).refusals.empty());
}

BOOST_AUTO_TEST_CASE(machines_and_ports_go_by_the_wire_in_order_each_once) {
  const Machine machine;
  const auto checked = machine.check_of("[lan]\nmachines = [\"nas:80\", \"[fd12::7]:80\", \"10.0.0.7:9\", \"nas:80\", \"nas:9\"]\n[localhost]\nports = [9, 7]\n");
  BOOST_REQUIRE(checked.refusals.empty());
  BOOST_TEST((checked.grants.network == NetworkMode::Wire));
  BOOST_TEST((checked.grants.localhost == std::vector<std::uint16_t>{7, 9}));
  std::string named;
  for (const auto& one : checked.grants.machines) named += one.name + ":" + std::to_string(one.port) + " ";
  BOOST_TEST(named == "10.0.0.7:9 [fd12::7]:80 nas:9 nas:80 ");
}

BOOST_AUTO_TEST_CASE(the_wires_own_port_and_too_many_ports_are_refused_however_they_are_named) {
  const Machine machine;
  const auto check_of = [&machine](const Spec& flags, const std::string& text) {
    const auto parsed = parse_spec(text, "spec.toml");
    const auto resolved = resolve({{&parsed.spec, "spec.toml", machine.root.path().native()}, {&flags, {}, machine.facts.cwd}}, machine.facts);
    return check(resolved, machine.facts, {}, {}).refusals;
  };
  Spec flags;
  flags.localhost = {{5432, {}}};
  BOOST_TEST(check_of(flags, "[localhost]\nports = [5432]\n").empty());
  BOOST_TEST(check_of(flags, "[network]\ndirect = true\n").size() == 1U);
  flags.localhost = {{40781, {}}};
  BOOST_TEST(check_of(flags, "").size() == 1U);
  flags.localhost.clear();
  for (std::uint16_t port = 1; port <= kPortsMax; ++port) flags.localhost.push_back({port, {}});
  BOOST_TEST(check_of(flags, "").empty());
  BOOST_TEST(check_of(flags, "[localhost]\nports = [5432]\n").size() == 1U);
}

BOOST_AUTO_TEST_CASE(no_table_of_the_network_means_no_network) {
  const Machine machine;
  BOOST_TEST((machine.check_of("").grants.network == NetworkMode::None));
  BOOST_TEST((machine.check_of("[network]\nhosts = []\n").grants.network == NetworkMode::None));
  BOOST_TEST((machine.check_of("[network]\nhosts = [\"a.example.com\"]\n").grants.network == NetworkMode::Wire));
  BOOST_TEST((machine.check_of("[network]\ndirect = true\n").grants.network == NetworkMode::Direct));
}

BOOST_AUTO_TEST_CASE(links_are_followed_once_and_kept) {
  const Machine machine;
  machine.root.link("home/now", "src/app");
  const auto checked = machine.check_of("[files]\nwrite = [\"~/now\"]\n");
  BOOST_REQUIRE(checked.grants.files.size() == 1U);
  BOOST_TEST(checked.grants.files[0].path == machine.facts.home + "/now");
  BOOST_TEST(checked.grants.files[0].target == machine.facts.home + "/src/app");
}

BOOST_AUTO_TEST_CASE(an_optional_path_has_one_hash_whether_there_or_not) {
  const Machine machine;
  const std::string spec = "[files]\nread = [\"~/src/later?\"]\n";
  const auto before = grants_json(machine.check_of(spec).grants);
  machine.root.folder("home/src/later");
  BOOST_TEST(grants_json(machine.check_of(spec).grants) == before);
}

BOOST_AUTO_TEST_CASE(the_nearest_grant_decides_where_a_program_may_start) {
  Grants grants;
  grants.files = {{Access::Read, "/a", "/a", FileKind::Folder, false}, {Access::Hide, "/a/b", "/a/b", FileKind::Folder, false},
                  {Access::Write, "/a/b/c", "/a/b/c", FileKind::Folder, false}};
  BOOST_TEST(may_start_in("/a/x", grants));
  BOOST_TEST(!may_start_in("/a/b/x", grants));
  BOOST_TEST(may_start_in("/a/b/c", grants));
  BOOST_TEST(!may_start_in("/ab", grants));
  BOOST_TEST(may_start_in("/usr/share", grants));
  BOOST_TEST(!may_start_in("/", grants));
}

BOOST_AUTO_TEST_CASE(start_files_kept_behind_links_are_protected_where_they_lie) {
  const Machine machine;
  machine.root.file("home/dot/bashrc");
  machine.root.link("home/.bashrc", "dot/bashrc");
  machine.refuses("[files]\nwrite = [\"~/dot\"]\n", "runs as you");
  machine.root.folder("home/other");
  machine.allows("[files]\nwrite = [\"~/other\"]\n");
  machine.root.folder("home/dot/gnupg");
  machine.root.link("home/.gnupg", "dot/gnupg");
  const auto wide = machine.check_of("[files]\nread = [\"~/dot\"]\n");
  BOOST_TEST(std::count(wide.closed.begin(), wide.closed.end(), machine.facts.home + "/dot/gnupg") == 1);
}

BOOST_AUTO_TEST_CASE(a_flag_does_not_follow_a_link) {
  const Machine machine;
  machine.root.folder("home/private");
  machine.root.link("home/src/build", machine.facts.home + "/private");
  Spec flags;
  flags.files.write.push_back({"./build", PathBase::SpecFolder, "build", false, {}});
  const auto checked = check(resolve({{&flags, "", machine.facts.home + "/src"}}, machine.facts), machine.facts, {}, {});
  BOOST_REQUIRE(checked.refusals.size() == 1U);
  BOOST_TEST(checked.refusals[0].find("leads by a link") != std::string::npos);
  flags.files.write[0] = {"./app", PathBase::SpecFolder, "app", false, {}};
  BOOST_TEST(check(resolve({{&flags, "", machine.facts.home + "/src"}}, machine.facts), machine.facts, {}, {}).refusals.empty());
}

BOOST_AUTO_TEST_CASE(the_system_and_what_a_sandbox_has_of_its_own_are_neither_hidden_nor_granted) {
  const Machine machine;
  for (const std::string place : {"/", "/usr", "/etc"}) machine.refuses("[files]\nhide = [\"" + place + "\"]\n", "can't be hidden");
  machine.allows("[files]\nhide = [\"/usr/share\"]\n");
  for (const std::string place : {"/proc", "/dev", "/proc/sys"}) machine.refuses("[files]\nread = [\"" + place + "\"]\n", "of its own");
}

BOOST_AUTO_TEST_CASE(the_wires_variables_are_not_set_by_a_spec_that_has_a_wire) {
  const Machine machine;
  const std::string set = "[env]\nset = { HTTPS_PROXY = \"http://x:1\" }\n";
  machine.refuses(set + "[network]\nhosts = [\"a.example.com\"]\n", "the wire sets it");
  machine.allows(set);
}

BOOST_AUTO_TEST_CASE(the_program_that_asks_for_pages_is_seen_inside_and_runs_beside_a_list) {
  Machine machine;
  machine.facts.page_opener = machine.root.file("program/lnk-open", "\x7f" "ELF");
  const auto none = machine.check_of("[open]\npages = false\n");
  BOOST_TEST((!none.grants.open_pages && none.grants.network == NetworkMode::None && none.grants.files.empty()));
  const auto checked = machine.check_of("[open]\npages = true\n[commands]\nallow = []\n");
  BOOST_TEST((checked.grants.open_pages == machine.facts.page_opener && checked.grants.network == NetworkMode::Wire));
  BOOST_REQUIRE(checked.grants.files.size() == 1U);
  BOOST_TEST((checked.grants.files[0].access == Access::Read && checked.grants.files[0].path == machine.facts.page_opener));
  BOOST_REQUIRE(checked.grants.commands->size() == 1U);
  BOOST_TEST((*checked.grants.commands)[0].target == machine.facts.page_opener);
  // One of the system's is seen in any case.
  machine.facts.page_opener = "/usr/lib/lnk-sandbox/os-linux/lnk-open";
  BOOST_TEST(machine.check_of("[open]\npages = true\n").grants.files.empty());
  machine.refuses("[open]\npages = true\n[env]\nset = { BROWSER = \"firefox\" }\n", "it names the program that asks for pages");
  machine.allows("[env]\nset = { BROWSER = \"firefox\" }\n");
}

BOOST_AUTO_TEST_CASE(settings_reached_by_a_link_in_a_written_folder_are_refused) {
  Machine machine;
  machine.facts.settings_named = machine.facts.home + "/src/app/settings";
  machine.refuses("[files]\nwrite = [\"~/src/app\"]\n", "holds lnk-sandbox's settings");
  machine.allows("[files]\nwrite = [\"~/src/lib\"]\n");
}

BOOST_AUTO_TEST_CASE(a_secret_that_cannot_be_used_is_refused_at_its_place) {
  const Machine machine;
  const auto checked = machine.check_of("[secrets]\nuse = [\"one\", \"two\"]\n", {{"one", "", "", "no secret is kept"}, {"two", "", "", "no secret is kept"}});
  BOOST_REQUIRE(checked.refusals.size() == 2U);
  BOOST_TEST(checked.refusals[0] == "spec.toml:2:8: no secret is kept");
}

BOOST_AUTO_TEST_CASE(a_tool_is_granted_as_it_is_kept_and_refused_where_it_is_not) {
  const Machine machine;
  const std::string uses = "[tools]\nuse = [\"files\"]\n";
  const auto refused = machine.check_of(uses, {}, {}, {{{"files"}, "no tool is kept"}});
  BOOST_TEST(refused.refusals == std::vector<std::string>{"spec.toml:2:8: no tool is kept"});
  const auto taken = machine.check_of(uses, {}, {}, {{{"files", {"/usr/bin/true"}}, ""}});
  BOOST_TEST(taken.refusals.empty());
  BOOST_TEST((taken.grants.network == NetworkMode::Wire && taken.grants.tools.size() == 1U));
}

BOOST_AUTO_TEST_CASE(what_a_tool_runs_outside_is_not_the_programs_to_change) {
  const Machine machine;
  const auto server = machine.root.file("home/src/app/server.js");
  static_cast<void>(machine.root.link("home/server", server));
  const auto refusals = [&](const std::vector<std::string>& argv, const std::string& files) {
    return machine.check_of("[files]\n" + files + "\n[tools]\nuse = [\"files\"]\n", {}, {}, {{{"files", argv}, ""}}).refusals;
  };
  const std::string writes = "write = [\"~/src/app\"]";
  for (const auto& argv : {std::vector<std::string>{server}, {"/usr/bin/node", server}, {"/usr/bin/node", machine.root / "home/server"}}) {
    const auto found = refusals(argv, writes);
    BOOST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found.front().find("the program could change it, by write \"~/src/app\" (spec.toml:2:") != std::string::npos, found.front());
    BOOST_TEST(refusals(argv, "read = [\"~/src/app\"]").empty());
    BOOST_TEST(refusals(argv, "write = [\"~/src/app\"]\nread = [\"~/src/app/server.js\"]").empty());
  }
  // A folder that is granted is what it works in, and stays where it is.
  BOOST_TEST(refusals({"/usr/bin/node", "-y", "serve", "@x/server", "/usr/lib/server.js", machine.root / "home/src/app"}, writes).empty());
}

BOOST_AUTO_TEST_CASE(nor_is_a_link_a_folder_or_an_absent_file_by_which_a_tool_finds_what_it_runs) {
  const Machine machine;
  const auto outside = machine.root.file("home/server.js");
  static_cast<void>(machine.root.file("home/src/app/package.json"));
  static_cast<void>(machine.root.file("home/src/app/notes/one"));
  static_cast<void>(machine.root.link("home/src/app/server.js", outside));
  static_cast<void>(machine.root.link("home/by", machine.root / "home/src/app/server.js"));
  for (const std::string& word : {machine.root / "home/src/app/server.js", machine.root / "home/by", machine.root / "home/src/app/dist/later.js",
                                  machine.root / "home/src/app/notes", machine.root / "home/src/app/notes/../../../server.js",
                                  std::string("src/app/package.json"), std::string("src/app/later.js"), std::string("./src/app/server.js")}) {
    for (const std::string access : {"write", "read"}) {
      const auto found = machine.check_of("[files]\n" + access + " = [\"~/src/app\"]\n[tools]\nuse = [\"files\"]\n", {}, {},
                                          {{{"files", {"/usr/bin/node", word}}, ""}}).refusals;
      BOOST_TEST(found.size() == (access == "write" ? 1U : 0U), word);
    }
  }
  for (const std::string& root : {machine.root / "home/src/app/notes", machine.root / "home/src/app", machine.root / "home/src"}) {
    GrantedTool tool{"files", {"/usr/bin/true"}};
    tool.roots = {root};
    const auto found = machine.check_of("[files]\nwrite = [\"~/src/app\"]\n[tools]\nuse = [\"files\"]\n", {}, {}, {{tool, ""}}).refusals;
    BOOST_TEST(found.size() == (root.ends_with("notes") ? 1U : 0U), root);
  }
}

BOOST_AUTO_TEST_CASE(kernel_file_systems_below_a_grant_are_found) {
  const std::vector<GrantedFile> files = {{Access::Write, "/home/u/p", "/home/u/p", FileKind::Folder, false},
                                          {Access::Hide, "/home/u/p/h", "/home/u/p/h", FileKind::Folder, false}};
  const std::string mountinfo =
      "22 1 0:21 / /proc rw - proc proc rw\n"
      "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "31 30 0:40 / /home/u/p/root\\040fs/proc rw shared:1 - proc proc rw\n"
      "32 30 0:41 / /home/u/p/h/sys rw - sysfs sysfs rw\n"
      "33 30 0:42 / /home/u/other/proc rw - proc proc rw\n"
      "34 30 8:2 / /home/u/p/disk rw - ext4 /dev/sdb1 rw\n";
  BOOST_TEST(kernel_mounts_below(mountinfo, files) == std::vector<std::string>{"/home/u/p/root fs/proc"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
