// SPDX-License-Identifier: Apache-2.0
#include "tls/trust_store.hpp"

#include <openssl/pem.h>
#include <openssl/x509.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "certificates.hpp"

using lnk::host::tls::subject_of;
using lnk::host::tls::TrustStore;
using lnk::test::Identity;
using lnk::test::make_identity;

namespace {

std::string der_of(X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(certificate, &bytes);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

std::string subject_by_openssl(X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509_NAME(X509_get_subject_name(certificate), &bytes);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

/// A file of PEM texts that goes with the test.
class PemFile {
 public:
  PemFile() {
    std::string path = (std::filesystem::temp_directory_path() / "lnk-pem-XXXXXX").native();
    BOOST_REQUIRE(::mkdtemp(path.data()) != nullptr);
    folder_ = path;
  }
  ~PemFile() { std::filesystem::remove_all(folder_); }
  PemFile(const PemFile&) = delete;
  PemFile& operator=(const PemFile&) = delete;

  std::string write(const std::string& name, std::initializer_list<const Identity*> all,
                    const std::string& before = {}) {
    const std::string path = folder_ / name;
    BIO* file = BIO_new_file(path.c_str(), "w");
    BIO_puts(file, before.c_str());
    for (const Identity* each : all) PEM_write_bio_X509(file, each->certificate.get());
    BIO_free(file);
    return path;
  }
  [[nodiscard]] std::string folder() const { return folder_.native(); }

 private:
  std::filesystem::path folder_;
};

/// Whether a leaf verifies against what the store read.
bool verifies(TrustStore& trust, const Identity& leaf) {
  X509_STORE* store = X509_STORE_new();
  BOOST_REQUIRE(trust.attach(store));
  X509_STORE_CTX* chain = X509_STORE_CTX_new();
  X509_STORE_CTX_init(chain, store, leaf.certificate.get(), nullptr);
  const bool good = X509_verify_cert(chain) == 1;
  X509_STORE_CTX_free(chain);
  X509_STORE_free(store);
  return good;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_subject_is_read_as_openssl_reads_it) {
  const Identity authority = make_identity("authority", nullptr, {});
  const Identity leaf = make_identity("a leaf with a longer name than most", &authority, "a.test");
  for (const auto* each : {&authority, &leaf}) {
    BOOST_TEST(subject_of(der_of(each->certificate.get())) == subject_by_openssl(each->certificate.get()));
  }
}

BOOST_AUTO_TEST_CASE(every_certificate_of_this_machine_is_read_as_openssl_reads_it) {
  std::FILE* file = std::fopen(X509_get_default_cert_file(), "r");
  if (file == nullptr) return;  // a machine without one has nothing to compare
  for (X509* each = nullptr; (each = PEM_read_X509(file, nullptr, nullptr, nullptr)) != nullptr; X509_free(each)) {
    BOOST_TEST((subject_of(der_of(each)) == subject_by_openssl(each)));
  }
  std::fclose(file);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_certificate_have_no_subject) {
  const std::string der = der_of(make_identity("authority", nullptr, {}).certificate.get());
  for (std::size_t size = 0; size < der.size(); ++size) BOOST_TEST(subject_of(der.substr(0, size)).empty());
  BOOST_TEST(subject_of(std::string(4, '\x30')).empty());
  BOOST_TEST(subject_of(std::string("\x30\x84\xff\xff\xff\xff", 6)).empty());
  BOOST_TEST(subject_of(std::string("\x30\x80\x00\x00", 4)).empty());
}

BOOST_AUTO_TEST_CASE(a_leaf_verifies_by_its_authority_among_others) {
  PemFile files;
  const Identity one = make_identity("one", nullptr, {});
  const Identity two = make_identity("two", nullptr, {});
  const Identity same_name = make_identity("two", nullptr, {});
  const Identity unknown = make_identity("unknown", nullptr, {});
  const auto path = files.write("store.pem", {&one, &same_name, &two}, "some words in front\n");
  for (const auto* authority : {&one, &two, &same_name}) {
    TrustStore trust;
    BOOST_TEST(trust.read_file(path));
    BOOST_TEST(verifies(trust, make_identity("leaf", authority, "a.test")));
  }
  TrustStore trust;
  BOOST_TEST(trust.read_file(path));
  BOOST_TEST(!verifies(trust, make_identity("leaf", &unknown, "a.test")));
  BOOST_TEST(!verifies(trust, make_identity("leaf", &one, "a.test", -1)));
}

BOOST_AUTO_TEST_CASE(a_folder_is_read_by_its_hashed_names) {
  PemFile files;
  const Identity authority = make_identity("authority", nullptr, {});
  TrustStore none;
  BOOST_TEST(!none.read_folder(files.folder()));
  BOOST_TEST(!none.read_folder(files.folder() + "/missing"));
  static_cast<void>(files.write("other.pem", {&authority}));
  static_cast<void>(files.write("0123abcd.r0", {&authority}));
  BOOST_TEST(!none.read_folder(files.folder()));
  static_cast<void>(files.write("0123abcd.0", {&authority}));
  TrustStore trust;
  BOOST_TEST(trust.read_folder(files.folder()));
  BOOST_TEST(verifies(trust, make_identity("leaf", &authority, "a.test")));
}

BOOST_AUTO_TEST_CASE(a_file_without_a_certificate_is_no_store) {
  PemFile files;
  TrustStore trust;
  BOOST_TEST(!trust.read_file(files.folder() + "/missing"));
  BOOST_TEST(!trust.read_file(files.folder()));
  BOOST_TEST(!trust.read_file(files.write("words", {}, "no certificate here\n")));
}
