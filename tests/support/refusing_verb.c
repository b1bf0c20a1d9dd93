// SPDX-License-Identifier: Apache-2.0
// A module that takes the name of a shipped one, loads, takes any configuration, and then refuses to be made. It stands
// in for the shipped one in a copy of the product: a run that uses it must be told so, and be no weaker for it.
#define FIXTURE_ID "verb-secret"
#define FIXTURE_CHECK_CONFIG take_any_config
#define FIXTURE_CREATE refuse_to_be_made
#include "lnk/abi/module.h"
static lnk_status take_any_config(lnk_str config, lnk_error* error);
static lnk_status refuse_to_be_made(lnk_host* host, const lnk_host_api* api, lnk_str config, lnk_instance** out,
                                    lnk_error* error);
#include "fixture.h"

static lnk_status take_any_config(lnk_str config, lnk_error* error) {
  (void)config;
  (void)error;
  return LNK_OK;
}

static lnk_status refuse_to_be_made(lnk_host* host, const lnk_host_api* api, lnk_str config, lnk_instance** out,
                                    lnk_error* error) {
  (void)host;
  (void)api;
  (void)config;
  (void)out;
  return fixture_fail(error, LNK_E_DENIED, "the moon is not full");
}
