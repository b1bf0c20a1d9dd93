// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kOpenAiChat = R"(
# OpenAI's chat completions and what is of its time, which most others speak too.
# date: 2026-07-23
# source: openai 6.49.0, resources/chat/completions/completions.d.ts, completions.d.ts, embeddings.d.ts, moderations.d.ts;
#         groq-sdk 1.6.0, @ai-sdk/xai 3.0.138, @ai-sdk/deepseek, together-ai 0.52.0 for what they add

shape chat
model                                        model!
messages                                     [chat.message]
tools                                        [chat.tool]
tool_choice                                  scalar|chat.choice
functions                                    [chat.function]
function_call                                scalar|chat.name
parallel_tool_calls,stream,n,seed,user       scalar
temperature,top_p,top_k,top_a,min_p,typical_p,frequency_penalty,presence_penalty,repetition_penalty,repetition_penalty_range    scalar
max_tokens,max_completion_tokens,min_tokens,max_tokens_per_step    scalar
logprobs,top_logprobs,echo,ignore_eos        scalar
logit_bias,response_format,stream_options    any
stop                                         scalar|[scalar]
modalities                                   [scalar]
audio                                        chat.voice
prediction                                   chat.prediction
reasoning_effort,include_reasoning,reasoning_format,reasoning_history,verbosity,service_tier,safety_identifier    scalar
reasoning,thinking                           any
prompt_cache_key,prompt_cache_retention,prompt_cache_isolation_key    scalar
prompt_cache_options                         any
context_length_exceeded_behavior,disable_tool_validation,citation_options,safe_prompt    scalar
# Turn on what the provider runs: OpenAI's and Perplexity's search, xAI's, Groq's, Azure's, Qwen's.
web_search_options,search_parameters,search_settings,compound_custom,data_sources,enable_search    server
include_domains,exclude_domains              server

shape chat.voice
voice,format                                 scalar
shape chat.prediction
type                                         'content'
content                                      scalar|[chat.part]

# Where the path names the model.
shape chat.hosted like chat
model                                        model

shape chat.message
role,name,tool_call_id,refusal,prefix,reasoning,reasoning_content    scalar
content                                      scalar|[chat.part]
images                                       [chat.part]
tool_calls                                   [chat.call]
function_call                                chat.call.function
reasoning_details,cache_control              any
audio                                        state

union chat.part by type
# Those who run vLLM take it for what its one member is.
-                                            chat.part.untyped
text,refusal,input_text,output_text          chat.part.text
image_url                                    chat.part.image
input_audio                                  chat.part.audio
audio_url                                    chat.part.audio_url
video_url                                    chat.part.video
file                                         chat.part.file
thinking                                     chat.part.thinking
document_url                                 chat.part.document
reference                                    chat.part.reference
shape chat.part.untyped
text,refusal                                 scalar
image_url,video_url,audio_url                url|chat.image
input_audio                                  inline|chat.audio
file                                         chat.file
file_id                                      state
shape chat.part.text
text,refusal                                 scalar
cache_control,prompt_cache_breakpoint        any
shape chat.part.image
image_url                                    url|chat.image
cache_control,prompt_cache_breakpoint        any
shape chat.image
url                                          url
detail                                       scalar
shape chat.part.audio
input_audio                                  inline|chat.audio
cache_control,prompt_cache_breakpoint        any
shape chat.audio
data                                         inline
format                                       scalar
shape chat.part.audio_url
audio_url                                    url|chat.image
shape chat.part.video
video_url                                    url|chat.image
shape chat.part.file
file                                         chat.file
file_id                                      state
cache_control,prompt_cache_breakpoint        any
shape chat.file
file_data                                    inline
filename                                     scalar
file_id                                      state
file_url                                     url
shape chat.part.document
document_url                                 url
document_name                                scalar
shape chat.part.reference
reference_ids                                any
shape chat.part.thinking
thinking,closed,signature                    any

union chat.call by type
-,function,custom                            chat.call.any
shape chat.call.any
id,index                                     scalar
function,custom                              chat.call.function
extra_content                                chat.extra
shape chat.call.function
name,arguments,input                         scalar
# Gemini's signatures, where it is spoken to in this form.
shape chat.extra
google                                       chat.extra.google
shape chat.extra.google
thought_signature                            scalar

# ---- tools that the program runs ----
tools union chat.tool by type
-,function                                   chat.tool.function
custom                                       chat.tool.custom
shape chat.tool.function
function!                                    chat.function
cache_control                                any
shape chat.tool.custom
custom!                                      chat.custom
shape chat.function
name,description,strict                      scalar
parameters                                   any
shape chat.custom
name,description                             scalar
format                                       any

union chat.choice by type
function                                     chat.choice.function
custom                                       chat.choice.custom
allowed_tools                                chat.choice.allowed
shape chat.choice.function
function!                                    chat.name
shape chat.choice.custom
custom!                                      chat.name
shape chat.choice.allowed
allowed_tools!                               chat.allowed
shape chat.allowed
mode                                         scalar
tools                                        [chat.choice]
shape chat.name
name                                         scalar

# ---- older and simpler ----
shape completions
model                                        model!
prompt                                       any
suffix,best_of,echo,frequency_penalty,logprobs,max_tokens,n,presence_penalty,seed,stream,temperature,top_p,top_k,min_p,user    scalar
repetition_penalty,min_tokens                scalar
logit_bias,stream_options,response_format    any
stop                                         scalar|[scalar]

shape completions.hosted like completions
model                                        model

shape embeddings
model                                        model!
input                                        scalar|[scalar|[scalar]]
dimensions,encoding_format,user,output_dimension,output_dtype,truncate    scalar
input_type                                   scalar

shape embeddings.hosted like embeddings
model                                        model

shape moderations
model                                        model
input                                        scalar|[scalar|chat.part]

shape rerank
model                                        model!
query                                        scalar
documents                                    [scalar|rerank.document]
top_n,return_documents,max_chunks_per_doc,max_tokens_per_doc,priority    scalar
rank_fields                                  [scalar]
shape rerank.document
text                                         scalar
title                                        scalar
)";
