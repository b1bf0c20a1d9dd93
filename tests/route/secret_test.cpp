// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <string>
#include <type_traits>

#include "lnk/secret/base64.hpp"
#include "lnk/secret/constant_time.hpp"
#include "lnk/secret/secret_bytes.hpp"

using lnk::secret::SecretBytes;

static_assert(!std::is_copy_constructible_v<SecretBytes> && std::is_nothrow_move_constructible_v<SecretBytes>);

template <class T>
concept Printable = requires(std::ostream& out, const T& value) {
  out << value;
};
static_assert(!Printable<SecretBytes>);

BOOST_AUTO_TEST_CASE(equal_constant_time_tells_equal_from_different) {
  using lnk::secret::equal_constant_time;
  BOOST_TEST(equal_constant_time("", ""));
  BOOST_TEST(equal_constant_time("abc", "abc"));
  BOOST_TEST(!equal_constant_time("abc", "abd"));
  BOOST_TEST(!equal_constant_time("abc", "ab"));
  BOOST_TEST(!equal_constant_time("abc", ""));
  BOOST_TEST(!equal_constant_time("", "a"));
  BOOST_TEST(!equal_constant_time(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

BOOST_AUTO_TEST_CASE(secret_bytes_never_grow_and_forget_what_they_drop) {
  auto bytes = SecretBytes::with_capacity(4);
  BOOST_TEST(bytes.append("abcd"));
  BOOST_TEST(!bytes.append("e"));
  BOOST_TEST(bytes.reveal() == "abcd");
  const char* memory = bytes.reveal().data();
  bytes.shrink(1);
  BOOST_TEST(bytes.reveal() == "a");
  BOOST_TEST(std::string(memory, 4) == std::string("a\0\0\0", 4));
}

BOOST_AUTO_TEST_CASE(secret_bytes_move_and_leave_nothing) {
  SecretBytes first("key");
  SecretBytes second(std::move(first));
  BOOST_TEST(second.reveal() == "key");
  BOOST_TEST(first.size() == 0U);
  first = std::move(second);
  BOOST_TEST(first.reveal() == "key");
}

BOOST_AUTO_TEST_CASE(base64_is_that_of_rfc_4648) {
  using namespace lnk::secret;
  const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : vectors) {
    BOOST_TEST(base64_encode(plain).reveal() == encoded);
    const auto decoded = base64_decode(encoded);
    BOOST_REQUIRE(decoded.has_value());
    BOOST_TEST(decoded->reveal() == plain);
  }
  BOOST_TEST(base64url_encode("\xfb\xff") == "-_8");
  BOOST_TEST(base64url_encode(std::string(32, '\0')).size() == 43U);
}

BOOST_AUTO_TEST_CASE(base64_decode_refuses_what_two_readers_could_read_differently) {
  for (const std::string text :
       {"Zg", "Zg=", "Zh==", "Zm9=", "=", "====", "Zg==Zg==", "Zm9v\n", "Zm 9", "Zm-_", "Z===", "Zm9v="}) {
    BOOST_TEST(!lnk::secret::base64_decode(text).has_value(), text);
  }
}
