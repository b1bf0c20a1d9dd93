// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "wire/address.hpp"
#include "wire/minute_count.hpp"
#include "wire/refusals.hpp"

using lnk::host::kind_of;
using lnk::host::MinuteCount;
using lnk::host::RefusalKind;

namespace {

constexpr std::int64_t kNow = 1'000'000'000;
constexpr std::int64_t kMinute = lnk::host::kMinuteMs;
constexpr std::int64_t kPiece = lnk::host::kMinutePieceMs;

}  // namespace

BOOST_AUTO_TEST_SUITE(minute_count)

BOOST_AUTO_TEST_CASE(what_happened_counts_for_a_minute_and_at_most_one_piece_longer) {
  for (const std::int64_t within_piece : {std::int64_t{0}, std::int64_t{1}, kPiece - 1}) {
    MinuteCount count;
    const std::int64_t at = kNow + within_piece;
    count.add(at);
    BOOST_TEST(count.count(at + kMinute) == 1U);
    const std::int64_t left = count.until_less_ms(at);
    BOOST_TEST(left > kMinute);
    BOOST_TEST(left <= kMinute + kPiece);
    BOOST_TEST(count.count(at + left - 1) == 1U);
    BOOST_TEST(count.count(at + left) == 0U);
    BOOST_TEST(count.until_less_ms(at + left) == 0);
  }
}

BOOST_AUTO_TEST_CASE(the_window_slides_and_frees_one_after_the_other) {
  MinuteCount count;
  for (std::int64_t second = 0; second < 60; ++second) count.add(kNow + second * 1000);
  BOOST_TEST(count.count(kNow + 59'999) == 60U);
  for (std::int64_t second = 0; second < 60; ++second)
    BOOST_TEST(count.count(kNow + kMinute + kPiece + second * 1000) == 59U - static_cast<unsigned>(second));
}

BOOST_AUTO_TEST_CASE(no_sixty_seconds_ever_hold_more_than_are_taken) {
  constexpr std::uint64_t kMost = 5;
  MinuteCount count;
  std::vector<std::int64_t> taken;
  for (std::int64_t now = kNow; now < kNow + 10 * kMinute; now += 37) {
    if (count.count(now) >= kMost) continue;
    count.add(now);
    taken.push_back(now);
  }
  BOOST_REQUIRE(taken.size() > kMost * 9);
  for (std::size_t i = kMost; i < taken.size(); ++i) BOOST_TEST(taken[i] - taken[i - kMost] > kMinute);
}

BOOST_AUTO_TEST_CASE(a_long_silence_and_a_clear_leave_nothing) {
  MinuteCount count;
  for (int i = 0; i < 1000; ++i) count.add(kNow);
  BOOST_TEST(count.count(kNow + 100 * kMinute) == 0U);
  count.add(kNow + 100 * kMinute);
  BOOST_TEST(count.count(kNow + 100 * kMinute) == 1U);
  count.clear();
  BOOST_TEST(count.count(kNow + 100 * kMinute) == 0U);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_counted_by_what_it_is_a_sign_of) {
  lnk::http::Authority target;
  target.host.text = "metadata";
  target.port = 80;
  BOOST_TEST((kind_of(lnk::host::refuse_closed(target, lnk::host::kMetadataService)) == RefusalKind::Metadata));
  BOOST_TEST((kind_of(lnk::host::refuse_closed(target, "a private range")) == RefusalKind::Counted));
  BOOST_TEST((kind_of(lnk::host::refuse_unlisted(target)) == RefusalKind::Counted));
  BOOST_TEST((kind_of({0, "name-mismatch", {}}) == RefusalKind::Counted));
  for (const auto& refusal : {lnk::host::refuse_too_many_calls(1, 1), lnk::host::refuse_paused("a", "b"),
                              lnk::host::refuse_stopped("a", "b"), lnk::host::refuse_upstream("a"),
                              lnk::host::refuse_upstream_timeout("a"), lnk::host::refuse_slow_head(), {0, "bad-request", {}}})
    BOOST_TEST((kind_of(refusal) == RefusalKind::NotCounted), refusal.reason);
}

BOOST_AUTO_TEST_SUITE_END()
