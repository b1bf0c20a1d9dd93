// SPDX-License-Identifier: Apache-2.0
#include "launch/wall.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lnk/cpp/view.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"

namespace lnk::host {
namespace {

lnk_str str_of(std::string_view text) { return {text.data(), text.size()}; }

lnk_error empty_error() {
  lnk_error error{};
  error.size = sizeof(error);
  return error;
}

Error error_of(const lnk_error& error, lnk_status status) {
  std::string text(error.text, std::min<std::size_t>(error.text_size, sizeof(error.text)));
  if (text.empty()) text = "the OS module failed and gave no reason";
  return {static_cast<Code>(status), std::move(text), error.os_errno, error.step};
}

template <class Table>
Result<const Table*> table_of(const Instance& instance, std::string_view id, std::uint32_t major) {
  const auto* table = instance.query<Table>(id, major);
  if (table == nullptr) return fail(Code::Unsupported, "the OS module has no " + std::string(id) + "/" + std::to_string(major));
  return table;
}

lnk_status append_text(void* context, lnk_str piece) noexcept {
  static_cast<std::string*>(context)->append(piece.data, piece.size);
  return LNK_OK;
}

lnk_status append_step(void* context, const lnk_step* step) noexcept {
  static_cast<std::vector<Step>*>(context)->push_back(
      {step->number, {step->kind.data, step->kind.size}, {step->words.data, step->words.size}});
  return LNK_OK;
}

lnk_status append_holding(void* context, const lnk_holding* holding) noexcept {
  static_cast<std::vector<Holding>*>(context)->push_back(
      {holding->state, {holding->grant.data, holding->grant.size}, {holding->words.data, holding->words.size}});
  return LNK_OK;
}

lnk_status append_program(void* context, const lnk_program_report* report) noexcept {
  static_cast<std::vector<SeenProgram>*>(context)->push_back(
      {{report->path.data, report->path.size}, {report->parent.data, report->parent.size}, report->allowed != 0});
  return LNK_OK;
}

std::vector<lnk_str> views_of(const std::vector<std::string>& texts) {
  std::vector<lnk_str> views;
  views.reserve(texts.size());
  for (const auto& text : texts) views.push_back(str_of(text));
  return views;
}

}  // namespace

Result<WallBuilder> WallBuilder::of(const Instance& instance) {
  WallBuilder builder{instance.get(), nullptr, nullptr, instance.query<lnk_remount>(LNK_REMOUNT_ID, LNK_REMOUNT_MAJOR),
                      instance.query<lnk_exec_namer>(LNK_EXEC_NAMER_ID, LNK_EXEC_NAMER_MAJOR)};
  LNK_TRY(builder.confiner, table_of<lnk_confiner>(instance, LNK_CONFINER_ID, LNK_CONFINER_MAJOR));
  LNK_TRY(builder.doorway, table_of<lnk_doorway>(instance, LNK_DOORWAY_ID, LNK_DOORWAY_MAJOR));
  return builder;
}

Result<std::string> WallBuilder::survey() const {
  std::string text;
  const lnk_text_sink sink{sizeof(sink), 0, &text, append_text};
  auto error = empty_error();
  const lnk_status status = confiner->survey(instance, &sink, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return text;
}

Result<WallPlan> WallPlan::make(const WallBuilder& builder, std::string_view snapshot_json, std::string_view survey_json) {
  lnk_id id = 0;
  auto error = empty_error();
  const lnk_status status =
      builder.confiner->plan(builder.instance, str_of(snapshot_json), str_of(survey_json), &id, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return WallPlan(builder, id);
}

WallPlan::WallPlan(WallPlan&& other) noexcept : builder_(other.builder_), id_(std::exchange(other.id_, 0)) {}

WallPlan::~WallPlan() {
  if (id_ != 0) builder_.confiner->release_plan(builder_.instance, id_);
}

Result<std::vector<Step>> WallPlan::steps() const {
  std::vector<Step> steps;
  const lnk_step_sink sink{sizeof(sink), 0, &steps, append_step};
  auto error = empty_error();
  const lnk_status status = builder_.confiner->describe(builder_.instance, id_, &sink, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return steps;
}

Result<std::vector<Holding>> WallPlan::holdings() const {
  std::vector<Holding> holdings;
  const lnk_holding_sink sink{sizeof(sink), 0, &holdings, append_holding};
  auto error = empty_error();
  const lnk_status status = builder_.confiner->holdings(builder_.instance, id_, &sink, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return holdings;
}

Result<Wall> Wall::launch(const WallBuilder& builder, const WallPlan& plan, const Start& start) {
  const auto argv = views_of(start.argv);
  const auto env = views_of(start.env);
  lnk_launch launch{};
  launch.size = sizeof(launch);
  launch.argv = argv.data();
  launch.argc = static_cast<std::uint32_t>(argv.size());
  launch.env = env.data();
  launch.envc = static_cast<std::uint32_t>(env.size());
  for (std::size_t i = 0; i < std::size(start.stdio); ++i) launch.stdio[i] = start.stdio[i];
  launch.cwd = str_of(start.cwd);
  launch.terminal = start.terminal;
  launch.watch = start.watch;
  if (start.terminal != 0 && !(LNK_HAS(builder.confiner, stopped) && LNK_HAS(builder.confiner, resume)))
    return fail(Code::Unsupported, "this OS module makes no terminals; give the program pipes");
  lnk_child child{};
  child.size = sizeof(child);
  auto error = empty_error();
  const lnk_status status = builder.confiner->launch(builder.instance, plan.id(), &launch, &child, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return Wall(builder, child.id, child.pid);
}

Wall::Wall(Wall&& other) noexcept
    : builder_(other.builder_),
      id_(std::exchange(other.id_, 0)),
      doorway_(std::exchange(other.doorway_, 0)),
      namer_(std::exchange(other.namer_, 0)),
      pid_(std::exchange(other.pid_, -1)) {}

void Wall::let_go_of_child() noexcept {
  if (namer_ != 0) builder_.namer->stop(builder_.instance, std::exchange(namer_, 0));
  if (doorway_ != 0) builder_.doorway->close(builder_.instance, std::exchange(doorway_, 0));
  if (id_ != 0) builder_.confiner->release_child(builder_.instance, std::exchange(id_, 0));
}

Wall::~Wall() {
  // Killed at once it could not end what it started.
  if (id_ != 0 && pid_ > 0 && end()) return;
  let_go_of_child();
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  if (const auto ended = wait(); !ended) return;  // it was reaped already
}

Result<UniqueFd> Wall::listen_inside(const InsideIp& ip, std::uint16_t port, std::uint32_t kind) {
  return socket_inside(builder_.doorway->listen_inside, ip, port, kind);
}

Result<UniqueFd> Wall::connect_inside(std::uint16_t port) {
  constexpr std::array<std::uint8_t, 4> kIpv4 = {127, 0, 0, 1};
  constexpr std::array<std::uint8_t, 16> kIpv6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  auto stream = socket_inside(builder_.doorway->connect_inside, kIpv4, port, LNK_SOCKET_STREAM);
  // What listens at localhost may do so at either.
  if (stream || stream.error().os_errno != ECONNREFUSED) return stream;
  return socket_inside(builder_.doorway->connect_inside, kIpv6, port, LNK_SOCKET_STREAM);
}

Result<UniqueFd> Wall::socket_inside(MakeSocket make, std::span<const std::uint8_t> ip, std::uint16_t port, std::uint32_t kind) {
  auto error = empty_error();
  auto* instance = builder_.instance;
  if (doorway_ == 0)
    if (const lnk_status status = builder_.doorway->open(instance, id_, &doorway_, &error); status != LNK_OK)
      return fail(error_of(error, status));
  lnk_inside_address address{};
  address.size = sizeof(address);
  address.kind = kind;
  std::copy(ip.begin(), ip.end(), address.ip);
  address.ip_size = static_cast<std::uint32_t>(ip.size());
  address.port = port;
  std::int32_t fd = -1;
  const lnk_status status = make(instance, doorway_, &address, &fd, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return UniqueFd(fd);
}

Result<Target> Wall::stand() {
  lnk_target target{};
  target.size = sizeof(target);
  target.terminal = target.events = -1;
  auto error = empty_error();
  const lnk_status status = builder_.confiner->stand(builder_.instance, id_, &target, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return Target{target.pid, UniqueFd(target.pidfd), UniqueFd(target.terminal), target.events};
}

std::uint32_t Wall::go(Error& error) {
  std::uint32_t outcome = 0;
  auto raw = empty_error();
  const lnk_status status = builder_.confiner->go(builder_.instance, id_, &outcome, &raw);
  if (status == LNK_OK && outcome == LNK_TARGET_RUNS) return outcome;
  error = error_of(raw, status == LNK_OK ? LNK_E_INTERNAL : status);
  return status == LNK_OK ? outcome : static_cast<std::uint32_t>(LNK_TARGET_NOT_STARTED);
}

Status Wall::cover(std::string_view path, std::uint64_t device, std::uint64_t inode) {
  if (builder_.remount == nullptr) return fail(Code::Unsupported, "the OS module can't hold a name again");
  const lnk_replaced replaced{sizeof(replaced), 0, str_of(path), device, inode};
  auto error = empty_error();
  const lnk_status status = builder_.remount->cover(builder_.instance, id_, &replaced, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return {};
}

Result<int> Wall::stopped() {
  std::uint32_t signal = 0;
  auto error = empty_error();
  const lnk_status status = builder_.confiner->stopped(builder_.instance, id_, &signal, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return static_cast<int>(signal);
}

Status Wall::resume(bool in_front) {
  auto error = empty_error();
  const lnk_status status = builder_.confiner->resume(builder_.instance, id_, in_front ? 1 : 0, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return {};
}

Result<int> Wall::name_programs() {
  if (builder_.namer == nullptr) return fail(Code::Unsupported, "this OS module names no programs");
  std::int32_t readable = -1;
  auto error = empty_error();
  const lnk_status status = builder_.namer->start(builder_.instance, id_, &readable, &namer_, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return readable;
}

Status Wall::take_programs(std::vector<SeenProgram>& into) {
  if (namer_ == 0) return {};
  const lnk_program_sink sink{sizeof(sink), 0, &into, append_program};
  auto error = empty_error();
  const lnk_status status = builder_.namer->reports(builder_.instance, namer_, &sink, &error);
  if (status != LNK_OK) return fail(error_of(error, status));
  return {};
}

Result<int> Wall::wait() {
  siginfo_t ended{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED) != 0)
    if (errno != EINTR) return fail(Code::Gone, std::string("wait for the sandbox: ") + std::strerror(errno), errno);
  pid_ = -1;
  return ended.si_code == CLD_EXITED ? ended.si_status : 128 + ended.si_status;
}

Result<int> Wall::end() {
  let_go_of_child();
  LNK_TRY(const auto ended, posix::open_pidfd(pid_));
  pollfd one{ended.get(), POLLIN, 0};
  if (posix::retry([&] { return ::poll(&one, 1, static_cast<int>(kEndWait.count())); }) <= 0)
    return fail(Code::Timeout, "the sandbox did not end within 5 s");
  return wait();
}

}  // namespace lnk::host
