// SPDX-License-Identifier: Apache-2.0
#include "dot_files/git_index.hpp"

#include <cstdint>

namespace lnk::host {
namespace {

constexpr std::size_t kHeadBytes = 12;
constexpr std::size_t kModeAt = 24;
constexpr std::size_t kHashAt = 40;
constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kGitlink = 0160000;
constexpr std::uint32_t kNameSizeMask = 0xFFF;
constexpr std::uint32_t kIsExtended = 0x4000;
constexpr std::uint64_t kStripMax = 1U << 20U;  // far more than a path has

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4U];
    text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15U];
  }
  return text;
}

Failure broken() { return fail(Code::Invalid, "is not an index that git writes"); }

class IndexReader {
 public:
  IndexReader(std::string_view bytes, std::size_t hash_bytes) : bytes_(bytes), hash_bytes_(hash_bytes) {}

  Result<GitIndex> read() {
    if (bytes_.size() < kHeadBytes + hash_bytes_ || !bytes_.starts_with("DIRC")) return broken();
    version_ = number(bytes_, 4, 4);
    if (version_ < 2 || version_ > 4) return broken();
    end_ = bytes_.size() - hash_bytes_;
    at_ = kHeadBytes;
    for (std::uint32_t left = number(bytes_, 8, 4); left > 0; --left)
      if (!entry()) return broken();
    if (!extensions()) return broken();
    return std::move(out_);
  }

 private:
  bool entry() {
    const std::size_t fixed = kHashAt + hash_bytes_ + 2;
    if (end_ - at_ < fixed) return false;
    const bool is_link = (number(bytes_, at_ + kModeAt, 4) & kTypeMask) == kGitlink;
    const std::uint32_t flags = number(bytes_, at_ + kHashAt + hash_bytes_, 2);
    const std::size_t name_at = at_ + fixed + ((flags & kIsExtended) != 0 && version_ >= 3 ? 2 : 0);
    if (name_at > end_) return false;
    return version_ == 4 ? shortened_name(name_at, is_link) : whole_name(name_at, flags & kNameSizeMask, is_link);
  }

  /// Versions 2 and 3: the name, then 1 to 8 NUL bytes up to a multiple of 8.
  bool whole_name(std::size_t at, std::uint32_t size, bool is_link) {
    const std::size_t nul = size == kNameSizeMask ? bytes_.find('\0', at) : at + size;
    if (nul >= end_) return false;
    const std::size_t padded = at_ + ((nul - at_) / 8 + 1) * 8;
    if (padded > end_) return false;
    // git's names end at a NUL byte, whatever size is written.
    const auto name = bytes_.substr(at, nul - at);
    if (is_link) out_.gitlinks.emplace_back(name.substr(0, name.find('\0')));
    at_ = padded;
    return true;
  }

  /// Version 4: how many bytes of the last name to take off its end, as an offset of a pack has it, and what follows them.
  bool shortened_name(std::size_t at, bool is_link) {
    std::uint64_t strip = 0;
    for (bool more = true, is_first = true; more; is_first = false) {
      if (at >= end_ || strip > kStripMax) return false;
      const auto byte = static_cast<unsigned char>(bytes_[at++]);
      strip = ((is_first ? 0 : strip + 1) << 7U) + (byte & 0x7FU);
      more = (byte & 0x80U) != 0;
    }
    const std::size_t nul = bytes_.find('\0', at);
    if (nul >= end_ || strip > name_.size()) return false;
    name_.resize(name_.size() - strip);
    name_ += bytes_.substr(at, nul - at);
    if (is_link) out_.gitlinks.push_back(name_);
    at_ = nul + 1;
    return true;
  }

  bool extensions() {
    while (end_ - at_ >= 8) {
      const auto name = bytes_.substr(at_, 4);
      const std::size_t size = number(bytes_, at_ + 4, 4);
      if (size > end_ - at_ - 8) return false;
      if (name == "link" && size >= hash_bytes_) out_.shared = hex(bytes_.substr(at_ + 8, hash_bytes_));
      at_ += 8 + size;
    }
    return at_ == end_;
  }

  std::string_view bytes_;
  std::size_t hash_bytes_;
  std::uint32_t version_ = 0;
  std::size_t end_ = 0;
  std::size_t at_ = 0;
  std::string name_;
  GitIndex out_;
};

}  // namespace

Result<GitIndex> read_git_index(std::string_view bytes, std::size_t hash_bytes) { return IndexReader(bytes, hash_bytes).read(); }

}  // namespace lnk::host
