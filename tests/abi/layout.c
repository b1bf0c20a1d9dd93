/* SPDX-License-Identifier: Apache-2.0
 *
 * The place and size of every released member, and the value of every released name. A line here never changes; a minor
 * adds lines. Where one fails, an old module and this host would read each other wrongly.
 */
#include <assert.h>
#include <stddef.h>

#include "lnk/abi/base.h"
#include "lnk/abi/confiner.h"
#include "lnk/abi/doorway.h"
#include "lnk/abi/exec_namer.h"
#include "lnk/abi/host.h"
#include "lnk/abi/module.h"
#include "lnk/abi/note.h"
#include "lnk/abi/probe.h"
#include "lnk/abi/remount.h"
#include "lnk/abi/verb.h"

#define MEMBER(type, member, offset, bytes)                                                    \
  static_assert(offsetof(type, member) == (offset), #type "." #member " has moved");           \
  static_assert(sizeof(((type *)0)->member) == (bytes), #type "." #member " has another size")
/* A struct may grow in a later minor, never shrink. */
#define AT_LEAST(type, bytes) static_assert(sizeof(type) >= (bytes), #type " has shrunk")
/* Passed by value, or in rows: may not grow either. */
#define EXACTLY(type, bytes) static_assert(sizeof(type) == (bytes), #type " has another size")
#define NAMES(name, value) static_assert((name) == (value), #name " means another value")

/* base.h */
EXACTLY(lnk_str, 16);
MEMBER(lnk_str, data, 0, 8);
MEMBER(lnk_str, size, 8, 8);

EXACTLY(lnk_bytes, 16);
MEMBER(lnk_bytes, data, 0, 8);
MEMBER(lnk_bytes, size, 8, 8);

AT_LEAST(lnk_error, 512);
MEMBER(lnk_error, size, 0, 4);
MEMBER(lnk_error, status, 4, 4);
MEMBER(lnk_error, os_errno, 8, 4);
MEMBER(lnk_error, step, 12, 4);
MEMBER(lnk_error, text_size, 16, 4);
MEMBER(lnk_error, text, 20, 492);

EXACTLY(lnk_iface, 8);
MEMBER(lnk_iface, size, 0, 4);
MEMBER(lnk_iface, major, 4, 2);
MEMBER(lnk_iface, minor, 6, 2);

AT_LEAST(lnk_text_sink, 24);
MEMBER(lnk_text_sink, size, 0, 4);
MEMBER(lnk_text_sink, reserved, 4, 4);
MEMBER(lnk_text_sink, context, 8, 8);
MEMBER(lnk_text_sink, write, 16, 8);

/* confiner.h */
AT_LEAST(lnk_step, 40);
MEMBER(lnk_step, size, 0, 4);
MEMBER(lnk_step, number, 4, 4);
MEMBER(lnk_step, kind, 8, 16);
MEMBER(lnk_step, words, 24, 16);

AT_LEAST(lnk_step_sink, 24);
MEMBER(lnk_step_sink, size, 0, 4);
MEMBER(lnk_step_sink, reserved, 4, 4);
MEMBER(lnk_step_sink, context, 8, 8);
MEMBER(lnk_step_sink, step, 16, 8);

AT_LEAST(lnk_holding, 40);
MEMBER(lnk_holding, size, 0, 4);
MEMBER(lnk_holding, state, 4, 4);
MEMBER(lnk_holding, grant, 8, 16);
MEMBER(lnk_holding, words, 24, 16);

AT_LEAST(lnk_holding_sink, 24);
MEMBER(lnk_holding_sink, size, 0, 4);
MEMBER(lnk_holding_sink, reserved, 4, 4);
MEMBER(lnk_holding_sink, context, 8, 8);
MEMBER(lnk_holding_sink, holding, 16, 8);

AT_LEAST(lnk_launch, 64);
MEMBER(lnk_launch, size, 0, 4);
MEMBER(lnk_launch, argc, 4, 4);
MEMBER(lnk_launch, argv, 8, 8);
MEMBER(lnk_launch, env, 16, 8);
MEMBER(lnk_launch, envc, 24, 4);
MEMBER(lnk_launch, stdio, 28, 12);
MEMBER(lnk_launch, cwd, 40, 16);
MEMBER(lnk_launch, terminal, 56, 4);
MEMBER(lnk_launch, watch, 60, 4);

AT_LEAST(lnk_child, 16);
MEMBER(lnk_child, size, 0, 4);
MEMBER(lnk_child, pid, 4, 4);
MEMBER(lnk_child, id, 8, 8);

AT_LEAST(lnk_target, 24);
MEMBER(lnk_target, size, 0, 4);
MEMBER(lnk_target, pid, 4, 4);
MEMBER(lnk_target, pidfd, 8, 4);
MEMBER(lnk_target, reserved, 12, 4);
MEMBER(lnk_target, terminal, 16, 4);
MEMBER(lnk_target, events, 20, 4);

AT_LEAST(lnk_confiner, 96);
MEMBER(lnk_confiner, head, 0, 8);
MEMBER(lnk_confiner, survey, 8, 8);
MEMBER(lnk_confiner, plan, 16, 8);
MEMBER(lnk_confiner, describe, 24, 8);
MEMBER(lnk_confiner, holdings, 32, 8);
MEMBER(lnk_confiner, launch, 40, 8);
MEMBER(lnk_confiner, stand, 48, 8);
MEMBER(lnk_confiner, go, 56, 8);
MEMBER(lnk_confiner, release_child, 64, 8);
MEMBER(lnk_confiner, release_plan, 72, 8);
MEMBER(lnk_confiner, stopped, 80, 8);
MEMBER(lnk_confiner, resume, 88, 8);

/* doorway.h */
AT_LEAST(lnk_inside_address, 32);
MEMBER(lnk_inside_address, size, 0, 4);
MEMBER(lnk_inside_address, kind, 4, 4);
MEMBER(lnk_inside_address, ip, 8, 16);
MEMBER(lnk_inside_address, ip_size, 24, 4);
MEMBER(lnk_inside_address, port, 28, 4);

AT_LEAST(lnk_doorway, 40);
MEMBER(lnk_doorway, head, 0, 8);
MEMBER(lnk_doorway, open, 8, 8);
MEMBER(lnk_doorway, listen_inside, 16, 8);
MEMBER(lnk_doorway, connect_inside, 24, 8);
MEMBER(lnk_doorway, close, 32, 8);

/* remount.h */
AT_LEAST(lnk_replaced, 40);
MEMBER(lnk_replaced, size, 0, 4);
MEMBER(lnk_replaced, reserved, 4, 4);
MEMBER(lnk_replaced, path, 8, 16);
MEMBER(lnk_replaced, device, 24, 8);
MEMBER(lnk_replaced, inode, 32, 8);
AT_LEAST(lnk_remount, 16);
MEMBER(lnk_remount, head, 0, 8);
MEMBER(lnk_remount, cover, 8, 8);

/* exec_namer.h */
AT_LEAST(lnk_program_report, 48);
MEMBER(lnk_program_report, size, 0, 4);
MEMBER(lnk_program_report, allowed, 4, 4);
MEMBER(lnk_program_report, path, 8, 16);
MEMBER(lnk_program_report, parent, 24, 16);
MEMBER(lnk_program_report, pid, 40, 4);
MEMBER(lnk_program_report, reserved, 44, 4);

AT_LEAST(lnk_program_sink, 24);
MEMBER(lnk_program_sink, size, 0, 4);
MEMBER(lnk_program_sink, reserved, 4, 4);
MEMBER(lnk_program_sink, context, 8, 8);
MEMBER(lnk_program_sink, program, 16, 8);

AT_LEAST(lnk_exec_namer, 32);
MEMBER(lnk_exec_namer, head, 0, 8);
MEMBER(lnk_exec_namer, start, 8, 8);
MEMBER(lnk_exec_namer, reports, 16, 8);
MEMBER(lnk_exec_namer, stop, 24, 8);

AT_LEAST(lnk_supervisor, 16);
MEMBER(lnk_supervisor, head, 0, 8);
MEMBER(lnk_supervisor, start, 8, 8);

/* host.h */
AT_LEAST(lnk_host_api, 32);
MEMBER(lnk_host_api, head, 0, 8);
MEMBER(lnk_host_api, query, 8, 8);
MEMBER(lnk_host_api, log, 16, 8);
MEMBER(lnk_host_api, on_loop_thread, 24, 8);

/* module.h */
AT_LEAST(lnk_module_api, 96);
MEMBER(lnk_module_api, head, 0, 8);
MEMBER(lnk_module_api, id, 8, 16);
MEMBER(lnk_module_api, version, 24, 16);
MEMBER(lnk_module_api, probe, 40, 8);
MEMBER(lnk_module_api, check_config, 48, 8);
MEMBER(lnk_module_api, create, 56, 8);
MEMBER(lnk_module_api, destroy, 64, 8);
MEMBER(lnk_module_api, query, 72, 8);
MEMBER(lnk_module_api, config_schema, 80, 16);

/* note.h */
EXACTLY(lnk_note_head, 12);
MEMBER(lnk_note_head, sdk_major, 0, 2);
MEMBER(lnk_note_head, sdk_minor, 2, 2);
MEMBER(lnk_note_head, kind, 4, 2);
MEMBER(lnk_note_head, id_size, 6, 2);
MEMBER(lnk_note_head, requires_size, 8, 2);
MEMBER(lnk_note_head, uses_size, 10, 2);

/* probe.h */
AT_LEAST(lnk_capability, 64);
MEMBER(lnk_capability, size, 0, 4);
MEMBER(lnk_capability, state, 4, 4);
MEMBER(lnk_capability, name, 8, 16);
MEMBER(lnk_capability, level, 24, 4);
MEMBER(lnk_capability, os_errno, 28, 4);
MEMBER(lnk_capability, evidence, 32, 16);
MEMBER(lnk_capability, mend, 48, 16);

AT_LEAST(lnk_capability_sink, 24);
MEMBER(lnk_capability_sink, size, 0, 4);
MEMBER(lnk_capability_sink, reserved, 4, 4);
MEMBER(lnk_capability_sink, context, 8, 8);
MEMBER(lnk_capability_sink, report, 16, 8);

/* verb.h */
EXACTLY(lnk_piece, 24);
MEMBER(lnk_piece, kind, 0, 4);
MEMBER(lnk_piece, reserved, 4, 4);
MEMBER(lnk_piece, text, 8, 16);

EXACTLY(lnk_value, 16);
MEMBER(lnk_value, pieces, 0, 8);
MEMBER(lnk_value, count, 8, 8);

EXACTLY(lnk_field, 32);
MEMBER(lnk_field, name, 0, 16);
MEMBER(lnk_field, value, 16, 16);

EXACTLY(lnk_field_edit, 40);
MEMBER(lnk_field_edit, kind, 0, 4);
MEMBER(lnk_field_edit, reserved, 4, 4);
MEMBER(lnk_field_edit, name, 8, 16);
MEMBER(lnk_field_edit, value, 24, 16);

AT_LEAST(lnk_route, 32);
MEMBER(lnk_route, size, 0, 4);
MEMBER(lnk_route, kind, 4, 4);
MEMBER(lnk_route, flags, 8, 4);
MEMBER(lnk_route, reserved, 12, 4);
MEMBER(lnk_route, path, 16, 16);
MEMBER(lnk_route, refusal_body, 32, 16);

AT_LEAST(lnk_upstream, 24);
MEMBER(lnk_upstream, size, 0, 4);
MEMBER(lnk_upstream, port, 4, 2);
MEMBER(lnk_upstream, tls, 6, 2);
MEMBER(lnk_upstream, host, 8, 16);

AT_LEAST(lnk_declare_sink, 40);
MEMBER(lnk_declare_sink, size, 0, 4);
MEMBER(lnk_declare_sink, reserved, 4, 4);
MEMBER(lnk_declare_sink, context, 8, 8);
MEMBER(lnk_declare_sink, route, 16, 8);
MEMBER(lnk_declare_sink, upstream, 24, 8);
MEMBER(lnk_declare_sink, body_max, 32, 8);

AT_LEAST(lnk_event_head, 80);
MEMBER(lnk_event_head, size, 0, 4);
MEMBER(lnk_event_head, route, 4, 4);
MEMBER(lnk_event_head, method, 8, 16);
MEMBER(lnk_event_head, path, 24, 16);
MEMBER(lnk_event_head, query, 40, 16);
MEMBER(lnk_event_head, has_query, 56, 4);
MEMBER(lnk_event_head, has_body, 60, 4);
MEMBER(lnk_event_head, fields, 64, 8);
MEMBER(lnk_event_head, field_count, 72, 8);

AT_LEAST(lnk_event_body, 24);
MEMBER(lnk_event_body, size, 0, 4);
MEMBER(lnk_event_body, reserved, 4, 4);
MEMBER(lnk_event_body, body, 8, 16);

AT_LEAST(lnk_event_reply_head, 24);
MEMBER(lnk_event_reply_head, size, 0, 4);
MEMBER(lnk_event_reply_head, status, 4, 4);
MEMBER(lnk_event_reply_head, fields, 8, 8);
MEMBER(lnk_event_reply_head, field_count, 16, 8);

AT_LEAST(lnk_event_reply_chunk, 24);
MEMBER(lnk_event_reply_chunk, size, 0, 4);
MEMBER(lnk_event_reply_chunk, reserved, 4, 4);
MEMBER(lnk_event_reply_chunk, bytes, 8, 16);

AT_LEAST(lnk_event_reply_end, 8);
MEMBER(lnk_event_reply_end, size, 0, 4);
MEMBER(lnk_event_reply_end, status, 4, 4);

AT_LEAST(lnk_event_answered, 8);
MEMBER(lnk_event_answered, size, 0, 4);
MEMBER(lnk_event_answered, answer, 4, 4);

AT_LEAST(lnk_event_done, 16);
MEMBER(lnk_event_done, size, 0, 4);
MEMBER(lnk_event_done, status, 4, 4);
MEMBER(lnk_event_done, port, 8, 4);
MEMBER(lnk_event_done, reserved, 12, 4);

AT_LEAST(lnk_event_tool_line, 24);
MEMBER(lnk_event_tool_line, size, 0, 4);
MEMBER(lnk_event_tool_line, reserved, 4, 4);
MEMBER(lnk_event_tool_line, line, 8, 16);

AT_LEAST(lnk_event_tool_exit, 8);
MEMBER(lnk_event_tool_exit, size, 0, 4);
MEMBER(lnk_event_tool_exit, code, 4, 4);

AT_LEAST(lnk_event_callback, 88);
MEMBER(lnk_event_callback, size, 0, 4);
MEMBER(lnk_event_callback, reserved, 4, 4);
MEMBER(lnk_event_callback, method, 8, 16);
MEMBER(lnk_event_callback, target, 24, 16);
MEMBER(lnk_event_callback, host, 40, 16);
MEMBER(lnk_event_callback, content_type, 56, 16);
MEMBER(lnk_event_callback, body, 72, 16);

AT_LEAST(lnk_event_inside_reply, 32);
MEMBER(lnk_event_inside_reply, size, 0, 4);
MEMBER(lnk_event_inside_reply, status, 4, 4);
MEMBER(lnk_event_inside_reply, http_status, 8, 4);
MEMBER(lnk_event_inside_reply, reserved, 12, 4);
MEMBER(lnk_event_inside_reply, location, 16, 16);

AT_LEAST(lnk_event, 80);
MEMBER(lnk_event, size, 0, 4);
MEMBER(lnk_event, kind, 4, 4);
MEMBER(lnk_event, call, 8, 8);
MEMBER(lnk_event, subject, 16, 8);
MEMBER(lnk_event, now_ms, 24, 8);
MEMBER(lnk_event, unix_ms, 32, 8);
MEMBER(lnk_event, random, 40, 32);
MEMBER(lnk_event, data, 72, 8);

AT_LEAST(lnk_action_relay, 88);
MEMBER(lnk_action_relay, size, 0, 4);
MEMBER(lnk_action_relay, flags, 4, 4);
MEMBER(lnk_action_relay, host, 8, 16);
MEMBER(lnk_action_relay, port, 24, 2);
MEMBER(lnk_action_relay, tls, 26, 2);
MEMBER(lnk_action_relay, edit_count, 28, 4);
MEMBER(lnk_action_relay, method, 32, 16);
MEMBER(lnk_action_relay, target, 48, 16);
MEMBER(lnk_action_relay, edits, 64, 8);
MEMBER(lnk_action_relay, body, 72, 16);

AT_LEAST(lnk_action_need_body, 16);
MEMBER(lnk_action_need_body, size, 0, 4);
MEMBER(lnk_action_need_body, reserved, 4, 4);
MEMBER(lnk_action_need_body, bytes_max, 8, 8);

AT_LEAST(lnk_action_answer, 40);
MEMBER(lnk_action_answer, size, 0, 4);
MEMBER(lnk_action_answer, status, 4, 4);
MEMBER(lnk_action_answer, streams, 8, 4);
MEMBER(lnk_action_answer, field_count, 12, 4);
MEMBER(lnk_action_answer, fields, 16, 8);
MEMBER(lnk_action_answer, body, 24, 16);

AT_LEAST(lnk_action_stream, 24);
MEMBER(lnk_action_stream, size, 0, 4);
MEMBER(lnk_action_stream, reserved, 4, 4);
MEMBER(lnk_action_stream, bytes, 8, 16);

AT_LEAST(lnk_action_deny, 40);
MEMBER(lnk_action_deny, size, 0, 4);
MEMBER(lnk_action_deny, status, 4, 4);
MEMBER(lnk_action_deny, reason, 8, 16);
MEMBER(lnk_action_deny, words, 24, 16);

AT_LEAST(lnk_action_ask, 32);
MEMBER(lnk_action_ask, size, 0, 4);
MEMBER(lnk_action_ask, line_count, 4, 4);
MEMBER(lnk_action_ask, title, 8, 16);
MEMBER(lnk_action_ask, lines, 24, 8);

AT_LEAST(lnk_action_text, 24);
MEMBER(lnk_action_text, size, 0, 4);
MEMBER(lnk_action_text, reserved, 4, 4);
MEMBER(lnk_action_text, text, 8, 16);

AT_LEAST(lnk_action_listen, 32);
MEMBER(lnk_action_listen, size, 0, 4);
MEMBER(lnk_action_listen, port, 4, 4);
MEMBER(lnk_action_listen, seconds, 8, 4);
MEMBER(lnk_action_listen, reserved, 12, 4);
MEMBER(lnk_action_listen, path, 16, 16);

AT_LEAST(lnk_action_call_inside, 88);
MEMBER(lnk_action_call_inside, size, 0, 4);
MEMBER(lnk_action_call_inside, port, 4, 4);
MEMBER(lnk_action_call_inside, method, 8, 16);
MEMBER(lnk_action_call_inside, target, 24, 16);
MEMBER(lnk_action_call_inside, host, 40, 16);
MEMBER(lnk_action_call_inside, content_type, 56, 16);
MEMBER(lnk_action_call_inside, body, 72, 16);

AT_LEAST(lnk_action_wake, 16);
MEMBER(lnk_action_wake, size, 0, 4);
MEMBER(lnk_action_wake, reserved, 4, 4);
MEMBER(lnk_action_wake, after_ms, 8, 8);

AT_LEAST(lnk_action, 32);
MEMBER(lnk_action, size, 0, 4);
MEMBER(lnk_action, kind, 4, 4);
MEMBER(lnk_action, call, 8, 8);
MEMBER(lnk_action, subject, 16, 8);
MEMBER(lnk_action, data, 24, 8);

AT_LEAST(lnk_action_sink, 24);
MEMBER(lnk_action_sink, size, 0, 4);
MEMBER(lnk_action_sink, reserved, 4, 4);
MEMBER(lnk_action_sink, context, 8, 8);
MEMBER(lnk_action_sink, emit, 16, 8);

AT_LEAST(lnk_verb, 24);
MEMBER(lnk_verb, head, 0, 8);
MEMBER(lnk_verb, declare, 8, 8);
MEMBER(lnk_verb, event, 16, 8);

NAMES(LNK_OK, 0);
NAMES(LNK_E_INVALID, -1);
NAMES(LNK_E_UNSUPPORTED, -2);
NAMES(LNK_E_DENIED, -3);
NAMES(LNK_E_GONE, -4);
NAMES(LNK_E_LIMIT, -5);
NAMES(LNK_E_TIMEOUT, -6);
NAMES(LNK_E_UPSTREAM, -7);
NAMES(LNK_E_INTERNAL, -8);
NAMES(LNK_E_AGAIN, -9);
NAMES(LNK_HELD, 1);
NAMES(LNK_HELD_WEAKER, 2);
NAMES(LNK_NOT_HELD, 3);
NAMES(LNK_TARGET_RUNS, 1);
NAMES(LNK_TARGET_NOT_FOUND, 2);
NAMES(LNK_TARGET_CANT_RUN, 3);
NAMES(LNK_TARGET_NOT_STARTED, 4);
NAMES(LNK_SOCKET_STREAM, 1);
NAMES(LNK_SOCKET_DATAGRAM, 2);
NAMES(LNK_LOG_ERROR, 1);
NAMES(LNK_LOG_WARNING, 2);
NAMES(LNK_LOG_INFO, 3);
NAMES(LNK_LOG_DEBUG, 4);
NAMES(LNK_KIND_OS, 1);
NAMES(LNK_KIND_VERB, 2);
NAMES(LNK_NOTE_TYPE, 1);
NAMES(LNK_NOTE_SCHEMA_TYPE, 2);
NAMES(LNK_NOTE_SCHEMA_MAX, 32768);
NAMES(LNK_SUPPORTED, 1);
NAMES(LNK_DEGRADED, 2);
NAMES(LNK_UNSUPPORTED, 3);
NAMES(LNK_UNKNOWN, 4);
NAMES(LNK_PIECE_TEXT, 1);
NAMES(LNK_PIECE_HANDLE, 2);
NAMES(LNK_PIECE_BASE64_BEGIN, 3);
NAMES(LNK_PIECE_BASE64_END, 4);
NAMES(LNK_PIECE_QUERY_HANDLE, 5);
NAMES(LNK_EDIT_REMOVE, 1);
NAMES(LNK_EDIT_SET, 2);
NAMES(LNK_ROUTE_EXACT, 1);
NAMES(LNK_ROUTE_PREFIX, 2);
NAMES(LNK_ROUTE_UNDER_SECRET, 1);
NAMES(LNK_EVENT_HEAD, 1);
NAMES(LNK_EVENT_BODY, 2);
NAMES(LNK_EVENT_REPLY_HEAD, 3);
NAMES(LNK_EVENT_REPLY_CHUNK, 4);
NAMES(LNK_EVENT_REPLY_END, 5);
NAMES(LNK_EVENT_ANSWERED, 6);
NAMES(LNK_EVENT_TOOL_STARTED, 7);
NAMES(LNK_EVENT_TOOL_LINE, 8);
NAMES(LNK_EVENT_TOOL_EXIT, 9);
NAMES(LNK_EVENT_PAGE_OPENED, 10);
NAMES(LNK_EVENT_LISTENING, 11);
NAMES(LNK_EVENT_CALLBACK, 12);
NAMES(LNK_EVENT_INSIDE_REPLY, 13);
NAMES(LNK_EVENT_DRAINED, 14);
NAMES(LNK_EVENT_TIMER, 15);
NAMES(LNK_EVENT_GONE, 16);
NAMES(LNK_ANSWER_YES, 1);
NAMES(LNK_ANSWER_NO, 2);
NAMES(LNK_ANSWER_TIMED_OUT, 3);
NAMES(LNK_ACTION_RELAY, 1);
NAMES(LNK_ACTION_NEED_BODY, 2);
NAMES(LNK_ACTION_FORWARD, 3);
NAMES(LNK_ACTION_ANSWER, 4);
NAMES(LNK_ACTION_STREAM, 5);
NAMES(LNK_ACTION_END, 6);
NAMES(LNK_ACTION_DENY, 7);
NAMES(LNK_ACTION_ASK, 8);
NAMES(LNK_ACTION_TOOL_START, 9);
NAMES(LNK_ACTION_TOOL_SEND, 10);
NAMES(LNK_ACTION_TOOL_STOP, 11);
NAMES(LNK_ACTION_TOOL_PAUSE, 12);
NAMES(LNK_ACTION_TOOL_RESUME, 13);
NAMES(LNK_ACTION_OPEN_PAGE, 14);
NAMES(LNK_ACTION_LISTEN_ONCE, 15);
NAMES(LNK_ACTION_CALL_INSIDE, 16);
NAMES(LNK_ACTION_WAKE, 17);
NAMES(LNK_ACTION_LOG, 18);
NAMES(LNK_SEE_REPLY, 1);

NAMES(LNK_SDK_MAJOR, 1);
EXACTLY(lnk_id, 8);
EXACTLY(lnk_status, 4);
