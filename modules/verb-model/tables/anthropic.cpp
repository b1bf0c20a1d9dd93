// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kAnthropic = R"(
# Anthropic's messages, with Anthropic, Bedrock, Vertex, Azure, DeepSeek and OpenRouter.
# date: 2026-11-24
# source: @anthropic-ai/sdk 1.14.0, resources/beta/messages/messages.d.ts and resources/messages/messages.d.ts

shape anthropic.messages
model                                        model!
messages                                     [anthropic.message]
system                                       scalar|[anthropic.block]
tools                                        [anthropic.tool]
tool_choice                                  anthropic.choice
max_tokens,stream,temperature,top_k,top_p    scalar
stop_sequences                               [scalar]
metadata                                     anthropic.metadata
service_tier,speed,inference_geo             scalar
thinking,output_config,output_format         any
cache_control,compaction                     any
context_management                           anthropic.context
# By name alone: "default" is the provider's own choice of models.
fallbacks                                    [anthropic.fallback]
fallback_credit_token                        any
anthropic_version                            scalar
anthropic_beta                               beta|[beta]
mcp_servers,container                        server
thread                                       state

# Under Bedrock and Vertex the path names the model.
shape anthropic.hosted like anthropic.messages
model                                        model

shape anthropic.metadata
user_id                                      scalar

shape anthropic.fallback
model                                        model
max_tokens,speed                             scalar
thinking,output_config                       any

shape anthropic.context
edits                                        [anthropic.edit]
union anthropic.edit by type
clear_tool_uses_20250919,clear_thinking_20251015,compact_20260112    anthropic.edit.any
shape anthropic.edit.any
keep,trigger,clear_at_least,clear_tool_inputs,exclude_tools          any
instructions,pause_after_compaction                                  scalar

shape anthropic.message
role,clear_at                                scalar
content                                      scalar|[anthropic.block]
output_config                                any

# ---- what a message holds ----
union anthropic.block by type
text                                         anthropic.text
image                                        anthropic.image
document                                     anthropic.document
search_result                                anthropic.search_result
thinking,redacted_thinking                   anthropic.thinking
tool_use                                     anthropic.tool_use
tool_result                                  anthropic.tool_result
tool_reference                               anthropic.tool_reference
browser_state                                anthropic.browser_state
compaction                                   anthropic.compaction
tool_addition,tool_removal                   anthropic.tool_change
fallback                                     anthropic.fallback_block
container_upload                             anthropic.container_upload
# Of the search in the request's own list of tools. What other tools of the provider came to goes with them: one that is not
# over is taken up again where a turn was paused.
server_tool_use                              anthropic.search_use
tool_search_tool_result                      anthropic.search_result_block

shape anthropic.text
text                                         scalar
cache_control,citations                      any

shape anthropic.thinking
thinking,signature,data                      scalar

shape anthropic.image
source!                                      anthropic.source
cache_control,transformations                any

shape anthropic.document
source!                                      anthropic.source
title,context                                scalar
cache_control,citations                      any

union anthropic.source by type
base64,text                                  anthropic.source.inline
content                                      anthropic.source.content
url                                          anthropic.source.url
file                                         anthropic.source.file
shape anthropic.source.inline
media_type,data                              scalar
shape anthropic.source.content
content                                      scalar|[anthropic.block]
shape anthropic.source.url
url                                          url
shape anthropic.source.file
file_id                                      state

shape anthropic.search_result
source,title                                 scalar
content                                      [anthropic.block]
cache_control,citations                      any

shape anthropic.tool_use
id,name,toolset_name                         scalar
input,caller,cache_control                   any

shape anthropic.tool_result
tool_use_id,is_error,toolset_name            scalar
content                                      scalar|[anthropic.block]
cache_control                                any

shape anthropic.tool_reference
tool_name                                    scalar
cache_control                                any

shape anthropic.browser_state
tabs,state_changes,cache_control             any

shape anthropic.compaction
content,encrypted_content,signature          scalar
tool_changes                                 [anthropic.block]
cache_control                                any

shape anthropic.tool_change
tool!                                        anthropic.changed_tool
cache_control                                any
union anthropic.changed_tool by type
tool_reference                               anthropic.changed_name
tool_definition                              anthropic.definition
shape anthropic.changed_name
name                                         scalar
shape anthropic.definition
definition!                                  anthropic.tool

shape anthropic.fallback_block
from,to                                      anthropic.fallback_model
trigger                                      any
shape anthropic.fallback_model
model                                        scalar

shape anthropic.container_upload
file_id!                                     state

shape anthropic.search_use
id                                           scalar
name!                                        'tool_search_tool_regex'|'tool_search_tool_bm25'
input,caller,cache_control                   any
shape anthropic.search_result_block
tool_use_id                                  scalar
content                                      anthropic.found
cache_control                                any
union anthropic.found by type
tool_search_tool_search_result,tool_search_tool_result_error    anthropic.found.any
shape anthropic.found.any
error_code,error_message                     scalar
tool_references                              [anthropic.block]

# ---- tools that the program runs ----
tools union anthropic.tool by type
-,custom                                                 anthropic.tool.custom
bash_20241022,bash_20250124                              anthropic.tool.client
text_editor_20241022,text_editor_20250124,text_editor_20250429,text_editor_20250728              anthropic.tool.client
computer_20241022,computer_20250124,computer_20251124,computer_toolset_20260801                  anthropic.tool.client
browser_toolset_20260801,memory_20250818                 anthropic.tool.client
# Searches the request's own list of tools, and reaches nothing.
tool_search_tool_regex_20251119,tool_search_tool_bm25_20251119,tool_search_tool_regex,tool_search_tool_bm25    anthropic.tool.client

shape anthropic.tool.custom
name,description,strict,defer_loading,eager_input_streaming    scalar
input_schema!                                any
input_examples,cache_control                 any
allowed_callers                              ['direct']

# Without `engine`, by which OpenRouter runs one of these itself.
shape anthropic.tool.client
name,strict,defer_loading                    scalar
display_width_px,display_height_px,display_number,enable_zoom,max_characters    scalar
input_examples,cache_control,configs         any
allowed_callers                              ['direct']

union anthropic.choice by type
auto,any,tool,none                           anthropic.choice.any
shape anthropic.choice.any
name,disable_parallel_tool_use               scalar
)";
