// SPDX-License-Identifier: Apache-2.0
#include "wire/refusals.hpp"

namespace lnk::host {
namespace {

/// As [network] hosts names it: 443 and 80 go without saying.
std::string as_listed(const http::Authority& target) {
  const bool is_usual = target.port == 443 || target.port == 80;
  return target.to_text(is_usual ? target.port : 0);
}

}  // namespace

http::Refusal refuse_unlisted(const http::Authority& target) {
  return {403, "host-not-listed",
          target.to_text(0) +
              " is not among the hosts this sandbox may reach; trying again won't help. "
              "To allow it, add \"" +
              as_listed(target) + "\" to hosts under [network] in the sandbox's spec, or where it has none start it with --host " +
              as_listed(target) + "."};
}

http::Refusal refuse_closed(const http::Authority& target, std::string_view kind) {
  return {403, "closed-address",
          target.to_text(0) + " is " + std::string(kind) +
              ", which no host of [network] opens, nor anything else of a spec in this version; trying again won't help."};
}

http::Refusal refuse_no_such_verb() {
  return {404, "no-such-verb", "nothing is registered at this path of the wire; the sandbox's spec names what is"};
}

http::Refusal refuse_slow_head() { return {408, "too-slow", "the request's head was not whole within 30 seconds"}; }
http::Refusal refuse_slow_body() { return {408, "too-slow", "the request's body stalled for 60 seconds"}; }
http::Refusal refuse_upstream(std::string_view words) { return {502, "upstream", std::string(words)}; }
http::Refusal refuse_upstream_timeout(std::string_view words) { return {504, "upstream", std::string(words)}; }
http::Refusal refuse_bad_request(std::string_view words) { return {400, "bad-request", std::string(words)}; }

}  // namespace lnk::host
