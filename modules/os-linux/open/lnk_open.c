/* SPDX-License-Identifier: Apache-2.0
 *
 * lnk-open URL: what $BROWSER names inside. Asks the wire to have a page opened outside, and waits until it is or is
 * refused.
 *
 * It has no rights of its own: any program inside can send the same request. Programs give a browser options and
 * placeholders too, so the first argument that is a URL counts and the others are passed over. Exit code: 0 opened, 1
 * refused or not to be had, 2 wrong use. What a refusal says goes to the standard error, as plain ASCII.
 */
#include "freestanding/start.h"

enum {
  STANDARD_ERROR = 2,
  FAMILY_IPV4 = 2,
  TYPE_STREAM = 1,
  CLOSE_ON_EXEC = 02000000,
  WITHOUT_SIGPIPE = 0x4000,
  URL_BYTES_MAX = 16384, /* the verb refuses a longer one */
  SECRET_BYTES_MAX = 256,
  HEAD_BYTES_MAX = SECRET_BYTES_MAX + 256,
  REPLY_BYTES_MAX = 16384, /* a refusal is a head and one line */
  OPENED = 0,
  REFUSED = 1,
  WRONG_USE = 2
};

struct ipv4_address { /* linux/in.h */
  uint16_t family;
  uint16_t port; /* in the network's order */
  uint32_t address;
  char padding[8];
};

static char head[HEAD_BYTES_MAX + 1];
static char reply[REPLY_BYTES_MAX + 1];

static void say(const char* text, size_t size) {
  while (size > 0) {
    const long written = syscall3(__NR_write, STANDARD_ERROR, (long)text, (long)size);
    if (written == -E_INTR) continue;
    if (written <= 0) return;
    text += written;
    size -= (size_t)written;
  }
}

static int fail(int code, const char* words) {
  say("lnk-open: ", 10);
  say(words, text_size(words));
  say("\n", 1);
  return code;
}

/* What follows `start` in the text; NULL: it doesn't begin so. In any case of its letters. */
static const char* behind(const char* text, const char* start) {
  for (; *start != '\0'; ++start, ++text) {
    const char c = *text >= 'A' && *text <= 'Z' ? (char)(*text + ('a' - 'A')) : *text;
    if (c != *start) return NULL;
  }
  return text;
}

static const char* find_url(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (behind(argv[i], "http://") != NULL || behind(argv[i], "https://") != NULL) return argv[i];
  return NULL;
}

static const char* variable(char** env, const char* name_and_equals) {
  for (; *env != NULL; ++env) {
    const char* at = *env;
    const char* name = name_and_equals;
    while (*name != '\0' && *at == *name) {
      ++at;
      ++name;
    }
    if (*name == '\0') return at;
  }
  return NULL;
}

/* The port of the wire's address; -1: it isn't one that the wire has. */
static int wire_port(const char* address) {
  const char* digits = address == NULL ? NULL : behind(address, "http://127.0.0.1:");
  const int port = digits == NULL ? -1 : parse_number(digits);
  return port < 1 || port > 65535 ? -1 : port;
}

/* The secret stands in a path: letters, digits, '-' and '_'. */
static int is_secret(const char* text) {
  size_t size = 0;
  for (; text != NULL && text[size] != '\0'; ++size) {
    const char c = text[size];
    const int fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!fits || size == SECRET_BYTES_MAX) return 0;
  }
  return size > 0;
}

static size_t add(size_t at, const char* text) {
  const size_t size = text_size(text);
  if (at + size > HEAD_BYTES_MAX) leave(fail(WRONG_USE, "the request is too long"));
  copy_bytes(head + at, text, size);
  return at + size;
}

static size_t write_head(int port, const char* secret, size_t url_size) {
  char number[12];
  size_t at = add(0, "POST /_link/s/");
  at = add(at, secret);
  at = add(at, "/open HTTP/1.1\r\nHost: 127.0.0.1:");
  (void)write_number(number, port);
  at = add(at, number);
  at = add(at, "\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: ");
  (void)write_number(number, (int)url_size);
  at = add(at, number);
  return add(at, "\r\n\r\n");
}

static long connect_to_wire(int port) {
  const long fd = syscall3(__NR_socket, FAMILY_IPV4, TYPE_STREAM | CLOSE_ON_EXEC, 0);
  if (fd < 0) return fd;
  struct ipv4_address address = {FAMILY_IPV4, 0, 0, {0}};
  const unsigned char bytes[6] = {(unsigned char)(port >> 8), (unsigned char)port, 127, 0, 0, 1};
  copy_bytes(&address.port, bytes, 2);
  copy_bytes(&address.address, bytes + 2, 4);
  const long connected = syscall3(__NR_connect, fd, (long)&address, sizeof address);
  return connected < 0 ? connected : fd;
}

static int send_all(long fd, const char* bytes, size_t size) {
  while (size > 0) {
    const long sent = syscall6(__NR_sendto, fd, (long)bytes, (long)size, WITHOUT_SIGPIPE, 0, 0);
    if (sent == -E_INTR) continue;
    if (sent <= 0) return 0;
    bytes += sent;
    size -= (size_t)sent;
  }
  return 1;
}

/* Until the wire closes, or the room is full. */
static size_t read_reply(long fd) {
  size_t size = 0;
  while (size < REPLY_BYTES_MAX) {
    const long got = syscall3(__NR_read, fd, (long)(reply + size), (long)(REPLY_BYTES_MAX - size));
    if (got == -E_INTR) continue;
    if (got <= 0) break;
    size += (size_t)got;
  }
  reply[size] = '\0';
  return size;
}

/* A terminal gets one line of what the reply says, in plain ASCII. */
static void say_body(char* text, size_t size) {
  for (size_t at = 0; at + 4 <= size; ++at) {
    if (behind(text + at, "\r\n\r\n") == NULL) continue;
    char* body = text + at + 4;
    size_t length = 0;
    for (; body[length] != '\0' && body[length] != '\n' && body[length] != '\r'; ++length)
      if (body[length] < ' ' || body[length] > '~') body[length] = '?';
    body[length] = '\0';
    if (length != 0) (void)fail(REFUSED, body);
    return;
  }
}

int program_main(int argc, char** argv) {
  char** env = argv + argc + 1;
  const char* url = find_url(argc, argv);
  if (url == NULL) return fail(WRONG_USE, "usage: lnk-open URL; a page's URL begins with http:// or https://");
  const size_t url_size = text_size(url);
  if (url_size > URL_BYTES_MAX) return fail(REFUSED, "a URL of more than 16 KiB, which nobody can read whole");
  const int port = wire_port(variable(env, "LNK_WIRE="));
  const char* secret = variable(env, "LNK_SECRET=");
  if (port < 0 || !is_secret(secret))
    return fail(WRONG_USE, "LNK_WIRE and LNK_SECRET aren't there; it works inside a sandbox alone");
  const size_t head_size = write_head(port, secret, url_size);
  const long fd = connect_to_wire(port);
  if (fd < 0) return fail(REFUSED, "the sandbox's wire takes no connection");
  /* Where that fails the wire may have refused it by its head: what it said is read all the same. */
  if (send_all(fd, head, head_size)) (void)send_all(fd, url, url_size);
  const size_t size = read_reply(fd);
  if (size == 0) return fail(REFUSED, "the sandbox's wire closed without an answer; the page was not opened");
  if (behind(reply, "http/1.1 200 ") != NULL) return OPENED;
  say_body(reply, size);
  return REFUSED;
}
