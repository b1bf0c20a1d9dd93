/* SPDX-License-Identifier: Apache-2.0
 *
 * The one symbol a module exports, `lnk_module_v1`, and what the host does with it, in this order: the file and every
 * folder above it are trusted (owner, mode); the note is read without running the file; the library is opened; the
 * table's size, major and id are checked; `probe`; `check_config`; `create`. A step that fails refuses the module.
 */
#ifndef LNK_ABI_MODULE_H
#define LNK_ABI_MODULE_H

#include "lnk/abi/base.h"
#include "lnk/abi/host.h"
#include "lnk/abi/probe.h"

LNK_BEGIN_C

typedef struct lnk_module_api {
  lnk_iface head;  /* major: LNK_SDK_MAJOR */
  lnk_str id;      /* "verb-secret": as in the note and the file's name */
  lnk_str version; /* the module's own, for people */
  /* [loop] Tries the machine; no configuration, no lasting effect. */
  lnk_status (*probe)(const lnk_capability_sink *, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Pure: LNK_OK where `create` would take this configuration (canonical JSON). */
  lnk_status (*check_config)(lnk_str config_json, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Makes an instance from its part of the snapshot (canonical JSON). The host outlives it. */
  lnk_status (*create)(lnk_host *, const lnk_host_api *, lnk_str config_json, lnk_instance **, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Exactly once for each instance made. */
  void (*destroy)(lnk_instance *) LNK_NOEXCEPT;
  /* [loop] The module's table for an interface; NULL: it has none. Lives as long as the instance. */
  const lnk_iface *(*query)(lnk_instance *, lnk_str id, uint32_t major)LNK_NOEXCEPT;
  /* [loop] The JSON Schema of the module's own table in a spec; an empty text: it takes none. Static memory. */
  lnk_str config_schema;
} lnk_module_api;

/* Linked statically into one test or fuzz program, several modules need several names. */
#if defined(LNK_STATIC_ID)
#define LNK_MODULE_CONCAT2(a, b) a##b
#define LNK_MODULE_CONCAT(a, b) LNK_MODULE_CONCAT2(a, b)
#define LNK_MODULE_SYMBOL LNK_MODULE_CONCAT(lnk_module_v1_, LNK_STATIC_ID)
#else
#define LNK_MODULE_SYMBOL lnk_module_v1
#endif

LNK_EXTERN_C LNK_EXPORT const lnk_module_api LNK_MODULE_SYMBOL;

LNK_END_C

#endif
