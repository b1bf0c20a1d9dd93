// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/tool_stream.hpp"

#include <array>
#include <utility>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

/// What is read at a time; a frame of its own while it waits.
constexpr std::size_t kReadBytes = 16 * 1024;
/// What a tool that could not be heard to its end is told to have ended with: 128 + KILL.
constexpr int kUnheardCode = 137;
/// Of a tool that closed its output: its end, which the front brings about, is not waited for longer.
constexpr std::int64_t kEndMs = 15'000;

}  // namespace

ToolStream::ToolStream(const Parts& parts, lnk_id id)
    : parts_(parts), id_(id), broker_id_(parts.broker.next_id()), wants_(parts.loop), goes_on_(parts.loop), ended_(parts.loop) {}

Task<void> ToolStream::run(std::shared_ptr<ToolStream> tool, lnk_id call, std::string name) {
  Parts& parts = tool->parts_;
  tool->starter_ = call;
  parts.broker.on_tool_exit(tool->broker_id_, [tool](int code) {
    tool->code_ = code;
    tool->ended_.raise();
  });
  co_await Turn(parts.loop);  // what comes of it is told in no case before the module has its id
  auto fd = co_await parts.broker.start_tool(tool->broker_id_, parts.verb.id(), name);
  tool->starter_ = 0;
  if (!fd) {
    parts.broker.forget_tool(tool->broker_id_);
    tool->is_over_ = true;
    // One whose start came too late for its answer to be waited for.
    if (fd.error().code == Code::Timeout) parts.broker.stop_tool(tool->broker_id_, parts.verb.id());
    if (!tool->is_orphan_) parts.told(parts.verb.tool_started(call, tool->id_, static_cast<lnk_status>(fd.error().code)));
    co_return;
  }
  tool->stream_ = make_plain_stream(parts.loop, std::move(*fd));
  spawn(write(tool));
  if (tool->is_orphan_) {
    tool->stop();
  } else {
    parts.told(parts.verb.tool_started(call, tool->id_, LNK_OK));
  }
  co_await tool->read();
  // It says nothing more; one that goes on all the same is ended.
  tool->stop();
  struct Alarm final : Cancellable {
    explicit Alarm(Signal& raised) noexcept : signal(raised) {}
    void cancel() noexcept override { signal.raise(); }
    Signal& signal;
  } alarm(tool->ended_);
  Deadline deadline(parts.loop, &alarm);
  deadline.set(kEndMs);
  co_await tool->ended_;
  deadline.clear();
  parts.broker.forget_tool(tool->broker_id_);
  tool->is_over_ = true;
  tool->stream_->cancel();
  tool->wants_.ring();
  if (!tool->is_orphan_) parts.told(parts.verb.tool_exit(tool->id_, tool->code_.value_or(kUnheardCode)));
}

Result<bool> ToolStream::send(std::string_view line) {
  if (is_over_ || is_stopped_ || stream_ == nullptr) return fail(Code::Gone, "a line to a tool that doesn't run");
  if (line.size() + 1 > kToolSendBytesMax - unsent_.size()) return fail(Code::Limit, "TOOL_SEND goes on though it was told to wait");
  unsent_.append(line);
  unsent_ += '\n';
  if (unsent_.size() > kToolMarkBytes) is_full_ = true;
  wants_.ring();
  return is_full_;
}

void ToolStream::stop() {
  if (std::exchange(is_stopped_, true)) return;
  unsent_.clear();
  parts_.broker.stop_tool(broker_id_, parts_.verb.id());
  pause(false);  // what it says yet is heard, so that it can end
  wants_.ring();
}

void ToolStream::pause(bool is_paused) {
  is_paused_ = is_paused;
  if (!is_paused) goes_on_.ring();
}

void ToolStream::orphan(lnk_id call) noexcept {
  if (call != 0 && starter_ == call) is_orphan_ = true;
}

Task<void> ToolStream::write(std::shared_ptr<ToolStream> tool) {
  for (;;) {
    if (tool->is_over_) co_return;
    if (tool->is_stopped_) {
      static_cast<void>(co_await tool->stream_->shutdown_write());
      co_return;
    }
    if (tool->unsent_.empty()) {
      co_await tool->wants_;
      continue;
    }
    const std::string bytes = std::exchange(tool->unsent_, {});
    // A tool that reads no more is seen by its end.
    if (!co_await write_all(*tool->stream_, std::as_bytes(std::span(bytes.data(), bytes.size())))) co_return;
    if (tool->is_full_ && tool->unsent_.empty()) {
      tool->is_full_ = false;
      tool->parts_.told(tool->parts_.verb.tool_drained(tool->id_));
    }
  }
}

Task<void> ToolStream::read() {
  std::array<std::byte, kReadBytes> buffer;
  for (;;) {
    const auto got = co_await read_some(*stream_, buffer);
    if (!got || *got == 0) co_return;
    const bool goes_on = co_await tell_lines({reinterpret_cast<const char*>(buffer.data()), *got});
    if (!goes_on) co_return;
    co_await Turn(parts_.loop);
  }
}

/// False: nothing more of it is heard.
Task<bool> ToolStream::tell_lines(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    line_.append(bytes.substr(0, end));
    if (line_.size() > kToolLineBytesMax) {
      fault("said a line of more than 16 MiB, and was stopped");
      co_return false;
    }
    if (end == std::string_view::npos) co_return true;
    bytes.remove_prefix(end + 1);
    while (is_paused_) co_await goes_on_;
    const std::string line = std::exchange(line_, {});
    if (is_orphan_) continue;
    const auto told = parts_.verb.tool_line(id_, line);
    parts_.told(told);
    // Calls that wait for what this line said would wait for ever.
    if (!told) co_return false;
  }
  co_return true;
}

void ToolStream::fault(std::string_view words) { parts_.told(fail(Code::Limit, "a tool " + std::string(words))); }

}  // namespace lnk::host
