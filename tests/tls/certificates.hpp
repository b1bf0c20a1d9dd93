// SPDX-License-Identifier: Apache-2.0
//
// An authority of the tests' own, in memory.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace lnk::test {

struct KeyDeleter {
  void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};
struct CertificateDeleter {
  void operator()(X509* certificate) const noexcept { X509_free(certificate); }
};

struct Identity {
  std::unique_ptr<EVP_PKEY, KeyDeleter> key;
  std::unique_ptr<X509, CertificateDeleter> certificate;
};

inline void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

inline void set_name(X509_NAME* name, const std::string& text) {
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(text.c_str()), -1, -1, 0);
}

/// `issuer`: none for an authority that signs itself. `host`: none for an authority. `days`: how long it is good, from
/// now; negative: it has run out.
inline Identity make_identity(const std::string& name, const Identity* issuer, const std::string& host, int days = 1) {
  Identity made{std::unique_ptr<EVP_PKEY, KeyDeleter>(EVP_EC_gen("P-256")),
                std::unique_ptr<X509, CertificateDeleter>(X509_new())};
  X509* certificate = made.certificate.get();
  const Identity& signer = issuer == nullptr ? made : *issuer;
  constexpr long kDay = 24 * 60 * 60;
  X509_set_version(certificate, X509_VERSION_3);
  static long serial = 1;
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), days * kDay);
  set_name(X509_get_subject_name(certificate), name);
  X509_set_issuer_name(certificate, X509_get_subject_name(signer.certificate.get()));
  X509_set_pubkey(certificate, made.key.get());
  add_extension(certificate, signer.certificate.get(), NID_basic_constraints,
                host.empty() ? "critical,CA:TRUE" : "CA:FALSE");
  // By these two a chain's builder tells authorities of one name apart (RFC 5280 4.2.1).
  add_extension(certificate, certificate, NID_subject_key_identifier, "hash");
  if (issuer != nullptr) add_extension(certificate, signer.certificate.get(), NID_authority_key_identifier, "keyid");
  if (!host.empty()) add_extension(certificate, signer.certificate.get(), NID_subject_alt_name, "DNS:" + host);
  X509_sign(certificate, signer.key.get(), EVP_sha256());
  return made;
}

}  // namespace lnk::test
