// SPDX-License-Identifier: Apache-2.0
//
// Whether bytes spell a text, each character of it as it is or escaped in a way that writers of JSON, JavaScript, URLs,
// forms and HTML use, mixed and to some depth one in another: / as %2F, %2f, %252F, \/, \\/, \u002f, \x2f, &#47; or
// &#x2F;, & as &amp; and &amp;amp; too.
// Pure: views in, a word out.
#pragma once

#include <string_view>

namespace lnk::host {

enum class Spelled {
  No,
  Begun,  ///< as far as the bytes go; more of them could make it whole
  Whole,
};

/// `bytes` from their start; what stands behind a whole text is not looked at. `text` is printable ASCII.
/// complexity: the length of the text times the ways in which its characters could have been spelled, mostly one
[[nodiscard]] Spelled spelled(std::string_view bytes, std::string_view text);

/// Whether a spelling of this character can begin with this byte.
[[nodiscard]] bool may_begin(char byte, char character) noexcept;

}  // namespace lnk::host
