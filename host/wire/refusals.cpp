// SPDX-License-Identifier: Apache-2.0
#include "wire/refusals.hpp"

#include "wire/address.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kClosedAddress = "closed-address";
constexpr std::string_view kNotListed = "host-not-listed";
constexpr std::string_view kUpstream = "upstream";
constexpr std::string_view kTooManyCalls = "too-many-calls";
constexpr std::string_view kPaused = "paused";
constexpr std::string_view kStopped = "stopped";

/// A refusal of an address is told apart by these words of its own: a target holds no blank.
std::string is_kind(std::string_view kind) { return " is " + std::string(kind) + ","; }

/// As [network] hosts names it: 443 and 80 go without saying.
std::string as_listed(const http::Authority& target) {
  const bool is_usual = target.port == 443 || target.port == 80;
  return target.to_text(is_usual ? target.port : 0);
}

/// Follows on what it is.
std::string mend_of_closed(const http::Authority& target, std::string_view kind) {
  const std::string port = std::to_string(target.port);
  if (is_this_machine(kind))
    return " which the proxy never reaches; trying again won't help. A port of this machine's loopback is carried in by ports "
           "under [localhost] in the sandbox's spec (" + port + "): the program then finds it at localhost:" + port +
           ", without the proxy.";
  if (is_opened_by_lan(kind))
    return " which no host of [network] opens; trying again won't help. To allow it, add \"" + target.to_text(0) +
           "\" to machines under [lan] in the sandbox's spec.";
  return " which nothing in a spec opens; trying again won't help.";
}

}  // namespace

http::Refusal refuse_unlisted(const http::Authority& target) {
  if (is_link_name(target.host.text))
    return {403, kNotListed, target.to_text(0) + " is not among the machines this sandbox may reach; trying again won't help. "
                                 "To allow it, add \"" + target.to_text(0) + "\" to machines under [lan] in the sandbox's spec."};
  return {403, kNotListed,
          target.to_text(0) +
              " is not among the hosts this sandbox may reach; trying again won't help. "
              "To allow it, add \"" +
              as_listed(target) + "\" to hosts under [network] in the sandbox's spec, or where it has none start it with --host " +
              as_listed(target) + "."};
}

http::Refusal refuse_verbs_own(const http::Authority& target) {
  return {403, kNotListed,
          target.to_text(0) + " is reached by the wire alone, for this program and with what it holds for it; trying again won't help. Ask for "
                              "it below /_link/ of the wire, where a variable of this sandbox's environment names the place."};
}

http::Refusal refuse_closed(const http::Authority& target, std::string_view kind) {
  return {403, kClosedAddress, target.to_text(0) + is_kind(kind) + mend_of_closed(target, kind)};
}

http::Refusal refuse_uncovered(std::string_view name) {
  return {403, "host-not-listed", std::string(name) + " is covered by no line of endpoints under [tcp] in the sandbox's spec"};
}

http::Refusal refuse_no_such_verb() {
  return {404, "no-such-verb", "nothing is registered at this path of the wire; the sandbox's spec names what is"};
}

http::Refusal refuse_pinned(http::Refusal refusal, const Address& address) {
  if (refusal.reason != kUpstream) return refusal;
  refusal.words += " at " + to_text(address) + ", the address that was approved; if the machine has another now, "
                   "a person approves its spec again";
  return refusal;
}

http::Refusal refuse_slow_head() { return {408, "too-slow", "the request's head was not whole within 30 seconds"}; }
http::Refusal refuse_slow_body() { return {408, "too-slow", "the request's body stalled for 60 seconds"}; }
http::Refusal refuse_echo() { return refuse_upstream("the reply held the secret that it was asked with, and was cut"); }
http::Refusal refuse_upstream(std::string_view words) { return {502, kUpstream, std::string(words)}; }
http::Refusal refuse_upstream_timeout(std::string_view words) { return {504, kUpstream, std::string(words)}; }
http::Refusal refuse_bad_request(std::string_view words) { return {400, "bad-request", std::string(words)}; }


http::Refusal refuse_too_much_held() {
  return {429, kTooManyCalls,
          "the calls of this sandbox hold " + std::to_string(kHeldBodiesBytesMax >> 20U) +
              " MiB of bodies already; it may be asked again when one of them has ended",
          1};
}

http::Refusal refuse_too_many_calls(std::uint32_t calls_per_minute, std::uint32_t after_s) {
  return {429, kTooManyCalls,
          "this sandbox may make " + std::to_string(calls_per_minute) +
              " calls a minute, by calls_per_minute under [limits] in its spec; one more is free in " + std::to_string(after_s) +
              " s.",
          after_s};
}

http::Refusal refuse_paused(std::string_view why, std::string_view mend) {
  return {503, kPaused, "this sandbox's wire is paused (" + std::string(why) +
                            "); trying again won't help before a person opens it, outside, with: " + std::string(mend)};
}

http::Refusal refuse_stopped(std::string_view why, std::string_view mend) {
  return {503, kStopped, "this sandbox's wire is stopped (" + std::string(why) +
                             "); trying again won't help before a person opens it, outside, with: " + std::string(mend)};
}

RefusalKind kind_of(const http::Refusal& refusal) {
  const auto& reason = refusal.reason;
  if (reason == kTooManyCalls || reason == kPaused || reason == kStopped) return RefusalKind::NotCounted;
  if (reason == kUpstream || reason == "too-slow") return RefusalKind::NotCounted;
  // Nobody was left to be told, but for a tunnel that asked one name and spoke of another: that is closed without an answer.
  if (refusal.status == 0 && reason != "name-mismatch") return RefusalKind::NotCounted;
  const bool is_metadata = reason == kClosedAddress && refusal.words.find(is_kind(kMetadataService)) != std::string::npos;
  return is_metadata ? RefusalKind::Metadata : RefusalKind::Counted;
}

}  // namespace lnk::host
