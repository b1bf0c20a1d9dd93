// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

const std::string_view lnk::verb_model::tables::kGemini = R"(
# Google's generateContent, with Gemini's API and Vertex. protobuf's JSON takes both spellings of each name.
# date: 2026-11-29
# source: @google/genai 2.32.0, dist/genai.d.ts; protobuf.dev's JSON mapping; @ai-sdk/google-vertex for :predict

proto gemini.generate
model                                        model
contents                                     gemini.content|[gemini.content]
systemInstruction                            gemini.content
tools                                        [gemini.tool]
toolConfig                                   gemini.tool_config
generationConfig                             gemini.config
safetySettings                               any
labels                                       {scalar}
serviceTier                                  scalar
cachedContent                                state

proto gemini.count like gemini.generate
generateContentRequest                       gemini.generate
instances                                    [gemini.instance]

proto gemini.config
temperature,topP,topK,candidateCount,maxOutputTokens,responseLogprobs,logprobs,presencePenalty,frequencyPenalty,seed    scalar
responseMimeType,mediaResolution,audioTimestamp,enableEnhancedCivicAnswers,enableAffectiveDialog                        scalar
stopSequences,responseModalities             [scalar]
responseSchema,responseJsonSchema,responseFormat,thinkingConfig,speechConfig    any
imageConfig                                  gemini.image_config
proto gemini.image_config
aspectRatio,imageSize,personGeneration       scalar

proto gemini.content
role                                         scalar
parts                                        gemini.part|[gemini.part]

keyed proto gemini.part
text,thought,thoughtSignature                scalar
inlineData                                   gemini.blob
fileData                                     gemini.file
functionCall                                 gemini.call
functionResponse                             gemini.response
videoMetadata,mediaResolution,partMetadata   any
proto gemini.blob
mimeType,displayName                         scalar
data                                         inline
proto gemini.file
mimeType,displayName                         scalar
fileUri                                      url
proto gemini.call
id,name,willContinue                         scalar
args,partialArgs                             any
proto gemini.response
id,name,willContinue,scheduling              scalar
response                                     any
parts                                        [gemini.part]

# ---- tools that the program runs: an object may hold several ----
tools keyed proto gemini.tool
functionDeclarations                         [gemini.function]
computerUse                                  gemini.computer
proto gemini.function
name,description,behavior                    scalar
parameters,parametersJsonSchema,response,responseJsonSchema    any
proto gemini.computer
environment,enablePromptInjectionDetection   scalar
excludedPredefinedFunctions,disabledSafetyPolicies    [scalar]

proto gemini.tool_config
functionCallingConfig                        gemini.calling
proto gemini.calling
mode,streamFunctionCallArguments             scalar
allowedFunctionNames                         [scalar]

# ---- embeddings ----
proto gemini.embed
model                                        model
content                                      gemini.content
taskType,title,outputDimensionality,autoTruncate,documentOcr,audioTrackExtraction    scalar
embedContentConfig                           gemini.embed_config
proto gemini.embed_config
taskType,title,outputDimensionality,autoTruncate,documentOcr,audioTrackExtraction    scalar
proto gemini.embed_batch
requests                                     [gemini.embed]

shape gemini.predict
instances!                                   [gemini.instance]
parameters                                   gemini.parameters
shape gemini.instance
content!                                     scalar
task_type,taskType,title                     scalar
shape gemini.parameters
autoTruncate,outputDimensionality            scalar
)";
