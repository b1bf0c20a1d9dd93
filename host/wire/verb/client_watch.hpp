// SPDX-License-Identifier: Apache-2.0
//
// Whether the program still waits for its answer, while nothing of it is read. A program that has closed can't be told from one
// that will send no more and reads on; both are taken for gone, as other servers do.
#pragma once

#include "wire/byte_stream.hpp"

namespace lnk::host {

class ClientWatch {
 public:
  /// `bell`: rung once it is gone. Its stream is cancelled then, so that who writes to it comes back.
  ClientWatch(Loop& loop, ByteStream& client, Bell& bell) noexcept : client_(client), bell_(bell), ended_(loop) {}
  ClientWatch(const ClientWatch&) = delete;
  ClientWatch& operator=(const ClientWatch&) = delete;

  /// From then on nobody else may read from it, until `stop` has returned.
  void start();
  Task<void> stop();
  [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }

 private:
  Task<void> run();
  [[nodiscard]] bool has_closed() const noexcept;

  ByteStream& client_;
  Bell& bell_;
  Signal ended_;
  bool is_running_ = false;
  bool was_started_ = false;
  bool stops_ = false;
  bool is_gone_ = false;
};

}  // namespace lnk::host
