// SPDX-License-Identifier: Apache-2.0
#include "trust_store.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host::tls {
namespace {

constexpr std::size_t kFilesMax = 4096;  // of a folder of certificates; Debian has about 150

constexpr char kSequence = 0x30;
constexpr char kExplicitVersion = static_cast<char>(0xa0);

/// One element of DER: its tag, and where its contents stand.
struct Element {
  char tag;
  std::string_view whole;
  std::string_view contents;
};

/// The element at the start of `text`; lengths of up to four bytes, which is more than a certificate has.
std::optional<Element> element_of(std::string_view text) noexcept {
  if (text.size() < 2) return std::nullopt;
  std::size_t size = static_cast<unsigned char>(text[1]);
  std::size_t head = 2;
  if (size >= 0x80) {
    const std::size_t count = size & 0x7fU;
    if (count == 0 || count > 4 || text.size() < 2 + count) return std::nullopt;
    size = 0;
    for (std::size_t i = 0; i < count; ++i) size = size << 8 | static_cast<unsigned char>(text[2 + i]);
    head += count;
  }
  if (text.size() - head < size) return std::nullopt;
  return Element{text[0], text.substr(0, head + size), text.substr(head, size)};
}

/// What stands behind the first `count` elements.
std::optional<std::string_view> behind(std::string_view text, int count) noexcept {
  for (; count > 0; --count) {
    const auto element = element_of(text);
    if (!element) return std::nullopt;
    text.remove_prefix(element->whole.size());
  }
  return text;
}

struct BioDeleter {
  void operator()(BIO* bio) const noexcept { BIO_free(bio); }
};

/// A certificate, with the trust settings that OpenSSL's own form may carry behind it. Those are read with it.
bool is_certificate(std::string_view name) noexcept {
  return name == PEM_STRING_X509 || name == PEM_STRING_X509_OLD || name == PEM_STRING_X509_TRUSTED;
}

/// Eight hex digits of the subject's hash, '.', a number (openssl-rehash(1)); "r" in front of it is a revocation list.
bool is_hashed_name(std::string_view name) noexcept {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() > 9 && name[8] == '.' && std::all_of(name.begin(), name.begin() + 8, is_hex) && name[9] != 'r';
}

std::string der_of(const X509_NAME* name) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509_NAME(name, &bytes);
  std::string out(reinterpret_cast<const char*>(bytes), size > 0 ? static_cast<std::size_t>(size) : 0);
  OPENSSL_free(bytes);
  return out;
}

int store_index() {
  static const int index = X509_STORE_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

void provide_for(X509_STORE_CTX* chain, const X509_NAME* subject) {
  X509_STORE* store = X509_STORE_CTX_get0_store(chain);
  auto* trust = static_cast<TrustStore*>(X509_STORE_get_ex_data(store, store_index()));
  if (trust != nullptr) trust->provide(store, subject);
}

int find_issuer(X509** issuer, X509_STORE_CTX* chain, X509* certificate) {
  provide_for(chain, X509_get_issuer_name(certificate));
  return X509_STORE_CTX_get1_issuer(issuer, chain, certificate);
}

STACK_OF(X509) * find_certificates(X509_STORE_CTX* chain, const X509_NAME* subject) {
  provide_for(chain, subject);
  return X509_STORE_CTX_get1_certs(chain, subject);
}

}  // namespace

std::string_view subject_of(std::string_view der) noexcept {
  const auto certificate = element_of(der);
  const auto signed_part = certificate ? element_of(certificate->contents) : std::nullopt;
  if (!signed_part || certificate->tag != kSequence || signed_part->tag != kSequence) return {};
  const auto first = element_of(signed_part->contents);
  // version (where it is written), serial number, algorithm, issuer, validity, subject
  const auto rest = first ? behind(signed_part->contents, first->tag == kExplicitVersion ? 5 : 4) : std::nullopt;
  const auto subject = rest ? element_of(*rest) : std::nullopt;
  return subject && subject->tag == kSequence ? subject->whole : std::string_view{};
}

bool TrustStore::read_file(const std::string& file) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about {};
  if (!fd.is_open() || ::fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size > kStoreBytesMax - std::min(text_.size(), kStoreBytesMax)) return false;
  std::string text(size, '\0');
  if (::read(fd.get(), text.data(), size) != about.st_size) return false;
  if (text.find(kBegin) == std::string::npos || text.find("CERTIFICATE-----") == std::string::npos) return false;
  text_.append(text).append("\n");
  return true;
}

void TrustStore::take_apart() {
  const std::string text = std::exchange(text_, {});
  if (text.empty()) return;
  const std::unique_ptr<BIO, BioDeleter> bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  while (bio && kept_.size() < kStoreCertificatesMax) {
    char* name = nullptr;
    char* header = nullptr;
    unsigned char* data = nullptr;
    long size = 0;
    if (PEM_read_bio(bio.get(), &name, &header, &data, &size) != 1) break;
    std::string der(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    if (is_certificate(name) && !subject_of(der).empty()) kept_.push_back({std::move(der), false});
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
  }
  ERR_clear_error();
}

bool TrustStore::read_folder(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), &::closedir);
  bool any = false;
  for (std::size_t seen = 0; open && seen < kFilesMax; ++seen) {
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    if (is_hashed_name(entry->d_name)) any = read_file(folder + '/' + entry->d_name) || any;
  }
  return any;
}

bool TrustStore::decode(X509_STORE* store, Kept& kept) {
  if (std::exchange(kept.is_provided, true)) return true;
  const auto* bytes = reinterpret_cast<const unsigned char*>(kept.der.data());
  X509* certificate = d2i_X509_AUX(nullptr, &bytes, static_cast<long>(kept.der.size()));
  const bool added = certificate != nullptr && X509_STORE_add_cert(store, certificate) == 1;
  X509_free(certificate);
  ERR_clear_error();
  return added;
}

void TrustStore::provide(X509_STORE* store, const X509_NAME* subject) {
  take_apart();
  const std::string wanted = der_of(subject);
  bool found = false;
  for (Kept& kept : kept_) {
    if (subject_of(kept.der) == wanted) found = decode(store, kept) || found;
  }
  if (found) return;
  for (Kept& kept : kept_) static_cast<void>(decode(store, kept));
}

bool TrustStore::attach(X509_STORE* store) {
  X509_STORE_set_get_issuer(store, &find_issuer);
  X509_STORE_set_lookup_certs(store, &find_certificates);
  return X509_STORE_set_ex_data(store, store_index(), this) == 1;
}

}  // namespace lnk::host::tls
