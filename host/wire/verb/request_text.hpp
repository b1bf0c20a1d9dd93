// SPDX-License-Identifier: Apache-2.0
//
// The request that goes out, written anew from the plan and from the fields that came.
#pragma once

#include <span>

#include "lnk/cpp/result.hpp"
#include "lnk/http/body.hpp"
#include "lnk/http/head.hpp"
#include "lnk/secret/secret_bytes.hpp"
#include "wire/verb/decided.hpp"
#include "wire/verb/handles.hpp"

namespace lnk::host {

/// The head's bytes, with the secrets in it.
/// `fields`: end-to-end ones of the program's request. `framing`: of the body that follows.
/// errors: Gone, Invalid, Limit, as render's.
Result<secret::SecretBytes> write_request_head(const RelayPlan& plan, std::span<const http::Field> fields,
                                               const http::Body& framing, const HandleStore& handles);

}  // namespace lnk::host
