// SPDX-License-Identifier: Apache-2.0
#include "providers.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "lnk/route/path_shape.hpp"

namespace lnk::verb_model {
namespace {

constexpr std::string_view kModel = "{model}";
constexpr std::string_view kName = "{name}";
constexpr std::string_view kPlain = "{plain}";
constexpr std::size_t kModelPartsMax = 4;  ///< "accounts/fireworks/models/x"

struct KeyWord {
  std::string_view word;
  KeyField field;
};
constexpr auto kKeyWords = std::to_array<KeyWord>({{"bearer", KeyField::Bearer},
                                                   {"x-api-key", KeyField::XApiKey},
                                                   {"api-key", KeyField::ApiKey},
                                                   {"x-goog-api-key", KeyField::XGoogApiKey},
                                                   {"query", KeyField::Query},
                                                   {"anthropic", KeyField::Anthropic}});

struct ChoiceWord {
  std::string_view word;
  Choice choice;
};
constexpr auto kChoiceWords = std::to_array<ChoiceWord>({{"anthropic", Choice::Anthropic},
                                                         {"openai", Choice::OpenAi},
                                                         {"gemini", Choice::Gemini},
                                                         {"bedrock", Choice::Bedrock}});

/// The forms of errors that the providers' own clients read their words from; the wire fills them in.
struct ErrorForm {
  std::string_view word;
  std::string_view body;
};
constexpr auto kErrorForms = std::to_array<ErrorForm>({
    {"anthropic", R"({"type":"error","error":{"type":"permission_error","message":"{words}"},"request_id":null})"},
    {"openai", R"({"error":{"message":"{words}","type":"invalid_request_error","param":null,"code":"{reason}"}})"},
    {"google", R"({"error":{"code":{status},"message":"{words}","status":"PERMISSION_DENIED"}})"},
    {"cohere", R"({"message":"{words}"})"},
    {"aws", R"({"message":"{words}","__type":"AccessDeniedException"})"},
});

template <class Words>
const auto* word_in(const Words& words, std::string_view word) noexcept {
  const auto found = std::find_if(words.begin(), words.end(), [word](const auto& one) { return one.word == word; });
  return found == words.end() ? nullptr : &*found;
}

std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto part = text.substr(at, std::min(text.find(mark, at), text.size()) - at);
    parts.emplace_back(part);
    at += part.size() + 1;
  }
  return parts;
}

Failure wrong(std::string_view line) { return fail(Code::Invalid, "providers: " + std::string(line)); }

Result<KeyField> read_key(std::string_view word) {
  const auto* known = word_in(kKeyWords, word);
  if (known == nullptr) return wrong("no key field '" + std::string(word) + "'");
  return known->field;
}

Result<void> read_option(Endpoint& endpoint, std::string_view word) {
  if (word == "web") {
    endpoint.searches = true;
  } else if (word.starts_with("query=")) {
    endpoint.query = split(word.substr(6), ',');
  } else if (word.starts_with("key=")) {
    LNK_TRY(endpoint.key, read_key(word.substr(4)));
  } else if (const auto* choice = word.starts_with("choice=") ? word_in(kChoiceWords, word.substr(7)) : nullptr) {
    endpoint.choice = choice->choice;
  } else {
    return wrong("no option '" + std::string(word) + "'");
  }
  return {};
}

Result<Endpoint> read_endpoint(const std::vector<std::string>& words, const Shapes& shapes) {
  if (words.size() < 3) return wrong("a path of no shape");
  Endpoint endpoint{words[0], words[1]};
  if (words[2] != "-") {
    endpoint.shape = shapes.find(words[2]);
    if (endpoint.shape == kGoes) return wrong("no shape '" + words[2] + "'");
  }
  for (std::size_t at = 3; at < words.size(); ++at) LNK_CHECK(read_option(endpoint, words[at]));
  return endpoint;
}

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Decoded once; nothing where that leaves a '%', or what is no model's name.
std::optional<std::string> decoded_model(std::string_view part) {
  std::string out;
  for (std::size_t at = 0; at < part.size(); ++at) {
    if (part[at] != '%') {
      out += part[at];
      continue;
    }
    if (at + 2 >= part.size() || hex_value(part[at + 1]) < 0 || hex_value(part[at + 2]) < 0) return std::nullopt;
    out += static_cast<char>(hex_value(part[at + 1]) * 16 + hex_value(part[at + 2]));
    at += 2;
  }
  if (!route::is_plain_path(out)) return std::nullopt;
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._:/@~").find(c) != std::string_view::npos;
  };
  return std::all_of(out.begin(), out.end(), is_of_name) ? std::optional(out) : std::nullopt;
}

/// A part of Bedrock's path that names a model by what is kept for the key: a prompt's template has tools of its own.
bool is_kept_model(std::string_view model) noexcept {
  constexpr std::string_view kArn = "arn:";
  constexpr int kColonsBeforeResource = 5;  // arn:partition:service:region:account:resource
  const auto is_same = [](char c, char wanted) { return (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == wanted; };
  const auto first = model.substr(0, kArn.size());
  if (!std::equal(first.begin(), first.end(), kArn.begin(), kArn.end(), is_same)) return false;
  for (int left = kColonsBeforeResource; left > 0; --left) {
    const auto colon = model.find(':');
    if (colon == std::string_view::npos) return true;
    model.remove_prefix(colon + 1);
  }
  return !model.starts_with("foundation-model/") && !model.starts_with("inference-profile/");
}

bool match_part(std::string_view shape, std::string_view part, std::optional<std::string>& model) {
  const bool is_name = route::is_plain_path(part) && part.find(':') == std::string_view::npos;
  if (shape == kName) return is_name;
  if (shape == kPlain) {
    model = part;
    return is_name;
  }
  const auto at = shape.find(kModel);
  if (at == std::string_view::npos) return shape == part;
  const auto behind = shape.substr(at + kModel.size());
  if (part.size() <= behind.size() || !part.ends_with(behind)) return false;
  model = decoded_model(part.substr(0, part.size() - behind.size()));
  // Behind a model Google takes a colon for the call's name, wherever it stands.
  const bool is_call = behind.starts_with(':') && model.has_value() && model->find(':') != std::string::npos;
  return model.has_value() && !is_call && !is_kept_model(*model);
}

bool match_path(std::string_view shape, std::string_view path, std::optional<std::string>& model) {
  const auto shapes = split(shape, '/');
  const auto parts = split(path, '/');
  const bool has_long_end = shapes.back() == kModel && parts.size() > shapes.size() && parts.size() < shapes.size() + kModelPartsMax;
  if (parts.size() != shapes.size() && !has_long_end) return false;
  for (std::size_t at = 0; at + 1 < shapes.size(); ++at)
    if (!match_part(shapes[at], parts[at], model)) return false;
  if (!has_long_end) return match_part(shapes.back(), parts.back(), model);
  // Several parts: as they stand, with none of them encoded.
  std::string name = parts[shapes.size() - 1];
  for (std::size_t at = shapes.size(); at < parts.size(); ++at) name += '/' + parts[at];
  if (name.find('%') != std::string::npos) return false;
  return match_part(shapes.back(), name, model);
}

}  // namespace

Result<Providers> Providers::read(std::string_view table, const Shapes& shapes) {
  Providers made;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream text(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (words.front() == "provider" && words.size() == 4) {
      Provider provider;
      provider.name = words[1];
      LNK_TRY(provider.key, read_key(words[2]));
      for (const auto& word : split(words[3], ',')) {
        LNK_TRY(const auto field, read_key(word));
        provider.given.push_back(field);
      }
      made.providers_.push_back(std::move(provider));
    } else if (made.providers_.empty()) {
      return wrong("a line of no provider: " + line);
    } else if (words.front() == "errors" && words.size() == 2) {
      const auto* form = word_in(kErrorForms, words[1]);
      if (form == nullptr) return wrong("no form of errors '" + words[1] + "'");
      made.providers_.back().refusal_body = form->body;
    } else {
      LNK_TRY(auto endpoint, read_endpoint(words, shapes));
      made.providers_.back().endpoints.push_back(std::move(endpoint));
    }
  }
  return made;
}

const Provider* Providers::find(std::string_view name) const noexcept {
  const auto found = std::find_if(providers_.begin(), providers_.end(), [name](const Provider& one) { return one.name == name; });
  return found == providers_.end() ? nullptr : &*found;
}

std::optional<Hit> find_endpoint(const Provider& provider, std::string_view method, std::string_view path, bool& any_method) {
  any_method = false;
  for (const auto& endpoint : provider.endpoints) {
    std::optional<std::string> model;
    if (!match_path(endpoint.path, path, model)) continue;
    any_method = true;
    if (endpoint.method == method) return Hit{&endpoint, std::move(model)};
  }
  return std::nullopt;
}

}  // namespace lnk::verb_model
