// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kOthers = R"(
# What Cohere, Mistral and OpenRouter say in their own way.
# date: 2026-11-29
# source: cohere-ai 8.1.0 (V2ChatRequest, V2EmbedRequest, V2RerankRequest), @mistralai/mistralai 2.7.0
#         (chatcompletionrequest, fimcompletionrequest), @openrouter/sdk 1.3.19 (chatrequest, responsesrequest, plugins)

# ---- Cohere: v1's chat has connectors and is no path ----
shape cohere.chat
model                                        model!
messages                                     [cohere.message]
tools                                        [cohere.tool]
tool_choice,strict_tools,stream,safety_mode,max_tokens,temperature,seed,frequency_penalty,presence_penalty,k,p    scalar
logprobs,raw_prompting,priority,reasoning_effort    scalar
documents                                    [scalar|cohere.document]
citation_options,response_format,thinking    any
stop_sequences                               [scalar]
shape cohere.message
role,tool_call_id,tool_plan                  scalar
content                                      scalar|[cohere.part]
tool_calls                                   [chat.call]
citations                                    any
union cohere.part by type
text                                         chat.part.text
thinking                                     chat.part.thinking
image_url                                    chat.part.image
document                                     cohere.part.document
shape cohere.part.document
document                                     cohere.document
shape cohere.document
id                                           scalar
data                                         any
tools union cohere.tool by type
-,function                                   chat.tool.function

shape cohere.embed
model                                        model!
texts                                        [scalar]
images                                       [url]
inputs                                       [cohere.input]
embedding_types                              [scalar]
input_type,truncate,max_tokens,output_dimension,priority    scalar
shape cohere.input
content                                      [cohere.part]
shape cohere.tokenize
model                                        model!
text                                         scalar
shape cohere.detokenize
model                                        model!
tokens                                       [scalar]

# ---- Mistral ----
shape mistral.chat like chat
random_seed,prompt_mode                      scalar
metadata                                     {scalar}
shape mistral.fim
model                                        model!
prompt,suffix,temperature,top_p,max_tokens,min_tokens,stream,random_seed,prompt_cache_key    scalar
stop                                         scalar|[scalar]
metadata                                     {scalar}
shape mistral.moderations
model                                        model!
input                                        scalar|[scalar|chat.part]

# ---- OpenRouter: names more models, and plugins of which but two reach out or choose a model ----
shape openrouter.chat like chat
models                                       [model]
fallbacks                                    [model|openrouter.fallback]
plugins                                      [openrouter.plugin]
provider                                     openrouter.provider
image_config                                 openrouter.image
usage,cache_control                          any
transforms                                   [scalar]
route,session_id                             scalar
shape openrouter.responses like responses
models                                       [model]
fallbacks                                    [model|openrouter.fallback]
plugins                                      [openrouter.plugin]
provider                                     openrouter.provider
image_config                                 openrouter.image
usage,cache_control                          any
transforms,modalities                        [scalar]
route,session_id                             scalar
shape openrouter.messages like anthropic.messages
models                                       [model]
plugins                                      [openrouter.plugin]
provider                                     openrouter.provider
route,session_id                             scalar
shape openrouter.embeddings like embeddings
provider                                     openrouter.provider
shape openrouter.rerank like rerank
provider                                     openrouter.provider
# By whom it is run. Options of those themselves stay out.
shape openrouter.provider
allow_fallbacks,require_parameters,data_collection,zdr,enforce_distillable_text    scalar
order,only,ignore,quantizations              [scalar]
sort,max_price,preferred_min_throughput,preferred_max_latency    any
shape openrouter.image
aspect_ratio,image_size,quality,background,output_format,strength,style    scalar
super_resolution_references                  [url]
font_inputs                                  [openrouter.font]
shape openrouter.font
font_url                                     url
text                                         scalar
shape openrouter.fallback
model                                        model
union openrouter.plugin by id
response-healing,context-compression         openrouter.plugin.any
shape openrouter.plugin.any
enabled,engine                               scalar
)";
