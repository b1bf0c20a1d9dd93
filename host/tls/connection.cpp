// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>

namespace lnk::host::tls {
namespace {

constexpr unsigned char kAlpn[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int as_int(std::size_t size) noexcept { return size > INT_MAX ? INT_MAX : static_cast<int>(size); }

/// What the macro SSL_set_tlsext_host_name does; the text is copied and not written to.
bool set_server_name(SSL* ssl, const std::string& host) noexcept {
  return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(host.c_str())) == 1;
}

/// The reason of the oldest queued error, which is where it began.
std::string queued_reason() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "the connection ended" : reason;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(SSL_CTX* context, const std::string& host) {
  std::unique_ptr<Connection> made(new Connection);
  made->ssl_.reset(SSL_new(context));
  made->in_ = BIO_new(BIO_s_mem());
  made->out_ = BIO_new(BIO_s_mem());
  SSL* ssl = made->ssl_.get();
  if (ssl == nullptr || made->in_ == nullptr || made->out_ == nullptr) {
    BIO_free(made->in_);
    BIO_free(made->out_);
    return fail(Code::Internal, "TLS: out of memory");
  }
  SSL_set_bio(ssl, made->in_, made->out_);
  // An empty memory means "not yet" until feed_end.
  BIO_set_mem_eof_return(made->in_, -1);
  SSL_set_connect_state(ssl);
  SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  const bool named = SSL_set1_host(ssl, host.c_str()) == 1 && set_server_name(ssl, host) &&
                     SSL_set_alpn_protos(ssl, kAlpn, sizeof kAlpn) == 0;
  if (!named) return fail(Code::Invalid, "TLS: the host can't be a server's name");
  return made;
}

bool Connection::feed(std::string_view bytes) noexcept {
  return bytes.empty() || BIO_write(in_, bytes.data(), as_int(bytes.size())) == as_int(bytes.size());
}

void Connection::feed_end() noexcept { BIO_set_mem_eof_return(in_, 0); }

std::string_view Connection::outgoing() const noexcept {
  char* data = nullptr;
  const long size = BIO_get_mem_data(out_, &data);
  return size <= 0 ? std::string_view{} : std::string_view(data, static_cast<std::size_t>(size));
}

void Connection::sent(std::size_t bytes) noexcept {
  char drop[4096];
  while (bytes != 0) {
    const int dropped = BIO_read(out_, drop, as_int(std::min(bytes, sizeof drop)));
    if (dropped <= 0) return;
    bytes -= static_cast<std::size_t>(dropped);
  }
}

Failure Connection::failure(int returned, std::string_view step) {
  const int kind = SSL_get_error(ssl_.get(), returned);
  if (kind == SSL_ERROR_WANT_READ || kind == SSL_ERROR_WANT_WRITE) return fail(Code::Again, "TLS: more is needed");
  if (kind == SSL_ERROR_ZERO_RETURN) return fail(Code::Gone, "TLS: the server has closed");
  const long verified = SSL_get_verify_result(ssl_.get());
  const std::string where = "TLS " + std::string(step) + ": ";
  if (verified != X509_V_OK) {
    ERR_clear_error();
    return fail(Code::Denied, where + "the server is not who it must be: " + X509_verify_cert_error_string(verified));
  }
  return fail(Code::Upstream, where + queued_reason());
}

Result<void> Connection::handshake() {
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_.get());
  if (done != 1) return failure(done, "handshake");
  return {};
}

Result<std::size_t> Connection::read(std::span<unsigned char> into) {
  ERR_clear_error();
  std::size_t got = 0;
  const int done = SSL_read_ex(ssl_.get(), into.data(), into.size(), &got);
  if (done != 1) return failure(done, "read");
  return got;
}

Result<void> Connection::write(std::string_view bytes) {
  if (bytes.empty()) return {};
  ERR_clear_error();
  std::size_t taken = 0;
  const int done = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &taken);
  if (done != 1) return failure(done, "write");
  return {};
}

void Connection::finish() noexcept {
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

}  // namespace lnk::host::tls
