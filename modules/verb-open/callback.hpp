// SPDX-License-Identifier: Apache-2.0
//
// Where a login sends the browser back to, and what of the browser's requests there is its answer.
// source: RFC 8252 7.3 (a loopback address and any port); RFC 6749 4.1.2 (the answer is in the query); OAuth 2.0 Form
// Post Response Mode (or in a form's body) Pure: text in, a decision out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "denial.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "page.hpp"

namespace lnk::verb_open {

/// Below it a port needs a privilege, and is no program's of a sandbox.
inline constexpr std::uint16_t kPortMin = 1024;
inline constexpr std::size_t kFormBytesMax = 64 * std::size_t{1024};

struct Callback {
  std::uint16_t port = 0;
  std::string path;
};

/// Of a page whose query has a `redirect_uri` on this machine that the program itself can be listening at; nothing: it
/// has none, or a port that leads elsewhere. A denial: one that could be read in two ways.
[[nodiscard]] std::variant<Denial, std::optional<Callback>> find_callback(const Page& page, const Config& config);

/// What a request on the port is.
enum class Request : std::uint8_t {
  Answer,     ///< passed in
  Nothing,    ///< too little to be the answer: our own page that waits
  Elsewhere,  ///< another path or host: not found
  Unfit       ///< of a method, type or size that no answer has
};

/// `follows`: it is the second request of an answer, which the program redirected to itself.
[[nodiscard]] Request judge(const CallbackEvent& request, const Callback& callback, bool follows);

/// The program's Location where it redirects to itself: the URL for the browser, and the path that is passed then.
struct Redirect {
  std::string url;
  std::string path;
};

/// Nothing: it leads elsewhere, or nowhere.
[[nodiscard]] std::optional<Redirect> redirect_to_itself(std::string_view location, std::string_view host,
                                                         std::uint16_t port);

}  // namespace lnk::verb_open
