// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kProviders = R"(
# Which paths of a provider are inference, and in which field its key stands. All else of the host is refused.
# date: 2026-11-29
# source: the clients named in the shapes' tables, @ai-sdk/* of November 2026, the providers' references
#
#   provider NAME KEY FIELDS   KEY: the field that is set; FIELDS: those in which a client sends one. `bearer` is Authorization.
#   errors FORM                the form of its errors
#   METHOD PATH SHAPE [choice=FORM] [query=NAMES] [key=KEY] [web]
# {model} is a model's name: one part of a path, or, at its end, up to four; {plain} one with no colon. `web`: searches by nature.

provider anthropic anthropic x-api-key,bearer
errors anthropic
POST v1/messages                       anthropic.messages choice=anthropic query=beta
POST v1/messages/count_tokens          anthropic.messages choice=anthropic query=beta
GET  v1/models                         - query=beta,limit,after_id,before_id
GET  v1/models/{model}                 - query=beta

provider openai bearer bearer
errors openai
POST v1/chat/completions               chat choice=openai
POST v1/completions                    completions
POST v1/responses                      responses choice=openai
POST v1/responses/compact              responses.compact choice=openai
POST v1/responses/input_tokens         responses.counted choice=openai
POST v1/embeddings                     embeddings
POST v1/moderations                    moderations
GET  v1/models                         -
GET  v1/models/{model}                 -

provider gemini x-goog-api-key x-goog-api-key,bearer,query
errors google
POST v1beta/models/{model}:generateContent          gemini.generate choice=gemini
POST v1beta/models/{model}:streamGenerateContent    gemini.generate choice=gemini query=alt
POST v1beta/models/{model}:countTokens              gemini.count choice=gemini
POST v1beta/models/{model}:embedContent             gemini.embed
POST v1beta/models/{model}:batchEmbedContents       gemini.embed_batch
POST v1/models/{model}:generateContent              gemini.generate choice=gemini
POST v1/models/{model}:streamGenerateContent        gemini.generate choice=gemini query=alt
POST v1/models/{model}:countTokens                  gemini.count choice=gemini
POST v1/models/{model}:embedContent                 gemini.embed
POST v1/models/{model}:batchEmbedContents           gemini.embed_batch
GET  v1beta/models                                  - query=pageSize,pageToken
GET  v1beta/models/{plain}                          -
GET  v1/models                                      - query=pageSize,pageToken
GET  v1/models/{plain}                              -
POST v1beta/openai/chat/completions    chat choice=openai key=bearer
POST v1beta/openai/embeddings          embeddings key=bearer
GET  v1beta/openai/models              - key=bearer
GET  v1beta/openai/models/{model}      - key=bearer

provider mistral bearer bearer
errors openai
POST v1/chat/completions               mistral.chat choice=openai
POST v1/fim/completions                mistral.fim
POST v1/embeddings                     embeddings
POST v1/moderations                    mistral.moderations
GET  v1/models                         -
GET  v1/models/{model}                 -

provider groq bearer bearer
errors openai
POST openai/v1/chat/completions        chat choice=openai
POST openai/v1/responses               responses choice=openai
POST openai/v1/embeddings              embeddings
GET  openai/v1/models                  -
GET  openai/v1/models/{model}          -

provider xai bearer bearer
errors openai
POST v1/chat/completions               chat choice=openai
POST v1/responses                      responses choice=openai
GET  v1/models                         -
GET  v1/models/{model}                 -

provider deepseek bearer bearer,x-api-key
errors openai
POST chat/completions                  chat choice=openai
POST v1/chat/completions               chat choice=openai
POST beta/chat/completions             chat choice=openai
POST beta/completions                  completions
POST anthropic/v1/messages             anthropic.messages choice=anthropic query=beta key=x-api-key
GET  models                            -
GET  v1/models                         -

provider openrouter bearer bearer,x-api-key
errors openai
POST api/v1/chat/completions           openrouter.chat choice=openai
POST api/v1/messages                   openrouter.messages choice=anthropic query=beta
POST api/v1/responses                  openrouter.responses choice=openai
POST api/v1/embeddings                 openrouter.embeddings
POST api/v1/rerank                     openrouter.rerank
GET  api/v1/models                     -
GET  api/v1/models/{model}             -

provider together bearer bearer
errors openai
POST v1/chat/completions               chat choice=openai
POST v1/completions                    completions
POST v1/embeddings                     embeddings
POST v1/rerank                         rerank
GET  v1/models                         -

provider fireworks bearer bearer
errors openai
POST inference/v1/chat/completions     chat choice=openai
POST inference/v1/completions          completions
POST inference/v1/responses            responses choice=openai
POST inference/v1/embeddings           embeddings
GET  inference/v1/models               -
GET  inference/v1/models/{model}       -

provider cohere bearer bearer
errors cohere
POST v2/chat                           cohere.chat
POST v2/embed                          cohere.embed
POST v2/rerank                         rerank
POST v1/tokenize                       cohere.tokenize
POST v1/detokenize                     cohere.detokenize
GET  v1/models                         - query=page_size,page_token,endpoint,default_only
GET  v1/models/{model}                 -
POST compatibility/v1/chat/completions chat choice=openai
POST compatibility/v1/embeddings       embeddings

# Its chat searches whatever is asked.
provider perplexity bearer bearer
errors openai
POST v1/embeddings                     embeddings
POST chat/completions                  chat choice=openai web
POST v1/chat/completions               chat choice=openai web

provider azure api-key api-key,x-api-key,bearer
errors openai
POST openai/v1/chat/completions        chat choice=openai query=api-version
POST openai/v1/responses               responses choice=openai query=api-version
POST openai/v1/responses/compact       responses.compact choice=openai query=api-version
POST openai/v1/embeddings              embeddings query=api-version
GET  openai/v1/models                  - query=api-version
GET  openai/v1/models/{model}          - query=api-version
POST openai/responses                  responses choice=openai query=api-version
POST openai/deployments/{model}/chat/completions    chat.hosted choice=openai query=api-version
POST openai/deployments/{model}/completions         completions.hosted query=api-version
POST openai/deployments/{model}/embeddings          embeddings.hosted query=api-version
POST anthropic/v1/messages             anthropic.messages choice=anthropic query=beta key=x-api-key
POST anthropic/v1/messages/count_tokens    anthropic.messages choice=anthropic query=beta key=x-api-key

provider bedrock bearer bearer
errors aws
POST model/{model}/converse            bedrock.converse choice=bedrock
POST model/{model}/converse-stream     bedrock.converse choice=bedrock
POST model/{model}/invoke              anthropic.hosted choice=anthropic
POST model/{model}/invoke-with-response-stream    anthropic.hosted choice=anthropic
POST model/{model}/count-tokens        bedrock.count

provider vertex bearer bearer
errors google
POST v1/projects/{name}/locations/{name}/publishers/google/models/{model}:generateContent            gemini.generate choice=gemini
POST v1/projects/{name}/locations/{name}/publishers/google/models/{model}:streamGenerateContent      gemini.generate choice=gemini query=alt
POST v1/projects/{name}/locations/{name}/publishers/google/models/{model}:countTokens                gemini.count choice=gemini
POST v1/projects/{name}/locations/{name}/publishers/google/models/{model}:computeTokens              gemini.count choice=gemini
POST v1/projects/{name}/locations/{name}/publishers/google/models/{model}:embedContent               gemini.embed
POST v1/projects/{name}/locations/{name}/publishers/google/models/{model}:predict                    gemini.predict
POST v1beta1/projects/{name}/locations/{name}/publishers/google/models/{model}:generateContent       gemini.generate choice=gemini
POST v1beta1/projects/{name}/locations/{name}/publishers/google/models/{model}:streamGenerateContent gemini.generate choice=gemini query=alt
POST v1beta1/projects/{name}/locations/{name}/publishers/google/models/{model}:countTokens           gemini.count choice=gemini
POST v1beta1/projects/{name}/locations/{name}/publishers/google/models/{model}:computeTokens         gemini.count choice=gemini
POST v1beta1/projects/{name}/locations/{name}/publishers/google/models/{model}:embedContent          gemini.embed
POST v1beta1/projects/{name}/locations/{name}/publishers/google/models/{model}:predict               gemini.predict
POST v1/projects/{name}/locations/{name}/publishers/anthropic/models/count-tokens:rawPredict         anthropic.messages choice=anthropic
POST v1/projects/{name}/locations/{name}/publishers/anthropic/models/{model}:rawPredict              anthropic.hosted choice=anthropic
POST v1/projects/{name}/locations/{name}/publishers/anthropic/models/{model}:streamRawPredict        anthropic.hosted choice=anthropic
)";
