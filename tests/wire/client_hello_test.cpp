// SPDX-License-Identifier: Apache-2.0
#include "wire/client_hello.hpp"

#include <boost/test/unit_test.hpp>

#include "hello.hpp"
#include "wire/limits.hpp"

namespace {

using namespace lnk::test;
using lnk::host::ClientHello;
using State = ClientHello::State;

/// The name, "" for none, or "!" and why it was refused; "?" where more is wanted.
std::string read(std::string_view bytes) {
  ClientHello hello;
  const State state = hello.read(bytes);
  if (state == State::Incomplete) return "?";
  return state == State::Whole ? hello.name() : "!" + std::string(hello.fault());
}

std::string read(const Hello& hello) { return read(record(hello.message())); }

Hello with_extensions(std::string extensions) {
  Hello hello;
  hello.extensions = std::move(extensions);
  return hello;
}

bool is_refused(const std::string& answer) { return answer.starts_with('!'); }

BOOST_AUTO_TEST_SUITE(client_hello)

BOOST_AUTO_TEST_CASE(the_name_is_read_and_folded) {
  BOOST_TEST(read(Hello{}) == "example.com");
  BOOST_TEST(read(with_extensions(server_name("WWW.Example.COM"))) == "www.example.com");
  BOOST_TEST(read(with_extensions(extension(16, "\x00\x03\x02h2") + server_name("a-b_c.example.com") + extension(0x0a0a, ""))) ==
             "a-b_c.example.com");
  BOOST_TEST(read(with_extensions(extension(16, "\x00\x03\x02h2"))).empty());
  Hello none;
  none.has_extensions = false;
  BOOST_TEST(read(none).empty());
}

BOOST_AUTO_TEST_CASE(it_is_read_wherever_it_is_split) {
  // As a client with a post-quantum key share sends it: over one packet's size.
  const Hello hello = with_extensions(extension(51, std::string(1300, 'k')) + server_name("example.com"));
  for (const std::size_t size : {std::size_t{16384}, std::size_t{100}, std::size_t{64}}) {
    const std::string bytes = records(hello.message(), size);
    ClientHello whole;
    for (std::size_t end = 0; end < bytes.size(); ++end) BOOST_REQUIRE((whole.read(std::string_view(bytes).substr(0, end)) == State::Incomplete));
    BOOST_TEST((whole.read(bytes) == State::Whole));
    BOOST_TEST(whole.name() == "example.com");
  }
  // Records that end inside the message's own head.
  Hello small;
  small.session.clear();
  const std::string message = small.message();
  BOOST_TEST(read(record(message.substr(0, 1)) + record(message.substr(1, 2)) + record(message.substr(3))) == "example.com");
  // What follows in a record of its own is the tunnel's: early data.
  BOOST_TEST(read(record(message) + record("early", 23, 0x0303)) == "example.com");
}

BOOST_AUTO_TEST_CASE(more_records_than_a_client_makes_are_refused) {
  const std::string message = Hello{}.message();
  const std::size_t size = message.size() / 32 + 1;
  BOOST_TEST(read(records(message, size)) == "example.com");
  BOOST_TEST(read(records(message, 1)) == "!comes in more than 32 records");
}

BOOST_AUTO_TEST_CASE(what_is_no_hello_is_refused_at_its_first_bytes) {
  for (const std::string& bytes : {std::string("GET / HTTP/1.1"), std::string("SSH-2.0-x"), std::string("PRI * HTTP/2.0"), number(0x80, 1) + "\x2e\x01",
                                   record(Hello{}.message(), 23), record(Hello{}.message(), 21), record(Hello{}.message(), 22, 0x0300),
                                   record(Hello{}.message(), 22, 0x0304), record(Hello{}.message(), 22, 0x0201), record(""),
                                   number(22, 1) + number(0x0301, 2) + number(16385, 2), record("\x02" + Hello{}.message().substr(1)),
                                   record(Hello{}.message().substr(0, 9)) + record("x", 23), record(Hello{}.message().substr(0, 9)) + record("")})
    BOOST_TEST(is_refused(read(bytes)), bytes.substr(0, 20));
}

BOOST_AUTO_TEST_CASE(lengths_that_do_not_fit_are_refused) {
  const std::string message = Hello{}.message();
  BOOST_TEST(is_refused(read(record(message + "x"))), "another message behind it");
  BOOST_TEST(is_refused(read(record("\x01" + number(message.size() - 5, 3) + message.substr(4, message.size() - 5)))));
  BOOST_TEST(is_refused(read(record("\x01" + number(1U << 20U, 3)))), "longer than any");
  BOOST_TEST(is_refused(read(record("\x01" + number(2, 3) + "xx"))));
  for (const Hello& hello : {Hello{0x0302 + 0x100, {}}, Hello{0x0303, std::string(33, 's')}, Hello{0x0303, {}, ""}, Hello{0x0303, {}, "abc"},
                             Hello{0x0303, {}, "ab", ""}})
    BOOST_TEST(is_refused(read(hello)));
  for (const std::string& extensions : {std::string("x"), std::string("\0\0\0\5ab", 6), number(5, 2) + number(9, 2) + "short"})
    BOOST_TEST(is_refused(read(with_extensions(extensions))));
}

BOOST_AUTO_TEST_CASE(a_name_of_two_readings_is_refused) {
  const std::string two = extension(0, with_length(name_entry("a.example") + name_entry("b.example"), 2));
  const std::string other_kind = extension(0, with_length(name_entry("a.example", 1), 2));
  const std::string longer = extension(0, with_length(name_entry("a.example"), 2) + "x");
  for (const std::string& extensions :
       {server_name("a.example") + server_name("a.example"), two, other_kind, longer, extension(0, ""), extension(0, number(0, 2)), server_name(""),
        server_name("example.com."), server_name("."), server_name(".example.com"), server_name("a..example"), server_name("192.0.2.1"),
        server_name("0x7f.1"), server_name("1"), server_name("[::1]"), server_name("::1"), server_name("example.com:443"),
        server_name(std::string("example.com\0", 12)), server_name("ex%61mple.com"), server_name("ex\xc3\xa4mple.com"), server_name("exa mple.com"),
        server_name(std::string(254, 'a'))})
    BOOST_TEST(is_refused(read(with_extensions(extensions))), extensions);
}

BOOST_AUTO_TEST_CASE(an_outer_encrypted_hello_passes_and_an_inner_one_does_not) {
  BOOST_TEST(read(with_extensions(extension(0xfe0d, std::string("\0outer", 6)) + server_name("example.com"))) == "example.com");
  BOOST_TEST(is_refused(read(with_extensions(extension(0xfe0d, "\1") + server_name("example.com")))));
  BOOST_TEST(is_refused(read(with_extensions(extension(0xfe0d, "") + server_name("example.com")))));
  BOOST_TEST(read(with_extensions(server_name("example.com") + extension(41, "psk"))) == "example.com");
  BOOST_TEST(is_refused(read(with_extensions(extension(41, "psk") + server_name("example.com")))));
}

BOOST_AUTO_TEST_CASE(it_ends_somewhere) {
  const std::string endless = records("\x01" + number(60000, 3) + std::string(60000, 'x'), 16384);
  BOOST_TEST(is_refused(read(endless)));
  ClientHello hello;
  const std::string head = number(22, 1) + number(0x0301, 2) + number(16384, 2);
  std::string bytes = record("\x01" + number(lnk::host::kHelloBytesMax - 1, 3) + std::string(16380, 'x'));
  for (int i = 0; i < 3; ++i) bytes += head + std::string(16384, 'x');
  BOOST_TEST((hello.read(bytes) == State::Refused));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
