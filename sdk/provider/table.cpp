// SPDX-License-Identifier: Apache-2.0
//
// The table itself. A client's variables are those that its released package reads; where none of a provider's clients reads
// a base URL from a variable, NAME_BASE_URL is there for programs of one's own. None of the clients looks at a key's form.
#include <array>

#include "lnk/provider/provider.hpp"

namespace lnk::provider {
namespace {

template <class... T>
constexpr std::array<std::string_view, sizeof...(T)> names(T... all) {
  return {std::string_view(all)...};
}

template <class... T>
constexpr std::array<BaseVariable, sizeof...(T)> bases(T... all) {
  return {all...};
}

constexpr auto kAnthropicHosts = names("api.anthropic.com");
// The client appends /v1/messages itself.
constexpr auto kAnthropicBases = bases(BaseVariable{"ANTHROPIC_BASE_URL", ""});
constexpr auto kAnthropicKeys = names("ANTHROPIC_API_KEY");
constexpr auto kAnthropicOthers = names("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS");

constexpr auto kOpenaiHosts = names("api.openai.com");
// The second is older clients' and aider's name for it.
constexpr auto kOpenaiBases = bases(BaseVariable{"OPENAI_BASE_URL", "/v1"}, BaseVariable{"OPENAI_API_BASE", "/v1"});
constexpr auto kOpenaiKeys = names("OPENAI_API_KEY");

constexpr auto kGeminiHosts = names("generativelanguage.googleapis.com");
constexpr auto kGeminiBases = bases(BaseVariable{"GOOGLE_GEMINI_BASE_URL", ""});
constexpr auto kGeminiKeys = names("GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY");
// Put before these, and Vertex's too.
constexpr auto kGeminiOthers = names("GOOGLE_API_KEY");

constexpr auto kMistralHosts = names("api.mistral.ai", "api.eu.mistral.ai", "api.us.mistral.ai");
constexpr auto kMistralBases = bases(BaseVariable{"MISTRAL_BASE_URL", ""});
constexpr auto kMistralKeys = names("MISTRAL_API_KEY");

constexpr auto kGroqHosts = names("api.groq.com");
// The client appends /openai/v1/… itself.
constexpr auto kGroqBases = bases(BaseVariable{"GROQ_BASE_URL", ""});
constexpr auto kGroqKeys = names("GROQ_API_KEY");

constexpr auto kXaiHosts = names("api.x.ai");
constexpr auto kXaiBases = bases(BaseVariable{"XAI_BASE_URL", "/v1"});
constexpr auto kXaiKeys = names("XAI_API_KEY");

constexpr auto kDeepseekHosts = names("api.deepseek.com");
constexpr auto kDeepseekBases = bases(BaseVariable{"DEEPSEEK_BASE_URL", ""});
constexpr auto kDeepseekKeys = names("DEEPSEEK_API_KEY");

constexpr auto kOpenrouterHosts = names("openrouter.ai");
constexpr auto kOpenrouterBases = bases(BaseVariable{"OPENROUTER_BASE_URL", "/api/v1"});
constexpr auto kOpenrouterKeys = names("OPENROUTER_API_KEY");

// The client's own default, and the name that others still use.
constexpr auto kTogetherHosts = names("api.together.ai", "api.together.xyz");
constexpr auto kTogetherBases = bases(BaseVariable{"TOGETHER_BASE_URL", "/v1"});
constexpr auto kTogetherKeys = names("TOGETHER_API_KEY", "TOGETHER_AI_API_KEY");

constexpr auto kFireworksHosts = names("api.fireworks.ai");
constexpr auto kFireworksBases = bases(BaseVariable{"FIREWORKS_BASE_URL", "/inference/v1"});
constexpr auto kFireworksKeys = names("FIREWORKS_API_KEY");

constexpr auto kCohereHosts = names("api.cohere.com", "api.cohere.ai");
constexpr auto kCohereBases = bases(BaseVariable{"COHERE_BASE_URL", ""}, BaseVariable{"CO_API_URL", ""});
constexpr auto kCohereKeys = names("COHERE_API_KEY", "CO_API_KEY");

constexpr auto kPerplexityHosts = names("api.perplexity.ai");
constexpr auto kPerplexityBases = bases(BaseVariable{"PERPLEXITY_BASE_URL", ""});
constexpr auto kPerplexityKeys = names("PERPLEXITY_API_KEY");

constexpr auto kAzureHosts =
    names("{resource}.openai.azure.com", "{resource}.services.ai.azure.com", "{resource}.cognitiveservices.azure.com");
// The clients append /openai and /v1/messages.
constexpr auto kAzureBases =
    bases(BaseVariable{"AZURE_OPENAI_ENDPOINT", ""}, BaseVariable{"ANTHROPIC_FOUNDRY_BASE_URL", "/anthropic"});
constexpr auto kAzureKeys = names("AZURE_OPENAI_API_KEY", "AZURE_API_KEY", "ANTHROPIC_FOUNDRY_API_KEY");

constexpr auto kBedrockHosts = names("bedrock-runtime.{region}.amazonaws.com");
constexpr auto kBedrockBases =
    bases(BaseVariable{"ANTHROPIC_BEDROCK_BASE_URL", ""}, BaseVariable{"AWS_ENDPOINT_URL_BEDROCK_RUNTIME", ""});
constexpr auto kBedrockKeys = names("AWS_BEARER_TOKEN_BEDROCK");
constexpr auto kBedrockSettings = names("AWS_REGION");

// `global` has no region in its host.
constexpr auto kVertexHosts =
    names("{region}-aiplatform.googleapis.com", "aiplatform.{region}.rep.googleapis.com", "aiplatform.googleapis.com");
constexpr auto kVertexBases =
    bases(BaseVariable{"GOOGLE_VERTEX_BASE_URL", ""}, BaseVariable{"ANTHROPIC_VERTEX_BASE_URL", "/v1"});
constexpr auto kVertexKeys = names("GOOGLE_VERTEX_API_KEY");
constexpr auto kVertexSettings = names("CLOUD_ML_REGION", "GOOGLE_CLOUD_LOCATION");

constexpr std::array kProviders = {
    Provider{"anthropic", HostPart::None, kAnthropicHosts, kAnthropicBases, kAnthropicKeys, {}, kAnthropicOthers, "2026-11-30",
             "@anthropic-ai/sdk 1.14.0, @ai-sdk/anthropic 3.0.140, code.claude.com/docs/en/llm-gateway"},
    Provider{"openai", HostPart::None, kOpenaiHosts, kOpenaiBases, kOpenaiKeys, {}, {}, "2026-11-30",
             "openai 6.49.0, @ai-sdk/openai 3.0.141, aider.chat/docs/llms/openai-compat.html"},
    Provider{"gemini", HostPart::None, kGeminiHosts, kGeminiBases, kGeminiKeys, {}, kGeminiOthers, "2026-11-30",
             "@google/genai 2.32.0, @google/gemini-cli 0.61.0, @ai-sdk/google 3.0.141"},
    Provider{"mistral", HostPart::None, kMistralHosts, kMistralBases, kMistralKeys, {}, {}, "2026-11-30",
             "@mistralai/mistralai 2.7.0, @ai-sdk/mistral 3.0.69"},
    Provider{"groq", HostPart::None, kGroqHosts, kGroqBases, kGroqKeys, {}, {}, "2026-11-30", "groq-sdk 1.6.0, @ai-sdk/groq 3.0.71"},
    Provider{"xai", HostPart::None, kXaiHosts, kXaiBases, kXaiKeys, {}, {}, "2026-11-30", "@ai-sdk/xai 3.0.138"},
    Provider{"deepseek", HostPart::None, kDeepseekHosts, kDeepseekBases, kDeepseekKeys, {}, {}, "2026-11-30",
             "@ai-sdk/deepseek 2.0.69, api-docs.deepseek.com"},
    Provider{"openrouter", HostPart::None, kOpenrouterHosts, kOpenrouterBases, kOpenrouterKeys, {}, {}, "2026-11-30",
             "@openrouter/sdk 1.3.19"},
    Provider{"together", HostPart::None, kTogetherHosts, kTogetherBases, kTogetherKeys, {}, {}, "2026-11-30",
             "together-ai 0.52.0, @ai-sdk/togetherai 2.0.84"},
    Provider{"fireworks", HostPart::None, kFireworksHosts, kFireworksBases, kFireworksKeys, {}, {}, "2026-11-30",
             "@ai-sdk/fireworks 2.0.90"},
    Provider{"cohere", HostPart::None, kCohereHosts, kCohereBases, kCohereKeys, {}, {}, "2026-11-30",
             "cohere-ai 8.1.0, @ai-sdk/cohere 3.0.63, docs.cohere.com"},
    Provider{"perplexity", HostPart::None, kPerplexityHosts, kPerplexityBases, kPerplexityKeys, {}, {}, "2026-11-30",
             "@perplexity-ai/perplexity_ai 0.38.5, @ai-sdk/perplexity 3.0.61"},
    Provider{"azure", HostPart::Resource, kAzureHosts, kAzureBases, kAzureKeys, {}, {}, "2026-11-30",
             "openai 6.49.0 (AzureOpenAI), @anthropic-ai/foundry-sdk 1.1.1, @ai-sdk/azure 3.0.128"},
    Provider{"bedrock", HostPart::Region, kBedrockHosts, kBedrockBases, kBedrockKeys, kBedrockSettings, {}, "2026-11-30",
             "@anthropic-ai/bedrock-sdk 1.1.3, @ai-sdk/amazon-bedrock 4.0.186"},
    Provider{"vertex", HostPart::Region, kVertexHosts, kVertexBases, kVertexKeys, kVertexSettings, {}, "2026-11-30",
             "@anthropic-ai/vertex-sdk 1.1.3, @google/genai 2.32.0, @ai-sdk/google-vertex 4.0.208"},
};

}  // namespace

std::span<const Provider> providers() noexcept { return kProviders; }

}  // namespace lnk::provider
