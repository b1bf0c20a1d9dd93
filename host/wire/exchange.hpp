// SPDX-License-Identifier: Apache-2.0
//
// One request and its reply, as a verb or the plain relay gets it. The head has passed the strict parser.
#pragma once

#include <utility>

#include "lnk/http/head.hpp"
#include "wire/call_log.hpp"
#include "wire/message_reader.hpp"
#include "wire/reply_writer.hpp"

namespace lnk::host {

struct Exchange {
  Loop& loop;
  const http::RequestHead& head;
  ByteStream& client;
  MessageReader& request;  ///< begin_body was called: read_body gives the request's body
  ReplyWriter& reply;      ///< answered whole, or closed: what was begun and not ended closes the connection
  CallLog& log;            ///< opened(), counters, refused(); closed() is called by the connection

  /// Behind a body that was not read whole no next request is: the client is told so, or it sends one that nobody answers.
  Task<void> refuse(http::Refusal refusal) {
    if (!request.is_body_whole()) reply.close_after();
    co_await reply.refuse(std::move(refusal));
  }
};

}  // namespace lnk::host
