// SPDX-License-Identifier: Apache-2.0
#include "spec/public_suffix.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lnk::host {
namespace {

// Second levels that registries of countries open to all.
constexpr std::array<std::string_view, 24> kSecondLevels = {
    "ac", "asn", "co",  "com",  "ed",  "edu", "firm", "gen", "go",  "gob", "gouv", "gov",
    "gv", "id",  "ind", "info", "ltd", "me",  "ne",   "net", "nom", "or",  "org",  "plc",
};

// Domains below which a host gives a name to any customer.
constexpr std::array<std::string_view, 44> kSharedHosts = {
    "amplifyapp.com",
    "appspot.com",
    "azureedge.net",
    "azurewebsites.net",
    "blob.core.windows.net",
    "blogspot.com",
    "cloudapp.net",
    "cloudfront.net",
    "deno.dev",
    "duckdns.org",
    "elasticbeanstalk.com",
    "firebaseapp.com",
    "fly.dev",
    "github.io",
    "githubusercontent.com",
    "gitlab.io",
    "glitch.me",
    "herokuapp.com",
    "hf.space",
    "in-addr.arpa",
    "ip6.arpa",
    "localtest.me",
    "myshopify.com",
    "netlify.app",
    "ngrok.app",
    "ngrok.io",
    "ngrok-free.app",
    "nip.io",
    "ondigitalocean.app",
    "onrender.com",
    "pages.dev",
    "r2.dev",
    "readthedocs.io",
    "repl.co",
    "run.app",
    "s3.amazonaws.com",
    "sslip.io",
    "supabase.co",
    "surge.sh",
    "trycloudflare.com",
    "vercel.app",
    "web.app",
    "wordpress.com",
    "workers.dev",
};

bool is_one_of(const auto& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

bool is_public_suffix(std::string_view domain) {
  const std::size_t dot = domain.find('.');
  if (dot == std::string_view::npos) return true;
  if (is_one_of(kSharedHosts, domain)) return true;
  const std::string_view top = domain.substr(dot + 1);
  return top.size() == 2 && is_one_of(kSecondLevels, domain.substr(0, dot));
}

}  // namespace lnk::host
