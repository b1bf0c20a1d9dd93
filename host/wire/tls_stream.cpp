// SPDX-License-Identifier: Apache-2.0
#include "wire/tls_stream.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "tls/tls.h"

namespace lnk::host {
namespace {

/// One record of TLS holds at most this much (RFC 8446 5.1); more at once gains nothing.
constexpr std::size_t kRecordBytes = 16 * 1024;

struct TlsDeleter {
  const lnk_tls_v1* table;
  void operator()(lnk_tls* tls) const noexcept { table->drop(tls); }
};
using Tls = std::unique_ptr<lnk_tls, TlsDeleter>;

lnk_bytes raw(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

class TlsStream final : public ByteStream {
 public:
  TlsStream(const lnk_tls_v1& table, Tls tls, std::unique_ptr<ByteStream> under) noexcept
      : table_(table), tls_(std::move(tls)), under_(std::move(under)) {}

  Task<Status> handshake() {
    for (;;) {
      ErrorSlot error;
      const lnk_status status = table_.handshake(tls_.get(), error.get());
      if (auto sent = co_await flush(); !sent) co_return fail(std::move(sent).error());
      if (status == LNK_OK) co_return Status{};
      if (status != LNK_E_AGAIN) co_return fail(error.take(status));
      const Io io = take_in();
      if (io.kind == Io::Kind::Failed)
        co_return fail(Code::Upstream, "TLS handshake: the connection failed", io.os_errno);
      if (io.kind == Io::Kind::WouldBlock && co_await under_->wait_readable() == Wake::Cancelled) co_return cancelled();
    }
  }

  Io try_read(std::span<std::byte> into) noexcept override {
    for (;;) {
      std::size_t got = 0;
      const lnk_status status =
          table_.read(tls_.get(), reinterpret_cast<std::uint8_t*>(into.data()), into.size(), &got, nullptr);
      if (status == LNK_OK) return {Io::Kind::Moved, got, 0};
      if (status == LNK_E_GONE) return {Io::Kind::Ended, 0, 0};
      // Cut short or broken: what was read may be less than was sent, so it is no end.
      if (status != LNK_E_AGAIN) return {Io::Kind::Failed, 0, ECONNRESET};
      static_cast<void>(try_flush());  // TLS itself may have something to say
      const Io io = take_in();
      if (io.kind == Io::Kind::WouldBlock) may_hold_text_ = false;
      if (io.kind == Io::Kind::WouldBlock || io.kind == Io::Kind::Failed) return io;
    }
  }

  /// What was encrypted and could not be sent is sent first: the caller comes again with the same bytes.
  Io try_write(std::span<const std::byte> bytes, bool) noexcept override {
    if (taken_ == 0) {
      taken_ = std::min(bytes.size(), kRecordBytes);
      if (table_.write(tls_.get(), raw(bytes.first(taken_)), nullptr) != LNK_OK) return {Io::Kind::Failed, 0, EPIPE};
    }
    const Io io = try_flush();
    if (io.kind != Io::Kind::Moved) return io;
    return {Io::Kind::Moved, std::exchange(taken_, 0), 0};
  }

  Task<Wake> wait_readable() override {
    if (may_hold_text_) co_return Wake::Ready;
    co_return co_await under_->wait_readable();
  }
  Task<Wake> wait_writable() override { co_return co_await under_->wait_writable(); }
  Task<Status> shutdown_write() override {
    table_.finish(tls_.get());
    auto sent = co_await flush();
    Status ended =
        co_await under_->shutdown_write();  // what can't be sent is no reason to leave the other side waiting
    if (!sent) co_return fail(std::move(sent).error());
    co_return ended;
  }
  void close() noexcept override { under_->close(); }
  void cancel() noexcept override { under_->cancel(); }

 private:
  static Failure cancelled() { return fail(Code::Timeout, "TLS: the wait was ended"); }

  /// Moved: nothing is left to send.
  Io try_flush() noexcept {
    for (;;) {
      const lnk_bytes out = table_.outgoing(tls_.get());
      if (out.size == 0) return {Io::Kind::Moved, 0, 0};
      const Io io = under_->try_write(std::as_bytes(std::span(out.data, out.size)));
      if (io.kind != Io::Kind::Moved) return io;
      table_.sent(tls_.get(), io.size);
    }
  }

  Task<Status> flush() {
    for (;;) {
      const Io io = try_flush();
      if (io.kind == Io::Kind::Moved) co_return Status{};
      if (io.kind != Io::Kind::WouldBlock) co_return fail(Code::Upstream, "TLS: the connection failed", io.os_errno);
      if (co_await under_->wait_writable() == Wake::Cancelled) co_return cancelled();
    }
  }

  /// Feeds what has come. Ended is fed too, and told by TLS: only it knows whether an end is one.
  Io take_in() noexcept {
    std::array<std::byte, kRecordBytes> cipher;
    const Io io = under_->try_read(cipher);
    if (io.kind == Io::Kind::Moved) {
      may_hold_text_ = true;
      if (table_.feed(tls_.get(), raw(std::span(cipher).first(io.size))) != LNK_OK)
        return {Io::Kind::Failed, 0, ENOMEM};
    }
    if (io.kind == Io::Kind::Ended) table_.feed_end(tls_.get());
    return io;
  }

  const lnk_tls_v1& table_;
  Tls tls_;
  std::unique_ptr<ByteStream> under_;
  std::size_t taken_ = 0;      ///< bytes that were encrypted and are not all sent
  bool may_hold_text_ = true;  ///< text may be there without the connection being readable
};

}  // namespace

Result<std::unique_ptr<TlsLibrary>> TlsLibrary::open(const std::string& file) {
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const void* symbol = library == nullptr ? nullptr : ::dlsym(library, LNK_TLS_SYMBOL);
  const auto* table = static_cast<const lnk_tls_v1*>(symbol);
  if (table == nullptr || table->size < sizeof(lnk_tls_v1)) {
    const char* why = ::dlerror();
    return fail(Code::Gone, "TLS: " + file + " can't be loaded: " + (why == nullptr ? "not of this version" : why));
  }
  lnk_tls_trust* trust = nullptr;
  ErrorSlot error;
  if (const lnk_status status = table->load_trust(&trust, error.get()); status != LNK_OK)
    return fail(error.take(status));
  return std::unique_ptr<TlsLibrary>(new TlsLibrary(*table, trust));
}

TlsLibrary::~TlsLibrary() { table_.drop_trust(trust_); }

Task<Result<std::unique_ptr<ByteStream>>> TlsLibrary::connect(std::unique_ptr<ByteStream> under,
                                                              std::string host) const {
  lnk_tls* tls = nullptr;
  ErrorSlot error;
  const lnk_status status = table_.open(trust_, to_str(host), &tls, error.get());
  if (status != LNK_OK) co_return fail(error.take(status));
  auto stream = std::make_unique<TlsStream>(table_, Tls(tls, TlsDeleter{&table_}), std::move(under));
  if (auto done = co_await stream->handshake(); !done) co_return fail(std::move(done).error());
  co_return std::unique_ptr<ByteStream>(std::move(stream));
}

}  // namespace lnk::host
