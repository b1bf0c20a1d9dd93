// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kOpenAiResponses = R"(
# OpenAI's responses, which Codex speaks, and what speaks it too (xAI, Groq, OpenRouter, Fireworks, Azure).
# date: 2026-07-23
# source: openai 6.49.0, resources/responses/responses.d.ts, input-tokens.d.ts; codex-rs/tools/src/tool_spec.rs

shape responses.counted
model                                        model!
input                                        scalar|[responses.item]
instructions                                 scalar|[responses.item]
tools                                        [responses.tool]
tool_choice                                  scalar|responses.choice
parallel_tool_calls,truncation,personality   scalar
reasoning,text                               any
previous_response_id,conversation            state

shape responses like responses.counted
stream,temperature,top_p,top_k,top_logprobs,max_output_tokens,max_tool_calls,user    scalar
frequency_penalty,presence_penalty,service_tier,safety_identifier         scalar
prompt_cache_key,prompt_cache_retention      scalar
stream_options,prompt_cache_options,context_management    any
metadata,client_metadata                     {scalar}
include                                      ['reasoning.encrypted_content'|'message.output_text.logprobs'|'message.input_image.image_url'|'computer_call_output.output.image_url']
prompt,background                            state
# By default an answer is kept for a month, under a name that any later request may give.
store                                        false!

shape responses.compact like responses.counted
prompt_cache_key                             scalar

# ---- what an input holds ----
union responses.item by type
-,message                                    responses.message
function_call,custom_tool_call               responses.call
function_call_output,custom_tool_call_output responses.output
tool_search_call                             responses.call
tool_search_output,additional_tools          responses.more_tools
reasoning                                    responses.reasoning
compaction,compaction_summary,compaction_trigger    responses.compaction
computer_call                                responses.computer_call
computer_call_output                         responses.computer_output
local_shell_call,shell_call                  responses.shell_call
local_shell_call_output,shell_call_output    responses.shell_output
apply_patch_call                             responses.patch
apply_patch_call_output                      responses.output
item_reference                               responses.reference
# What a provider's own tools came to goes with them (searches, images, programs, MCP): an item that is not over is taken up
# again by some.

# An id alone, with no type, is a reference to what the provider keeps.
shape responses.message
role!!                                       scalar
content!!                                    scalar|[responses.part]
id,status,phase                              scalar

union responses.part by type
input_text,output_text,text,summary_text,reasoning_text,refusal    responses.text
input_image                                  responses.image
input_file                                   responses.file
input_audio                                  chat.part.audio
computer_screenshot                          responses.screenshot
encrypted_content                            responses.encrypted
shape responses.text
text,refusal                                 scalar
annotations,logprobs,prompt_cache_breakpoint any
shape responses.encrypted
encrypted_content                            scalar
shape responses.image
image_url                                    url|chat.image
detail                                       scalar
file_id                                      state
prompt_cache_breakpoint                      any
shape responses.file
file_data                                    inline
file_url                                     url
filename,detail                              scalar
file_id                                      state
prompt_cache_breakpoint                      any
shape responses.screenshot
image_url                                    url
detail                                       scalar
file_id                                      state

shape responses.call
id,call_id,name,namespace,status,execution,input    scalar
arguments,caller                             any
shape responses.output
id,call_id,name,status                       scalar
output                                       scalar|[responses.part]
caller                                       any
shape responses.more_tools
id,call_id,role,status,execution             scalar
tools!                                       [responses.tool]
shape responses.reasoning
id,status,encrypted_content                  scalar
summary,content                              [responses.part]
shape responses.compaction
id,encrypted_content                         scalar
shape responses.computer_call
id,call_id,status                            scalar
action,actions,pending_safety_checks         any
shape responses.computer_output
id,call_id,status                            scalar
output                                       responses.part
acknowledged_safety_checks                   any
shape responses.shell_call
id,call_id,status                            scalar
action,caller                                any
environment                                  responses.local
shape responses.shell_output
id,call_id,status,max_output_length          scalar
output,caller                                any
shape responses.patch
id,call_id,status                            scalar
operation,caller                             any
shape responses.reference
id!                                          state

# ---- tools that the program runs ----
tools union responses.tool by type
function                                     responses.tool.function
custom                                       responses.tool.custom
namespace                                    responses.tool.namespace
tool_search                                  responses.tool.search
apply_patch,local_shell,computer             responses.tool.plain
computer_use,computer_use_preview            responses.tool.computer
shell                                        responses.tool.shell
shape responses.tool.function
name,description,strict,defer_loading        scalar
parameters,output_schema                     any
allowed_callers                              ['direct']
shape responses.tool.custom
name,description,defer_loading               scalar
format                                       any
allowed_callers                              ['direct']
shape responses.tool.namespace
name,description                             scalar
tools!                                       [responses.tool]
shape responses.tool.search
execution,description                        scalar
parameters                                   any
shape responses.tool.plain
allowed_callers                              ['direct']
shape responses.tool.computer
display_height,display_width,environment     scalar
shape responses.tool.shell
environment!                                 responses.local
allowed_callers                              ['direct']
# A container is the provider's; without an environment it makes one.
union responses.local by type
local                                        responses.local.any
shape responses.local.any
skills                                       [responses.local.skill]
shape responses.local.skill
name,description,path                        scalar

union responses.choice by type
function,custom                              responses.choice.named
apply_patch,shell,computer,computer_use,computer_use_preview,local_shell,tool_search    responses.choice.plain
allowed_tools                                responses.choice.allowed
namespace                                    responses.choice.named
shape responses.choice.named
name,namespace                               scalar
shape responses.choice.plain
shape responses.choice.allowed
mode                                         scalar
tools                                        [responses.choice]
)";
