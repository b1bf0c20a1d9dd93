// SPDX-License-Identifier: Apache-2.0
//
// The first bytes of a tunnel: read in pieces as at once; a name that was read stands in them as the one server name that a reader
// who knows nothing else would find.
#include <algorithm>
#include <string>

#include "entry.hpp"
#include "wire/client_hello.hpp"
#include "wire/limits.hpp"

namespace lnk::fuzz {
namespace {

using host::ClientHello;
using State = ClientHello::State;

std::string folded(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// The records' contents, up to the first of another type.
std::string contents_of(std::string_view bytes) {
  std::string contents;
  while (bytes.size() >= 5 && bytes[0] == 22) {
    const std::size_t size = static_cast<std::size_t>(static_cast<unsigned char>(bytes[3])) << 8U | static_cast<unsigned char>(bytes[4]);
    contents += bytes.substr(5, size);
    bytes.remove_prefix(std::min(5 + size, bytes.size()));
  }
  return contents;
}

}  // namespace

void check(std::string_view input) {
  ClientHello whole;
  const State state = whole.read(input);
  ClientHello pieces;
  State last = State::Incomplete;
  std::size_t end = 0;
  while (end < input.size() && last == State::Incomplete) {
    end += 1 + (end * 7) % 13;
    last = pieces.read(input.substr(0, std::min(end, input.size())));
  }
  // One that grows past the limit is refused wherever it is cut.
  LNK_HOLDS(state == last || input.empty() || input.size() >= host::kHelloBytesMax);
  LNK_HOLDS((state == State::Refused) == !whole.fault().empty());
  if (state != State::Whole) return;
  LNK_HOLDS(whole.name() == pieces.name());
  if (whole.name().empty()) return;
  const std::string text = folded(contents_of(input));
  const std::size_t size = whole.name().size();
  const std::string entry = std::string{'\0', static_cast<char>(size >> 8U), static_cast<char>(size & 0xffU)} + whole.name();
  LNK_HOLDS(text.find(entry) != std::string::npos);
  LNK_HOLDS(std::all_of(whole.name().begin(), whole.name().end(), [](char c) { return c > ' ' && c < 0x7f && c != ':' && c != '/' && c != '%'; }));
}

}  // namespace lnk::fuzz
