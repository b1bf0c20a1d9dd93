// SPDX-License-Identifier: Apache-2.0
//
// The machine's trusted certificates, kept as the bytes they came in and decoded when a chain asks for one. Decoding
// all of them takes tens of milliseconds at each start, to use one.
#pragma once

#include <openssl/x509_vfy.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::host::tls {

inline constexpr std::size_t kStoreBytesMax = 16 * 1024 * 1024;  ///< Debian's file has 220 KiB
inline constexpr std::size_t kStoreCertificatesMax = 4096;

/// The subject of a certificate as its bytes in the DER, empty where it is no certificate. Pure.
/// source: RFC 5280 4.1
[[nodiscard]] std::string_view subject_of(std::string_view der) noexcept;

class TrustStore {
 public:
  /// Reads one file of PEM texts. False: there is no certificate in it.
  bool read_file(const std::string& file);
  /// Reads the files of a folder that are named by a hash, as openssl-rehash(1) names them.
  bool read_folder(const std::string& folder);
  /// Puts a certificate into `store` when a chain asks for its subject. This object outlives it.
  [[nodiscard]] bool attach(X509_STORE* store);

  /// Decodes those of that subject; where there is none, all, since one name may be written in two ways.
  void provide(X509_STORE* store, const X509_NAME* subject);

 private:
  struct Kept {
    std::string der;
    bool is_provided = false;
  };
  static bool decode(X509_STORE* store, Kept& kept);
  void take_apart();

  std::string text_;  ///< what was read and not yet taken apart
  std::vector<Kept> kept_;
};

}  // namespace lnk::host::tls
