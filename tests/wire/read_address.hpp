// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

#include "lnk/http/authority.hpp"
#include "wire/address.hpp"

/// As the wire reads it where it stands for a host.
inline lnk::host::Address address(const std::string& text) {
  const auto host = lnk::http::parse_host(text);
  BOOST_REQUIRE_MESSAGE(!lnk::http::is_refused(host), text);
  const auto& read = std::get<lnk::http::Host>(host);
  return {read.kind == lnk::http::HostKind::Ipv6, read.address};
}
