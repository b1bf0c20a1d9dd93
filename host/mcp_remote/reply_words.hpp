// SPDX-License-Identifier: Apache-2.0
//
// What a person is told of a reply that carries no message. Pure; holds no header's value, though the server may have sent it back.
#pragma once

#include <string>

#include "lnk/http/head.hpp"
#include "mcp_remote/request_head.hpp"
#include "mcp_remote/url.hpp"

namespace lnk::host::remote {

[[nodiscard]] std::string reply_words(const http::ReplyHead& reply, const Url& url, const Headers& headers);

}  // namespace lnk::host::remote
