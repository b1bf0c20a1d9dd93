/* SPDX-License-Identifier: Apache-2.0
 *
 * lnk.verb/1: one small thing a sandbox may do outside. A verb decides, the host does: event in, actions out, without
 * waiting. It never sees a socket, a thread or a key. Every action is let through only where the snapshot grants it and
 * the upstream was declared at creation, so a verb can't widen a spec.
 *
 * Ids: the host makes them. `call` names one request on the wire; what an action starts (a question, a tool, a timer, a
 * port, a call inside) gets its id from `emit`, and the events that answer it carry the same id as `subject`.
 *
 * Order: a call begins with HEAD and ends with GONE, exactly once, whatever happened; nothing comes for it after that.
 * Each action that asks for something is answered by exactly one event, unless GONE comes first: a question is withdrawn then, and a
 * tool that has not started is stopped. What outlives its call is told with `call` 0: TOOL_LINE, TOOL_EXIT, CALLBACK and a tool's
 * DRAINED. In GONE itself a verb may still steer those (TOOL_SEND, TOOL_STOP), and do nothing for the call. While a tool of the verb
 * runs, its calls may wait undecided for what that says.
 *
 * Back-pressure: `emit` of STREAM or TOOL_SEND answers LNK_E_AGAIN above the host's mark; the piece was taken, and DRAINED
 * says when to go on. TOOL_PAUSE stops a tool's lines, TOOL_RESUME lets them come again.
 *
 * Failure: an event that returns anything but LNK_OK refuses its call and is logged; the words go to the log, not inside.
 */
#ifndef LNK_ABI_VERB_H
#define LNK_ABI_VERB_H

#include "lnk/abi/base.h"

#define LNK_VERB_ID "lnk.verb"
#define LNK_VERB_MAJOR 1

LNK_BEGIN_C

/* ---- values that may hold a secret ------------------------------------------------------------------------------ */

/* A value is written out piece after piece. A secret is named, never held: the host puts it in as it writes, and looks
 * for its echo in the reply. Handles stand beside the text and not in it, so no byte of a request can become one. */
enum {
  LNK_PIECE_TEXT = 1,
  LNK_PIECE_HANDLE = 2,       /* text: "secret:telegram", "key:anthropic" */
  LNK_PIECE_BASE64_BEGIN = 3, /* the pieces up to the END are encoded as one; not nested */
  LNK_PIECE_BASE64_END = 4,
  LNK_PIECE_QUERY_HANDLE = 5  /* as HANDLE, percent-encoded for a query */
};

typedef struct lnk_piece {
  uint32_t kind;
  uint32_t reserved;
  lnk_str text;
} lnk_piece;

typedef struct lnk_value {
  const lnk_piece *pieces;
  size_t count;
} lnk_value;

typedef struct lnk_field {
  lnk_str name;
  lnk_str value;
} lnk_field;

enum { LNK_EDIT_REMOVE = 1, LNK_EDIT_SET = 2 };

typedef struct lnk_field_edit {
  uint32_t kind;
  uint32_t reserved;
  lnk_str name; /* compared without case; REMOVE takes every field of the name, SET leaves one */
  lnk_value value;
} lnk_field_edit;

/* ---- declaration ------------------------------------------------------------------------------------------------- */

enum { LNK_ROUTE_EXACT = 1, LNK_ROUTE_PREFIX = 2 };
enum { LNK_ROUTE_UNDER_SECRET = 1 }; /* mounted below /_link/s/<secret>/, which the host checks, not below /_link/ */

typedef struct lnk_route {
  uint32_t size;
  uint32_t kind;
  uint32_t flags;
  uint32_t reserved;
  lnk_str path; /* no leading slash; a prefix ends in one: "secret/telegram/" */
  /* The body of each refusal below the route, the host's own too, sent as application/json: one line of JSON, printable ASCII, at
   * most 1 KiB, with {words} once, and {reason} and {status} where they are wanted, which the host fills in. Empty, or a shorter
   * struct: the words alone, as text. */
  lnk_str refusal_body;
} lnk_route;

typedef struct lnk_upstream {
  uint32_t size;
  uint16_t port;
  uint16_t tls; /* 1: TLS, the name checked against the machine's trust store; 0: plain HTTP to a port of this machine's
                   loopback, of the host "localhost" alone */
  lnk_str host;
} lnk_upstream;

typedef struct lnk_declare_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  lnk_status (*route)(void *context, const lnk_route *) LNK_NOEXCEPT;
  lnk_status (*upstream)(void *context, const lnk_upstream *) LNK_NOEXCEPT;
  /* The largest body this verb asks for, in bytes. Not declared: it reads none. */
  lnk_status (*body_max)(void *context, uint64_t bytes) LNK_NOEXCEPT;
} lnk_declare_sink;

/* ---- events: host -> module (closed within the major) ------------------------------------------------------------ */

enum {
  LNK_EVENT_HEAD = 1,
  LNK_EVENT_BODY = 2,
  LNK_EVENT_REPLY_HEAD = 3,
  LNK_EVENT_REPLY_CHUNK = 4,
  LNK_EVENT_REPLY_END = 5,
  LNK_EVENT_ANSWERED = 6,
  LNK_EVENT_TOOL_STARTED = 7,
  LNK_EVENT_TOOL_LINE = 8,
  LNK_EVENT_TOOL_EXIT = 9,
  LNK_EVENT_PAGE_OPENED = 10,
  LNK_EVENT_LISTENING = 11,
  LNK_EVENT_CALLBACK = 12,
  LNK_EVENT_INSIDE_REPLY = 13,
  LNK_EVENT_DRAINED = 14,
  LNK_EVENT_TIMER = 15,
  LNK_EVENT_GONE = 16
};

/* HEAD: a request whose head the host has parsed and found sound. */
typedef struct lnk_event_head {
  uint32_t size;
  uint32_t route; /* the index of the route it came by, in the order declared */
  lnk_str method;
  lnk_str path;  /* below the route's path, as sent (no decoding); for an exact route, empty */
  lnk_str query; /* behind the first '?', as sent */
  uint32_t has_query;
  uint32_t has_body;
  const lnk_field *fields; /* as sent, hop-by-hop fields and the wire's own Host left out */
  size_t field_count;
} lnk_event_head;

/* BODY: whole, after NEED_BODY; decoded where the coding is one the host knows. */
typedef struct lnk_event_body {
  uint32_t size;
  uint32_t reserved;
  lnk_bytes body;
} lnk_event_body;

/* REPLY_*: of a RELAY or FORWARD with LNK_SEE_REPLY. The module answers with ANSWER (held) or STREAM and END. */
typedef struct lnk_event_reply_head {
  uint32_t size;
  uint32_t status;
  const lnk_field *fields;
  size_t field_count;
} lnk_event_reply_head;

typedef struct lnk_event_reply_chunk {
  uint32_t size;
  uint32_t reserved;
  lnk_bytes bytes;
} lnk_event_reply_chunk;

typedef struct lnk_event_reply_end {
  uint32_t size;
  lnk_status status; /* LNK_OK: whole; LNK_E_UPSTREAM, LNK_E_TIMEOUT: cut short */
} lnk_event_reply_end;

enum { LNK_ANSWER_YES = 1, LNK_ANSWER_NO = 2, LNK_ANSWER_TIMED_OUT = 3 };

typedef struct lnk_event_answered {
  uint32_t size;
  uint32_t answer;
} lnk_event_answered;

/* TOOL_STARTED, PAGE_OPENED, LISTENING: how the action went. */
typedef struct lnk_event_done {
  uint32_t size;
  lnk_status status;
  uint32_t port; /* LISTENING: the port taken */
  uint32_t reserved;
} lnk_event_done;

typedef struct lnk_event_tool_line {
  uint32_t size;
  uint32_t reserved;
  lnk_bytes line; /* without its end of line */
} lnk_event_tool_line;

typedef struct lnk_event_tool_exit {
  uint32_t size;
  int32_t code; /* 128+n where signal n ended it */
} lnk_event_tool_exit;

/* CALLBACK: a request on a port of LISTEN_ONCE, whose id is the subject; of no call. Answered by ANSWER with `call` 0 and this event's
 * subject; the next comes only then. An answer that redirects to the port itself moves the path that is passed to that one. */
typedef struct lnk_event_callback {
  uint32_t size;
  uint32_t reserved;
  lnk_str method;
  lnk_str target;
  lnk_str host;
  lnk_str content_type;
  lnk_bytes body;
} lnk_event_callback;

/* INSIDE_REPLY: what the program inside said to CALL_INSIDE. */
typedef struct lnk_event_inside_reply {
  uint32_t size;
  lnk_status status;
  uint32_t http_status;
  uint32_t reserved;
  lnk_str location;
} lnk_event_inside_reply;

typedef struct lnk_event {
  uint32_t size;
  uint32_t kind;
  lnk_id call;      /* 0: of no call */
  lnk_id subject;   /* the question, tool, timer, port or call inside; 0: none */
  uint64_t now_ms;  /* a clock that never runs back */
  uint64_t unix_ms; /* the time of day */
  uint8_t random[32]; /* fresh for each event */
  const void *data;   /* the kind's own struct; NULL for DRAINED, TIMER and GONE */
} lnk_event;

/* ---- actions: module -> host -------------------------------------------------------------------------------------- */

enum {
  LNK_ACTION_RELAY = 1,
  LNK_ACTION_NEED_BODY = 2,
  LNK_ACTION_FORWARD = 3,
  LNK_ACTION_ANSWER = 4,
  LNK_ACTION_STREAM = 5,
  LNK_ACTION_END = 6,
  LNK_ACTION_DENY = 7,
  LNK_ACTION_ASK = 8,
  LNK_ACTION_TOOL_START = 9,
  LNK_ACTION_TOOL_SEND = 10,
  LNK_ACTION_TOOL_STOP = 11,
  LNK_ACTION_TOOL_PAUSE = 12,
  LNK_ACTION_TOOL_RESUME = 13,
  LNK_ACTION_OPEN_PAGE = 14,
  LNK_ACTION_LISTEN_ONCE = 15,
  LNK_ACTION_CALL_INSIDE = 16,
  LNK_ACTION_WAKE = 17,
  LNK_ACTION_LOG = 18
};

enum { LNK_SEE_REPLY = 1 };

/* RELAY: the request goes on with its body streaming past the module. FORWARD: with a body of the module's own. */
typedef struct lnk_action_relay {
  uint32_t size;
  uint32_t flags;
  lnk_str host; /* one that was declared */
  uint16_t port;
  uint16_t tls;
  uint32_t edit_count;
  lnk_str method;
  lnk_value target; /* origin-form */
  const lnk_field_edit *edits;
  lnk_bytes body; /* FORWARD only */
} lnk_action_relay;

typedef struct lnk_action_need_body {
  uint32_t size;
  uint32_t reserved;
  uint64_t bytes_max; /* at most what was declared */
} lnk_action_need_body;

/* ANSWER: whole. With `streams` 1 it is the head of a reply whose pieces follow as STREAM, and END ends it. */
typedef struct lnk_action_answer {
  uint32_t size;
  uint32_t status;
  uint32_t streams;
  uint32_t field_count;
  const lnk_field *fields;
  lnk_bytes body;
} lnk_action_answer;

typedef struct lnk_action_stream {
  uint32_t size;
  uint32_t reserved;
  lnk_bytes bytes; /* sent at once; of TOOL_SEND: one line without its end */
} lnk_action_stream;

/* DENY: `reason` is a word of the wire's table ("path-refused"), sent as Link-Refused; `words` is the body's one line. */
typedef struct lnk_action_deny {
  uint32_t size;
  uint32_t status;
  lnk_str reason;
  lnk_str words;
} lnk_action_deny;

typedef struct lnk_action_ask {
  uint32_t size;
  uint32_t line_count;
  lnk_str title;
  const lnk_str *lines; /* plain text; the host escapes and cuts what it shows */
} lnk_action_ask;

/* TOOL_START (name), OPEN_PAGE (URL), LOG (reason). */
typedef struct lnk_action_text {
  uint32_t size;
  uint32_t reserved;
  lnk_str text;
} lnk_action_text;

/* LISTEN_ONCE: open until END with `call` 0 and its id as the subject, or until its seconds are over; or until its call is gone
 * where no page of that call was opened. */
typedef struct lnk_action_listen {
  uint32_t size;
  uint32_t port;
  uint32_t seconds;
  uint32_t reserved;
  lnk_str path; /* the one path that is passed in */
} lnk_action_listen;

typedef struct lnk_action_call_inside {
  uint32_t size;
  uint32_t port;
  lnk_str method;
  lnk_str target;
  lnk_str host;
  lnk_str content_type;
  lnk_bytes body;
} lnk_action_call_inside;

typedef struct lnk_action_wake {
  uint32_t size;
  uint32_t reserved;
  uint64_t after_ms;
} lnk_action_wake;

typedef struct lnk_action {
  uint32_t size;
  uint32_t kind;
  lnk_id call;      /* 0: of no call */
  lnk_id subject;   /* the tool to send to or stop, the callback to answer, the port to close; 0: none */
  const void *data; /* the kind's own struct; NULL for END, TOOL_STOP, TOOL_PAUSE and TOOL_RESUME */
} lnk_action;

typedef struct lnk_action_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  /* [loop] Only while the `event` call lasts that was given this sink. `made` (may be NULL) takes the id of what the
   * action starts. LNK_E_DENIED: the snapshot does not grant it, and the call is refused. LNK_E_GONE: a stale id. */
  lnk_status (*emit)(void *context, const lnk_action *, lnk_id *made) LNK_NOEXCEPT;
} lnk_action_sink;

/* ---- the table ---------------------------------------------------------------------------------------------------- */

typedef struct lnk_verb {
  lnk_iface head;
  /* [loop] Once, after create: the routes, upstreams and limits. */
  lnk_status (*declare)(lnk_instance *, const lnk_declare_sink *, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Never waits. */
  lnk_status (*event)(lnk_instance *, const lnk_event *, const lnk_action_sink *, lnk_error *) LNK_NOEXCEPT;
} lnk_verb;

LNK_END_C

#endif
