/* SPDX-License-Identifier: Apache-2.0
 *
 * The note: what a module says of itself in an ELF note (owner "lnk", type 1), read without running the file. On Mach-O
 * the same bytes stand in the section __DATA,__lnk_note.
 *
 * The description is the fixed head below, then texts of the lengths it names, in its order, with no terminators:
 *   id        "verb-secret"; the file is named <id>.so
 *   requires  what the machine must have: "linux.landlock>=1,linux.userns"; empty: nothing
 *   uses      the host tables it queries: "lnk.log/1"; empty: none
 *
 * The schema note (owner "lnk", type 2) may stand beside it: the JSON Schema of the module's own table in a spec, as the text
 * alone, the same that `config_schema` of lnk_module_api holds. The process that reads a spec runs no verb, so that it reads the
 * schema here; a module without this note takes no table. A host that doesn't know it passes it over.
 */
#ifndef LNK_ABI_NOTE_H
#define LNK_ABI_NOTE_H

#include "lnk/abi/base.h"

#define LNK_NOTE_OWNER "lnk"
#define LNK_NOTE_TYPE 1
#define LNK_NOTE_SECTION ".note.lnk"
#define LNK_NOTE_TEXT_MAX 256 /* bytes, of each text */
#define LNK_NOTE_SCHEMA_TYPE 2
#define LNK_NOTE_SCHEMA_MAX 32768 /* bytes */

LNK_BEGIN_C

enum { LNK_KIND_OS = 1, LNK_KIND_VERB = 2 };

typedef struct lnk_note_head {
  uint16_t sdk_major;
  uint16_t sdk_minor;
  uint16_t kind;
  uint16_t id_size;
  uint16_t requires_size;
  uint16_t uses_size;
} lnk_note_head;

/* A whole note as it stands in the file. LNK_NOTE emits one from C; the texts are string literals.
 * In C++ lnk/cpp/module.hpp does. */
#define LNK_NOTE(KIND, ID, REQUIRES, USES)                                                                   \
  static const struct {                                                                                      \
    uint32_t owner_size;                                                                                     \
    uint32_t description_size;                                                                               \
    uint32_t type;                                                                                           \
    char owner[4];                                                                                           \
    lnk_note_head head;                                                                                      \
    char texts[sizeof(ID REQUIRES USES) - 1];                                                                \
  } lnk_note __attribute__((section(LNK_NOTE_SECTION), used, aligned(4))) = {                                \
      4,                                                                                                     \
      (uint32_t)(sizeof(lnk_note_head) + sizeof(ID) - 1 + sizeof(REQUIRES) - 1 + sizeof(USES) - 1),          \
      LNK_NOTE_TYPE,                                                                                         \
      {'l', 'n', 'k', 0},                                                                                    \
      {LNK_SDK_MAJOR, LNK_SDK_MINOR, (KIND), (uint16_t)(sizeof(ID) - 1), (uint16_t)(sizeof(REQUIRES) - 1),   \
       (uint16_t)(sizeof(USES) - 1)},                                                                        \
      ID REQUIRES USES}

/* The schema note, from C; the text is a string literal. */
#define LNK_NOTE_SCHEMA(SCHEMA)                                                                              \
  static const struct {                                                                                      \
    uint32_t owner_size;                                                                                     \
    uint32_t description_size;                                                                               \
    uint32_t type;                                                                                           \
    char owner[4];                                                                                           \
    char text[sizeof(SCHEMA) - 1];                                                                           \
  } lnk_note_schema __attribute__((section(LNK_NOTE_SECTION), used, aligned(4))) = {                         \
      4, (uint32_t)(sizeof(SCHEMA) - 1), LNK_NOTE_SCHEMA_TYPE, {'l', 'n', 'k', 0}, SCHEMA}

LNK_END_C

#endif
