// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kBedrock = R"(
# Bedrock's converse; what is invoked as it is, is Anthropic's alone (anthropic.hosted).
# date: 2026-11-29
# source: @aws-sdk/client-bedrock-runtime 3.1164.0, dist-types/models/models_0.d.ts

shape bedrock.converse
messages                                     [bedrock.message]
system                                       [bedrock.block]
toolConfig                                   bedrock.tools
inferenceConfig,guardrailConfig,performanceConfig,serviceTier,outputConfig    any
additionalModelRequestFields                 bedrock.more
additionalModelResponseFieldPaths            [scalar]
requestMetadata                              {scalar}
promptVariables                              state

shape bedrock.count
input!                                       bedrock.counted
shape bedrock.counted
converse!                                    bedrock.converse

# What goes to the model as it is: tools in the model's own form stay out.
shape bedrock.more
top_k,topK,k,effort                          scalar
thinking,reasoning_config,reasoningConfig,output_config,inferenceConfig    any
anthropic_beta                               beta|[beta]

shape bedrock.message
role                                         scalar
content                                      [bedrock.block]

keyed shape bedrock.block
text                                         scalar
image,video,audio                            bedrock.media
document                                     bedrock.document
toolUse                                      bedrock.use
toolResult                                   bedrock.result
searchResult                                 bedrock.search_result
json,cachePoint,reasoningContent,citationsContent    any
guardContent                                 bedrock.guard
shape bedrock.media
format                                       scalar
source!                                      bedrock.source
shape bedrock.document
format,name,context                          scalar
source!                                      bedrock.source
citations                                    any
keyed shape bedrock.source
bytes                                        inline
text                                         scalar
content                                      [bedrock.block]
s3Location                                   bedrock.s3
shape bedrock.s3
uri                                          url
bucketOwner                                  scalar
shape bedrock.use
toolUseId,name                               scalar
input                                        any
type                                         'tool_use'
shape bedrock.result
toolUseId,status                             scalar
content                                      [bedrock.block]
shape bedrock.search_result
source,title                                 scalar
content                                      [bedrock.block]
citations                                    any
keyed shape bedrock.guard
text                                         any
image                                        bedrock.media

# ---- tools that the program runs; a systemTool is the provider's ----
shape bedrock.tools
tools!                                       [bedrock.tool]
toolChoice                                   bedrock.choice
tools keyed shape bedrock.tool
toolSpec                                     bedrock.spec
cachePoint                                   any
shape bedrock.spec
name,description,strict                      scalar
inputSchema                                  any
keyed shape bedrock.choice
auto,any                                     any
tool                                         bedrock.choice.tool
shape bedrock.choice.tool
name                                         scalar
)";
