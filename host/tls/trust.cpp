// SPDX-License-Identifier: Apache-2.0
#include "trust.hpp"

#include <string>
#include <utility>

namespace lnk::host::tls {
namespace {

constexpr int kChainDepthMax = 10;  // public chains are three or four deep

/// OpenSSL's own default places. The file is the whole store where it is there, so the folder is read only without it.
/// Read now: the folder that OpenSSL would look into at each handshake is out of reach by then.
bool read_defaults(TrustStore& store) {
  const std::string folder = X509_get_default_cert_dir();
  return store.read_file(X509_get_default_cert_file()) || store.read_file(folder + "/ca-certificates.crt") ||
         store.read_folder(folder);
}

void set_client_options(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  // An idle connection keeps no record buffers (34 KiB each).
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_verify_depth(context, kChainDepthMax);
}

}  // namespace

Result<std::unique_ptr<Trust>> Trust::read_machines() {
  auto trust = std::make_unique<Trust>();
  if (!read_defaults(trust->store_)) {
    return fail(Code::Gone, std::string("TLS: no certificate found in ") + X509_get_default_cert_file() + " or " +
                                X509_get_default_cert_dir() + "; install ca-certificates");
  }
  return trust;
}

Result<SSL_CTX*> Trust::context() {
  if (context_) return context_.get();
  // No configuration file: it could name engines to load, and the process reaches no file any more.
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  Context made(SSL_CTX_new(TLS_client_method()));
  if (!made) return fail(Code::Internal, "TLS: can't be set up");
  set_client_options(made.get());
  if (!store_.attach(SSL_CTX_get_cert_store(made.get()))) return fail(Code::Internal, "TLS: can't be set up");
  context_ = std::move(made);
  return context_.get();
}

}  // namespace lnk::host::tls
