// SPDX-License-Identifier: Apache-2.0
#include "runtimes.hpp"

#include <algorithm>
#include <array>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_local {
namespace {

// ---- Ollama ----
// Left out though they are inference: transcriptions, whose body is a form and could not be read.
constexpr auto kOllamaInference = std::to_array<Endpoint>({{"POST", "api/chat"},
                                                           {"POST", "api/generate"},
                                                           {"POST", "api/embed"},
                                                           {"POST", "api/embeddings"},
                                                           {"POST", "v1/chat/completions"},
                                                           {"POST", "v1/completions"},
                                                           {"POST", "v1/embeddings"},
                                                           {"POST", "v1/responses"},
                                                           {"POST", "v1/messages"}});
constexpr auto kOllamaReads = std::to_array<Endpoint>({{"GET", ""},
                                                       {"HEAD", ""},
                                                       {"GET", "api/version"},
                                                       {"HEAD", "api/version"},
                                                       {"GET", "api/tags"},
                                                       {"HEAD", "api/tags"},
                                                       {"GET", "api/ps"},
                                                       {"GET", "v1/models"},
                                                       {"GET", "v1/models/{model}"},
                                                       {"POST", "api/show"}});
constexpr auto kOllamaRefused = std::to_array<Endpoint>({{"*", "api/pull"},
                                                         {"*", "api/push"},
                                                         {"*", "api/create"},
                                                         {"*", "api/copy"},
                                                         {"*", "api/delete"},
                                                         {"*", "api/blobs*"},
                                                         {"*", "api/me"},
                                                         {"*", "api/signout"},
                                                         {"*", "api/user*"},
                                                         {"*", "api/experimental*"},
                                                         {"*", "api/status"}});

// ---- llama.cpp ----
// Left out: GET /props, which shows templates and settings; /v1/chat/completions/control.
constexpr auto kLlamaInference = std::to_array<Endpoint>({{"POST", "completion"},
                                                          {"POST", "completions"},
                                                          {"POST", "v1/completions"},
                                                          {"POST", "chat/completions"},
                                                          {"POST", "v1/chat/completions"},
                                                          {"POST", "responses"},
                                                          {"POST", "v1/responses"},
                                                          {"POST", "v1/messages"},
                                                          {"POST", "v1/messages/count_tokens"},
                                                          {"POST", "v1/chat/completions/input_tokens"},
                                                          {"POST", "v1/responses/input_tokens"},
                                                          {"POST", "embedding"},
                                                          {"POST", "embeddings"},
                                                          {"POST", "v1/embeddings"},
                                                          {"POST", "rerank"},
                                                          {"POST", "reranking"},
                                                          {"POST", "v1/rerank"},
                                                          {"POST", "v1/reranking"},
                                                          {"POST", "infill"},
                                                          {"POST", "tokenize"},
                                                          {"POST", "detokenize"},
                                                          {"POST", "apply-template"}});
constexpr auto kLlamaReads =
    std::to_array<Endpoint>({{"GET", "health"}, {"GET", "v1/health"}, {"GET", "models"}, {"GET", "v1/models"}});
constexpr auto kLlamaRefused = std::to_array<Endpoint>({{"*", "props"},
                                                        {"*", "slots*"},
                                                        {"*", "lora-adapters"},
                                                        {"POST", "models*"},
                                                        {"DELETE", "models*"},
                                                        {"*", "models/sse"},
                                                        {"*", "v1/chat/completions/control"},
                                                        {"*", "v1/stream*"},
                                                        {"*", "cors-proxy"},
                                                        {"*", "tools"},
                                                        {"*", "metrics"}});

// ---- LM Studio ----
constexpr auto kLmStudioInference = std::to_array<Endpoint>({{"POST", "v1/chat/completions"},
                                                             {"POST", "v1/completions"},
                                                             {"POST", "v1/embeddings"},
                                                             {"POST", "v1/messages"},
                                                             {"POST", "v1/responses"},
                                                             {"POST", "api/v0/chat/completions"},
                                                             {"POST", "api/v0/completions"},
                                                             {"POST", "api/v0/embeddings"}});
constexpr auto kLmStudioReads =
    std::to_array<Endpoint>({{"GET", "v1/models"}, {"GET", "api/v1/models"}, {"GET", "api/v0/models"}});
// api/v1/chat keeps state and runs the person's own MCP servers.
constexpr auto kLmStudioRefused = std::to_array<Endpoint>({{"*", "api/v1/chat"},
                                                           {"*", "api/v1/models/load"},
                                                           {"*", "api/v1/models/unload"},
                                                           {"*", "api/v1/models/download*"}});

// ---- vLLM ----
constexpr auto kVllmInference = std::to_array<Endpoint>({{"POST", "v1/chat/completions"},
                                                         {"POST", "v1/completions"},
                                                         {"POST", "v1/embeddings"},
                                                         {"POST", "v1/responses"},
                                                         {"POST", "v1/messages"},
                                                         {"POST", "v1/messages/count_tokens"},
                                                         {"POST", "v1/score"},
                                                         {"POST", "score"},
                                                         {"POST", "v1/rerank"},
                                                         {"POST", "v2/rerank"},
                                                         {"POST", "rerank"},
                                                         {"POST", "v2/embed"},
                                                         {"POST", "pooling"},
                                                         {"POST", "classify"},
                                                         {"POST", "tokenize"},
                                                         {"POST", "detokenize"}});
constexpr auto kVllmReads =
    std::to_array<Endpoint>({{"GET", "v1/models"}, {"GET", "health"}, {"GET", "ping"}, {"GET", "version"}});
constexpr auto kVllmRefused = std::to_array<Endpoint>({{"*", "v1/load_lora_adapter"},
                                                       {"*", "v1/unload_lora_adapter"},
                                                       {"*", "pause*"},
                                                       {"*", "resume*"},
                                                       {"*", "scale_elastic_ep"},
                                                       {"*", "is_scaling_elastic_ep"},
                                                       {"*", "init_weight_transfer_engine"},
                                                       {"*", "update_weights*"},
                                                       {"*", "abort_requests"},
                                                       {"*", "sleep"},
                                                       {"*", "wake_up"},
                                                       {"*", "is_sleeping"},
                                                       {"*", "collective_rpc"},
                                                       {"*", "reset_*"},
                                                       {"*", "server_info"},
                                                       {"*", "start_profile"},
                                                       {"*", "stop_profile"},
                                                       {"*", "tokenizer_info"},
                                                       {"*", "invocations"},
                                                       {"*", "inference*"},
                                                       {"*", "load"},
                                                       {"*", "metrics"}});

// ---- SGLang ----
constexpr auto kSglangInference = std::to_array<Endpoint>({{"POST", "v1/chat/completions"},
                                                           {"POST", "v1/completions"},
                                                           {"POST", "v1/embeddings"},
                                                           {"POST", "v1/score"},
                                                           {"POST", "v1/rerank"},
                                                           {"POST", "v1/classify"},
                                                           {"POST", "v1/responses"},
                                                           {"POST", "generate"},
                                                           {"POST", "encode"},
                                                           {"POST", "tokenize"},
                                                           {"POST", "detokenize"}});
constexpr auto kSglangReads = std::to_array<Endpoint>(
    {{"GET", "v1/models"}, {"GET", "health"}, {"GET", "get_model_info"}, {"GET", "model_info"}});
constexpr auto kSglangRefused =
    std::to_array<Endpoint>({{"*", "update_*"},           {"*", "init_weights_*"},      {"*", "destroy_weights_*"},
                             {"*", "send_weights_*"},     {"*", "get_weights_*"},       {"*", "release_memory_*"},
                             {"*", "resume_memory_*"},    {"*", "load_lora_adapter*"},  {"*", "unload_lora_adapter"},
                             {"*", "flush_cache"},        {"*", "start_profile"},       {"*", "stop_profile"},
                             {"*", "start_expert_*"},     {"*", "stop_expert_*"},       {"*", "dump_expert_*"},
                             {"*", "set_internal_state"}, {"*", "configure_logging"},   {"*", "abort_request"},
                             {"*", "pause_generation"},   {"*", "continue_generation"}, {"*", "slow_down"},
                             {"*", "open_session"},       {"*", "close_session"}});

// ---- Text Generation Inference ----
// Left out: POST /, a second name of /generate.
constexpr auto kTgiInference = std::to_array<Endpoint>({{"POST", "generate"},
                                                        {"POST", "generate_stream"},
                                                        {"POST", "v1/chat/completions"},
                                                        {"POST", "v1/completions"},
                                                        {"POST", "chat_tokenize"},
                                                        {"POST", "tokenize"}});
constexpr auto kTgiReads = std::to_array<Endpoint>({{"GET", "info"}, {"GET", "health"}, {"GET", "v1/models"}});
constexpr auto kTgiRefused = std::to_array<Endpoint>({{"*", "metrics"}, {"*", "invocations"}, {"*", "vertex"}});

// ---- LocalAI ----
constexpr auto kLocalAiInference = std::to_array<Endpoint>({{"POST", "v1/chat/completions"},
                                                            {"POST", "chat/completions"},
                                                            {"POST", "v1/completions"},
                                                            {"POST", "completions"},
                                                            {"POST", "v1/embeddings"},
                                                            {"POST", "embeddings"},
                                                            {"POST", "v1/edits"},
                                                            {"POST", "edits"},
                                                            {"POST", "v1/moderations"},
                                                            {"POST", "moderations"},
                                                            {"POST", "v1/messages"},
                                                            {"POST", "v1/rerank"}});
constexpr auto kLocalAiReads = std::to_array<Endpoint>(
    {{"GET", "v1/models"}, {"GET", "models"}, {"GET", "version"}, {"GET", "readyz"}, {"GET", "healthz"}});
// Of /api what is its own; the rest there is named as Ollama's.
constexpr auto kLocalAiRefused = std::to_array<Endpoint>(
    {{"*", "models/*"},   {"*", "backends*"},   {"*", "backend/*"},    {"*", "v1/backend/*"},    {"*", "stores/*"},
     {"*", "metrics"},    {"*", "v1/mcp*"},     {"*", "mcp*"},         {"*", "v1/realtime*"},    {"*", "ws/*"},
     {"*", "api/p2p*"},   {"*", "api/models*"}, {"*", "api/backend*"}, {"*", "api/operations*"}, {"*", "api/settings*"},
     {"*", "api/agent*"}, {"*", "api/traces*"}, {"*", "v1/face*"},     {"*", "v1/voice*"},       {"*", "tts"},
     {"*", "video"},      {"*", "images*"},     {"*", "v1/images*"}});

// ---- Jan ----
constexpr auto kJanInference =
    std::to_array<Endpoint>({{"POST", "v1/chat/completions"}, {"POST", "v1/completions"}, {"POST", "v1/embeddings"}});
constexpr auto kJanReads = std::to_array<Endpoint>({{"GET", "v1/models"}});
constexpr auto kJanRefused = std::to_array<Endpoint>({{"POST", "v1/models*"},
                                                      {"PUT", "v1/models*"},
                                                      {"PATCH", "v1/models*"},
                                                      {"DELETE", "v1/models*"},
                                                      {"*", "v1/engines*"}});

// ---- mlx_lm.server ----
constexpr auto kMlxInference = std::to_array<Endpoint>(
    {{"POST", "v1/chat/completions"}, {"POST", "chat/completions"}, {"POST", "v1/completions"}});
constexpr auto kMlxReads = std::to_array<Endpoint>({{"GET", "v1/models"}});

constexpr std::string_view kRead = "2026-11-29";
constexpr std::array<Runtime, 9> kRuntimes = {{
    {"Ollama", 11434, "ollama/ollama, server/routes.go, of 2026-08-21", kRead, kOllamaInference, kOllamaReads,
     kOllamaRefused},
    {"llama.cpp", 8080, "ggml-org/llama.cpp, tools/server/server.cpp", kRead, kLlamaInference, kLlamaReads,
     kLlamaRefused},
    {"LM Studio", 1234, "LM Studio's documentation of its API", kRead, kLmStudioInference, kLmStudioReads,
     kLmStudioRefused},
    {"vLLM", 8000, "vllm-project/vllm, docs/usage/security.md", kRead, kVllmInference, kVllmReads, kVllmRefused},
    {"SGLang", 30000, "sgl-project/sglang, http_server.py", kRead, kSglangInference, kSglangReads, kSglangRefused},
    {"TGI", 3000, "huggingface/text-generation-inference, its routes and validation.rs", kRead, kTgiInference,
     kTgiReads, kTgiRefused},
    {"LocalAI", 8080, "mudler/LocalAI, its routes", kRead, kLocalAiInference, kLocalAiReads, kLocalAiRefused},
    {"Jan", 1337, "Jan's documentation of its local API server", kRead, kJanInference, kJanReads, kJanRefused},
    {"mlx_lm", 8080, "ml-explore/mlx-lm, server.py", kRead, kMlxInference, kMlxReads, {}},
}};

constexpr std::string_view kModel = "{model}";

bool fits_passed(std::string_view pattern, std::string_view path) noexcept {
  if (!pattern.ends_with(kModel)) return path == pattern;
  // Dots that climb are no name's, also within a part.
  if (path.find("..") != std::string_view::npos) return false;
  pattern.remove_suffix(kModel.size());
  return path.size() > pattern.size() && path.starts_with(pattern) &&
         path.find('/', pattern.size()) == std::string_view::npos;
}

bool fits_refused(std::string_view pattern, std::string_view path) noexcept {
  if (!pattern.ends_with('*')) return same_folded(path, pattern);
  pattern.remove_suffix(1);
  return path.size() >= pattern.size() && same_folded(path.substr(0, pattern.size()), pattern);
}

bool has(std::span<const Endpoint> endpoints, std::string_view method, std::string_view path) noexcept {
  return std::any_of(endpoints.begin(), endpoints.end(),
                     [&](const Endpoint& one) { return one.method == method && fits_passed(one.path, path); });
}

}  // namespace

std::span<const Runtime> runtimes() noexcept { return kRuntimes; }

bool is_refused(std::string_view method, std::string_view path) noexcept {
  const auto is_it = [&](const Endpoint& one) {
    return (one.method == "*" || same_folded(one.method, method)) && fits_refused(one.path, path);
  };
  return std::any_of(kRuntimes.begin(), kRuntimes.end(), [&](const Runtime& runtime) {
    return std::any_of(runtime.refused.begin(), runtime.refused.end(), is_it);
  });
}

Use use_of(std::string_view method, std::string_view path) noexcept {
  if (is_refused(method, path)) return Use::None;
  for (const Runtime& runtime : kRuntimes) {
    if (has(runtime.inference, method, path)) return Use::Inference;
    if (has(runtime.reads, method, path)) return Use::Read;
  }
  return Use::None;
}

}  // namespace lnk::verb_local
