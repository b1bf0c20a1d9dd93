/* SPDX-License-Identifier: Apache-2.0
 *
 * A verb written against SDK 1.0, with the headers of that day beside it. Every later host must load and run it as it
 * stands; neither this file nor the headers are ever changed.
 */
#include <stdlib.h>
#include <string.h>

#include "lnk/abi/module.h"
#include "lnk/abi/note.h"
#include "lnk/abi/verb.h"

#define TEXT(literal) \
  { (literal), sizeof(literal) - 1 }

struct lnk_instance {
  lnk_host* host;
  const lnk_host_api* api;
  uint64_t heads;
};

static lnk_status probe(const lnk_capability_sink* sink, lnk_error* error) {
  const lnk_capability capability = {sizeof capability, LNK_SUPPORTED, TEXT("frozen.ice"), 10, 0,
                                     TEXT("looked"),    TEXT("")};
  (void)error;
  return sink->report(sink->context, &capability);
}

static lnk_status refuse(lnk_error* error, lnk_status status, const char* words) {
  if (error != NULL && error->size >= sizeof *error) {
    error->status = status;
    error->text_size = (uint32_t)strlen(words);
    memcpy(error->text, words, error->text_size);
  }
  return status;
}

static lnk_status check_config(lnk_str config, lnk_error* error) {
  if (config.size == 2 && memcmp(config.data, "{}", 2) == 0) return LNK_OK;
  return refuse(error, LNK_E_INVALID, "verb-frozen takes no settings");
}

static lnk_status create(lnk_host* host, const lnk_host_api* api, lnk_str config, lnk_instance** out,
                         lnk_error* error) {
  const lnk_str line = TEXT("frozen and awake");
  lnk_instance* made;
  if (check_config(config, error) != LNK_OK) return LNK_E_INVALID;
  if (api->head.major != LNK_SDK_MAJOR || api->head.size < sizeof *api)
    return refuse(error, LNK_E_UNSUPPORTED, "a host that is shorter than 1.0");
  made = calloc(1, sizeof *made);
  if (made == NULL) return refuse(error, LNK_E_LIMIT, "out of memory");
  made->host = host;
  made->api = api;
  api->log(host, LNK_LOG_INFO, line);
  *out = made;
  return LNK_OK;
}

static void destroy(lnk_instance* instance) { free(instance); }

static lnk_status declare(lnk_instance* instance, const lnk_declare_sink* sink, lnk_error* error) {
  const lnk_route route = {sizeof route, LNK_ROUTE_PREFIX, 0, 0, TEXT("frozen/")};
  const lnk_upstream upstream = {sizeof upstream, 443, 1, TEXT("ice.test")};
  (void)instance;
  if (sink->size < sizeof *sink) return refuse(error, LNK_E_INVALID, "a sink that is shorter than 1.0");
  if (sink->route(sink->context, &route) != LNK_OK) return refuse(error, LNK_E_DENIED, "no route");
  if (sink->upstream(sink->context, &upstream) != LNK_OK) return refuse(error, LNK_E_DENIED, "no upstream");
  return sink->body_max(sink->context, 4096);
}

static lnk_status emit(const lnk_action_sink* sink, const lnk_event* event, uint32_t kind, const void* data) {
  const lnk_action action = {sizeof action, kind, event->call, 0, data};
  return sink->emit(sink->context, &action, NULL);
}

/* GET is relayed with a secret in a field, POST reads its body and answers it, all else is refused. */
static lnk_status on_head(const lnk_event* event, const lnk_action_sink* sink, lnk_error* error) {
  const lnk_event_head* head = event->data;
  const lnk_piece target[2] = {{LNK_PIECE_TEXT, 0, TEXT("/v1/")}, {LNK_PIECE_TEXT, 0, head->path}};
  const lnk_piece value[2] = {{LNK_PIECE_TEXT, 0, TEXT("Bearer ")}, {LNK_PIECE_HANDLE, 0, TEXT("secret:ice")}};
  const lnk_field_edit edit = {LNK_EDIT_SET, 0, TEXT("Authorization"), {value, 2}};
  const lnk_action_relay relay = {sizeof relay, 0,     TEXT("ice.test"), 443, 1, 1, head->method,
                                  {target, 2},  &edit, {NULL, 0}};
  const lnk_action_need_body need = {sizeof need, 0, 4096};
  const lnk_action_deny deny = {sizeof deny, 405, TEXT("method-refused"), TEXT("GET and POST alone")};
  if (head->size < sizeof *head) return refuse(error, LNK_E_INVALID, "a head that is shorter than 1.0");
  if (head->method.size == 3 && memcmp(head->method.data, "GET", 3) == 0)
    return emit(sink, event, LNK_ACTION_RELAY, &relay);
  if (head->method.size == 4 && memcmp(head->method.data, "POST", 4) == 0)
    return emit(sink, event, LNK_ACTION_NEED_BODY, &need);
  return emit(sink, event, LNK_ACTION_DENY, &deny);
}

static lnk_status on_body(const lnk_event* event, const lnk_action_sink* sink, lnk_error* error) {
  const lnk_event_body* body = event->data;
  const lnk_field type = {TEXT("Content-Type"), TEXT("text/plain")};
  lnk_action_answer answer = {sizeof answer, 200, 0, 1, &type, {NULL, 0}};
  if (body->size < sizeof *body) return refuse(error, LNK_E_INVALID, "a body that is shorter than 1.0");
  answer.body = body->body;
  return emit(sink, event, LNK_ACTION_ANSWER, &answer);
}

static lnk_status event(lnk_instance* instance, const lnk_event* event, const lnk_action_sink* sink, lnk_error* error) {
  if (event->size < sizeof *event || sink->size < sizeof *sink)
    return refuse(error, LNK_E_INVALID, "an event that is shorter than 1.0");
  switch (event->kind) {
    case LNK_EVENT_HEAD:
      ++instance->heads;
      return on_head(event, sink, error);
    case LNK_EVENT_BODY:
      return on_body(event, sink, error);
    case LNK_EVENT_GONE:
      return LNK_OK;
    default:
      return refuse(error, LNK_E_UNSUPPORTED, "an event that was not asked for");
  }
}

static const lnk_verb kVerb = {{sizeof(lnk_verb), LNK_VERB_MAJOR, 0}, declare, event};

static const lnk_iface* query(lnk_instance* instance, lnk_str id, uint32_t major) {
  (void)instance;
  if (major != LNK_VERB_MAJOR || id.size != sizeof(LNK_VERB_ID) - 1) return NULL;
  return memcmp(id.data, LNK_VERB_ID, id.size) == 0 ? &kVerb.head : NULL;
}

LNK_NOTE(LNK_KIND_VERB, "verb-frozen", "", "");

const lnk_module_api lnk_module_v1 = {{sizeof(lnk_module_api), LNK_SDK_MAJOR, LNK_SDK_MINOR},
                                      TEXT("verb-frozen"),
                                      TEXT("1.0.0"),
                                      probe,
                                      check_config,
                                      create,
                                      destroy,
                                      query,
                                      TEXT("")};
