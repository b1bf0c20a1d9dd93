// SPDX-License-Identifier: Apache-2.0
#include "own_pages.hpp"

#include <vector>

namespace lnk::verb_open {
namespace {

#define LNK_OWN_PAGE(words)                                                                                  \
  "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Link</title></head><body><p>" words \
  "</p></body></html>\n"

constexpr std::string_view kPassed =
    LNK_OWN_PAGE("The login came back, and was passed to the program. You can close this window.");
constexpr std::string_view kNotTaken =
    LNK_OWN_PAGE("The login came back, and the program didn't take it. Look at what it says, and close this window.");
constexpr std::string_view kWaits = LNK_OWN_PAGE("Waiting for a login to come back.");
constexpr std::string_view kNotFound = LNK_OWN_PAGE("There is nothing here.");
constexpr std::string_view kUnfit = LNK_OWN_PAGE("This is no answer of a login.");

#undef LNK_OWN_PAGE

/// The page's own address holds the login's code: it goes to nobody as a referrer, and into no cache.
std::vector<Field> guard_fields() {
  return {{"Cache-Control", "no-store"},
          {"Content-Security-Policy",
           "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Referrer-Policy", "no-referrer"},
          {"X-Content-Type-Options", "nosniff"},
          {"X-Frame-Options", "DENY"}};
}

struct Told {
  std::uint32_t status;
  std::string_view text;
};

constexpr Told told(OwnPage page) noexcept {
  switch (page) {
    case OwnPage::Passed:
      return {200, kPassed};
    case OwnPage::NotTaken:
      return {502, kNotTaken};
    case OwnPage::Waits:
      return {200, kWaits};
    case OwnPage::Unfit:
      return {400, kUnfit};
    case OwnPage::NotFound:
      break;
  }
  return {404, kNotFound};
}

}  // namespace

Reply own_page(OwnPage page) {
  Reply reply{told(page).status, guard_fields(), told(page).text};
  reply.fields.push_back({"Content-Type", "text/html; charset=utf-8"});
  return reply;
}

Reply own_redirect(std::string_view url) {
  Reply reply{302, guard_fields(), {}};
  reply.fields.push_back({"Location", url});
  return reply;
}

}  // namespace lnk::verb_open
