// SPDX-License-Identifier: Apache-2.0
#include "tls/connection.hpp"

#include <openssl/ssl.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "certificates.hpp"

using lnk::Code;
using lnk::host::tls::Connection;
using lnk::test::Identity;
using lnk::test::make_identity;

namespace {

constexpr const char* kHost = "api.rig.test";

struct ContextDeleter {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, ContextDeleter>;

Context client_context(const Identity& authority) {
  Context made(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_min_proto_version(made.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(made.get(), SSL_VERIFY_PEER, nullptr);
  X509_STORE_add_cert(SSL_CTX_get_cert_store(made.get()), authority.certificate.get());
  return made;
}

/// OpenSSL's server over memory.
struct Server {
  Context context{SSL_CTX_new(TLS_server_method())};
  SSL* ssl = nullptr;
  BIO* in = BIO_new(BIO_s_mem());
  BIO* out = BIO_new(BIO_s_mem());

  explicit Server(const Identity& leaf) {
    SSL_CTX_use_certificate(context.get(), leaf.certificate.get());
    SSL_CTX_use_PrivateKey(context.get(), leaf.key.get());
    ssl = SSL_new(context.get());
    BIO_set_mem_eof_return(in, -1);
    SSL_set_bio(ssl, in, out);
    SSL_set_accept_state(ssl);
  }
  ~Server() { SSL_free(ssl); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string take_out() {
    std::array<char, 65536> bytes{};
    const int size = BIO_read(out, bytes.data(), bytes.size());
    return {bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }
  void put_in(std::string_view bytes) { BIO_write(in, bytes.data(), static_cast<int>(bytes.size())); }
};

/// Client and server, and what moves between them `step` bytes at a time.
struct Pair {
  Identity authority = make_identity("authority", nullptr, {});
  Server server;
  Context context = client_context(authority);
  std::unique_ptr<Connection> client;
  std::size_t step = 1'000'000;

  explicit Pair(const std::string& host = kHost, int days = 1, bool is_trusted = true)
      : server(make_identity("leaf", &authority, host, days)) {
    if (!is_trusted) context = client_context(make_identity("another", nullptr, {}));
    auto opened = Connection::open(context.get(), kHost);
    BOOST_REQUIRE(opened.has_value());
    client = std::move(opened).value();
  }

  void to_server() {
    const std::string bytes(client->outgoing().substr(0, step));
    client->sent(bytes.size());
    server.put_in(bytes);
  }
  void to_client() {
    const std::string bytes = server.take_out();
    for (std::size_t at = 0; at < bytes.size(); at += step) BOOST_TEST(client->feed(bytes.substr(at, step)));
  }

  lnk::Status handshake() {
    for (int round = 0; round < 100'000; ++round) {
      auto done = client->handshake();
      const bool is_sent = client->outgoing().empty();
      if (!done && done.error().code != Code::Again) return done;
      to_server();
      SSL_do_handshake(server.ssl);
      to_client();
      if (done && is_sent && SSL_is_init_finished(server.ssl)) return done;
    }
    return lnk::fail(Code::Timeout, "no end");
  }

  std::string read() {
    std::array<unsigned char, 4096> bytes{};
    auto got = client->read(bytes);
    if (got) return {reinterpret_cast<const char*>(bytes.data()), *got};
    return "error " + std::to_string(static_cast<int>(got.error().code));
  }
};

const std::string kAgain = "error " + std::to_string(LNK_E_AGAIN);
const std::string kGone = "error " + std::to_string(LNK_E_GONE);
const std::string kUpstream = "error " + std::to_string(LNK_E_UPSTREAM);

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_go_both_ways_however_they_are_cut) {
  for (const std::size_t step : {1U, 7U, 1000U, 1'000'000U}) {
    Pair pair;
    pair.step = step;
    const auto done = pair.handshake();
    BOOST_REQUIRE(done.has_value());
    BOOST_TEST(pair.client->write("GET /").has_value());
    while (!pair.client->outgoing().empty()) pair.to_server();
    std::array<char, 64> got{};
    BOOST_TEST(SSL_read(pair.server.ssl, got.data(), got.size()) == 5);
    SSL_write(pair.server.ssl, "hello", 5);
    BOOST_TEST(pair.read() == kAgain);
    pair.to_client();
    BOOST_TEST(pair.read() == "hello");
    BOOST_TEST(pair.read() == kAgain);
  }
}

BOOST_AUTO_TEST_CASE(the_name_is_asked_for_and_http_1_1_offered) {
  Pair pair;
  BOOST_REQUIRE(pair.handshake().has_value());
  BOOST_TEST(SSL_get_servername(pair.server.ssl, TLSEXT_NAMETYPE_host_name) == std::string(kHost));
  BOOST_TEST(SSL_version(pair.server.ssl) >= TLS1_2_VERSION);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_who_it_must_be_is_refused) {
  const auto code_of = [](Pair&& pair) {
    auto done = pair.handshake();
    return done ? 0 : static_cast<int>(done.error().code);
  };
  BOOST_TEST(code_of(Pair()) == 0);
  BOOST_TEST(code_of(Pair("*.rig.test")) == 0);
  BOOST_TEST(code_of(Pair("other.rig.test")) == LNK_E_DENIED);
  BOOST_TEST(code_of(Pair("a*.rig.test")) == LNK_E_DENIED);
  BOOST_TEST(code_of(Pair("*.test")) == LNK_E_DENIED);
  BOOST_TEST(code_of(Pair(kHost, -1)) == LNK_E_DENIED);
  BOOST_TEST(code_of(Pair(kHost, 1, false)) == LNK_E_DENIED);
}

BOOST_AUTO_TEST_CASE(a_server_that_speaks_only_old_tls_is_refused) {
  Pair pair;
  SSL_set_max_proto_version(pair.server.ssl, TLS1_1_VERSION);
  SSL_set_min_proto_version(pair.server.ssl, TLS1_VERSION);
  SSL_set_security_level(pair.server.ssl, 0);
  auto done = pair.handshake();
  BOOST_REQUIRE(!done.has_value());
  BOOST_TEST(static_cast<int>(done.error().code) == LNK_E_UPSTREAM);
}

BOOST_AUTO_TEST_CASE(an_end_that_tls_tells_is_not_one_that_it_does_not) {
  Pair ended;
  BOOST_REQUIRE(ended.handshake().has_value());
  SSL_write(ended.server.ssl, "all", 3);
  SSL_shutdown(ended.server.ssl);
  ended.to_client();
  ended.client->feed_end();
  BOOST_TEST(ended.read() == "all");
  BOOST_TEST(ended.read() == kGone);

  Pair cut;
  BOOST_REQUIRE(cut.handshake().has_value());
  SSL_write(cut.server.ssl, "half", 4);
  cut.to_client();
  cut.client->feed_end();
  BOOST_TEST(cut.read() == "half");
  BOOST_TEST(cut.read() == kUpstream);
}

BOOST_AUTO_TEST_CASE(a_changed_byte_breaks_the_connection) {
  Pair pair;
  BOOST_REQUIRE(pair.handshake().has_value());
  BOOST_TEST(pair.read() == kAgain);
  SSL_write(pair.server.ssl, "hello", 5);
  std::string bytes = pair.server.take_out();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  BOOST_TEST(pair.client->feed(bytes));
  BOOST_TEST(pair.read() == kUpstream);
}

BOOST_AUTO_TEST_CASE(our_end_is_told) {
  Pair pair;
  BOOST_REQUIRE(pair.handshake().has_value());
  pair.client->finish();
  pair.to_server();
  char byte = 0;
  BOOST_TEST(SSL_read(pair.server.ssl, &byte, 1) == 0);
  BOOST_TEST(SSL_get_error(pair.server.ssl, 0) == SSL_ERROR_ZERO_RETURN);
}
