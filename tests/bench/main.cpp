// SPDX-License-Identifier: Apache-2.0
//
// wire_load serve PORT
// wire_load setups|requests PROXY|- TARGET CLIENTS SECONDS
// wire_load idle PROXY TARGET COUNT
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "wire_load.hpp"

namespace bench {

void give_up(const std::string& words) {
  std::fprintf(stderr, "wire_load: %s\n", words.c_str());
  std::exit(1);
}

namespace {

int run(std::span<char*> words) {
  const std::string_view mode = words.size() > 1 ? words[1] : "";
  if (mode == "serve" && words.size() == 3) serve(static_cast<std::uint16_t>(std::atoi(words[2])));
  if (words.size() < 5) give_up("serve PORT, setups or requests PROXY|- TARGET CLIENTS SECONDS, idle PROXY TARGET COUNT");
  const std::string_view proxy = words[2];
  const Way way{proxy == "-" ? std::string() : std::string(proxy), words[3]};
  const int count = std::atoi(words[4]);
  if (mode == "idle") hold_idle(way, count);
  if (words.size() == 6) {
    const int seconds = std::atoi(words[5]);
    if (mode == "setups") std::printf("%.0f\n", setups_a_second(way, count, seconds));
    if (mode == "requests") std::printf("%.0f\n", requests_a_second(way, count, seconds));
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return bench::run({argv, static_cast<std::size_t>(argc)}); }
