// SPDX-License-Identifier: Apache-2.0
#include "trust.hpp"

#include <dirent.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace lnk::host::tls {
namespace {

constexpr int kChainDepthMax = 10;       // public chains are three or four deep
constexpr std::size_t kFilesMax = 4096;  // of a folder of certificates; Debian has about 150

/// Read eagerly: the folder that OpenSSL would look into at each handshake is out of reach by then.
bool load_file(X509_STORE* store, const std::string& file) {
  const bool loaded = X509_STORE_load_file(store, file.c_str()) == 1;
  ERR_clear_error();
  return loaded;
}

/// OpenSSL's name of a certificate in a folder: eight hex digits of its subject's hash, '.', a number
/// (openssl-rehash(1)).
bool is_hashed_name(std::string_view name) noexcept {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() > 9 && name[8] == '.' && std::all_of(name.begin(), name.begin() + 8, is_hex) && name[9] != 'r';
}

bool load_folder(X509_STORE* store, const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), &::closedir);
  if (!open) return false;
  bool any = false;
  for (std::size_t seen = 0; seen < kFilesMax; ++seen) {
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    if (is_hashed_name(entry->d_name)) any = load_file(store, folder + '/' + entry->d_name) || any;
  }
  return any;
}

/// OpenSSL's own default places. The file is the whole store where it is there, so the folder is read only without it.
bool load_defaults(X509_STORE* store) {
  const std::string folder = X509_get_default_cert_dir();
  return load_file(store, X509_get_default_cert_file()) || load_file(store, folder + "/ca-certificates.crt") ||
         load_folder(store, folder);
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

Result<Context> make_context() {
  // No configuration file: it could name engines to load.
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  Context context(SSL_CTX_new(TLS_client_method()));
  if (!context) return fail(Code::Internal, "TLS: can't be set up");
  set_client_options(context.get());
  if (!load_defaults(SSL_CTX_get_cert_store(context.get()))) {
    return fail(Code::Gone, std::string("TLS: no certificate found in ") + X509_get_default_cert_file() + " or " +
                                X509_get_default_cert_dir() + "; install ca-certificates");
  }
  // Seeds now what would be seeded at the first handshake, when the process is confined.
  unsigned char byte = 0;
  if (RAND_bytes(&byte, 1) != 1) return fail(Code::Internal, "TLS: no random bytes");
  return context;
}

}  // namespace lnk::host::tls
