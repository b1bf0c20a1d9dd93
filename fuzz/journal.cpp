// SPDX-License-Identifier: Apache-2.0
//
// The list of placeholders: what is accepted is written again as it was, so that it has one meaning.
#include "dot_files/journal.hpp"

#include <string>

#include "entry.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  const auto journal = host::read_journal(input);
  if (!journal) {
    LNK_HOLDS(!journal.error().text.empty());
    return;
  }
  const auto text = host::journal_text(*journal);
  const auto again = host::read_journal(text);
  LNK_HOLDS(again.has_value() && host::journal_text(*again) == text);
  LNK_HOLDS(again->entries.size() == journal->entries.size());
  for (const auto& entry : journal->entries) LNK_HOLDS(entry.path.starts_with('/'));
}

}  // namespace lnk::fuzz
