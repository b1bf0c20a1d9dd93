// SPDX-License-Identifier: Apache-2.0
//
// A request's body on its way out, while the reply is read beside it.
#pragma once

#include <optional>

#include "wire/exchange.hpp"

namespace lnk::host {

class Upload {
 public:
  /// `idle`: the exchange's, set anew as bytes go out.
  Upload(Exchange& exchange, ByteStream& outside, Deadline& idle) noexcept;
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  /// Nothing is started where the request has no body.
  void start();
  /// Rung once nothing of the client is waited for any more.
  void rings(Bell& bell) noexcept { bell_ = &bell; }
  [[nodiscard]] bool is_running() const noexcept { return is_running_; }
  /// Called once the reply has ended: what of the body has not come is read for a moment and dropped, so that the
  /// client gets to read the reply. Returns when nothing runs any more.
  Task<void> finish();
  /// Set where the client's part is to blame: a body that can't be read, or stalls. The reply's reader is cancelled
  /// then.
  [[nodiscard]] const std::optional<http::Refusal>& refusal() const noexcept { return refusal_; }
  /// The whole body was passed on.
  [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }

 private:
  Task<void> run();
  Task<void> move_body();
  Task<void> give_up();
  void take_end(const ReadEnd& end);

  Exchange& exchange_;
  ByteStream& outside_;
  Deadline& idle_;
  Deadline stall_;
  Signal ended_;
  Bell* bell_ = nullptr;
  std::optional<http::Refusal> refusal_;
  std::size_t dropped_ = 0;
  bool is_whole_ = false;
  bool drops_ = false;  ///< the reply has ended, or the outside takes no more
  bool is_running_ = false;
};

}  // namespace lnk::host
