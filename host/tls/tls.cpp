// SPDX-License-Identifier: Apache-2.0
#include "tls.h"

#include <memory>
#include <string>
#include <utility>

#include "connection.hpp"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "trust.hpp"

using lnk::Code;
using lnk::Status;
using lnk::host::tls::Connection;

struct lnk_tls_trust {
  std::unique_ptr<lnk::host::tls::Trust> trust;
};
struct lnk_tls {
  std::unique_ptr<Connection> connection;
};

namespace {

lnk_status load_trust(lnk_tls_trust** out, lnk_error* error) noexcept {
  return lnk::barrier(error, [&]() -> Status {
    LNK_TRY(auto loaded, lnk::host::tls::Trust::read_machines());
    *out = new lnk_tls_trust{std::move(loaded)};
    return {};
  });
}

void drop_trust(lnk_tls_trust* trust) noexcept { delete trust; }

lnk_status open(lnk_tls_trust* trust, lnk_str host, lnk_tls** out, lnk_error* error) noexcept {
  return lnk::barrier(error, [&]() -> Status {
    LNK_TRY(SSL_CTX* const context, trust->trust->context());
    LNK_TRY(auto connection, Connection::open(context, std::string(lnk::view(host))));
    *out = new lnk_tls{std::move(connection)};
    return {};
  });
}

void drop(lnk_tls* tls) noexcept { delete tls; }

lnk_status feed(lnk_tls* tls, lnk_bytes bytes) noexcept {
  return tls->connection->feed(lnk::view(bytes)) ? LNK_OK : LNK_E_LIMIT;
}

void feed_end(lnk_tls* tls) noexcept { tls->connection->feed_end(); }

lnk_bytes outgoing(lnk_tls* tls) noexcept { return lnk::to_bytes(tls->connection->outgoing()); }

void sent(lnk_tls* tls, size_t bytes) noexcept { tls->connection->sent(bytes); }

lnk_status handshake(lnk_tls* tls, lnk_error* error) noexcept {
  return lnk::barrier(error, [&] { return tls->connection->handshake(); });
}

lnk_status read(lnk_tls* tls, uint8_t* into, size_t room, size_t* got, lnk_error* error) noexcept {
  return lnk::barrier(error, [&]() -> Status {
    LNK_TRY(*got, tls->connection->read({into, room}));
    return {};
  });
}

lnk_status write(lnk_tls* tls, lnk_bytes bytes, lnk_error* error) noexcept {
  return lnk::barrier(error, [&] { return tls->connection->write(lnk::view(bytes)); });
}

lnk_status finish(lnk_tls* tls) noexcept {
  tls->connection->finish();
  return LNK_OK;
}

}  // namespace

constinit const lnk_tls_v1 lnk_tls_table_v1{sizeof(lnk_tls_v1), 0,        load_trust, drop_trust, open, drop,  feed,
                                            feed_end,           outgoing, sent,       handshake,  read, write, finish};
