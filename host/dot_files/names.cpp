// SPDX-License-Identifier: Apache-2.0
#include "dot_files/names.hpp"

#include <array>

namespace lnk::host {
namespace {

// What a hook that calls the program holds; the hook that pre-commit writes names both itself and its module pre_commit.
constexpr std::string_view kPreCommit = "pre-commit";
constexpr std::string_view kLefthook = "lefthook";
constexpr std::string_view kPrek = "prek";
constexpr std::string_view kOvercommit = "overcommit";

constexpr DotFile lefthook(std::string_view name) { return {name, WhenMissing::HoldIfCalled, kLefthook}; }
constexpr DotFile called(std::string_view name, std::string_view reader) { return {name, WhenMissing::OnlyIfCalled, reader}; }

constexpr std::array kDotFiles = {
    DotFile{".git", WhenMissing::Hold},
    // direnv runs one only once it has been allowed, and again only when the changed one has: direnv(1).
    DotFile{".envrc", WhenMissing::Leave},
    DotFile{".vscode", WhenMissing::Hold},
    DotFile{".idea", WhenMissing::Hold},
    // Whole: the stubs in .husky/_ run the scripts beside it.
    DotFile{".husky", WhenMissing::HoldIfCalled, "husky"},
    DotFile{".pre-commit-config.yaml", WhenMissing::HoldIfCalled, kPreCommit},
    // lefthook's "Configuration": with and without a leading dot, each with -local, in four forms.
    lefthook("lefthook.yml"), lefthook("lefthook.yaml"), lefthook("lefthook.toml"), lefthook("lefthook.json"),
    lefthook(".lefthook.yml"), lefthook(".lefthook.yaml"), lefthook(".lefthook.toml"), lefthook(".lefthook.json"),
    lefthook("lefthook-local.yml"), lefthook("lefthook-local.yaml"), lefthook("lefthook-local.toml"),
    lefthook("lefthook-local.json"), lefthook(".lefthook-local.yml"), lefthook(".lefthook-local.yaml"),
    lefthook(".lefthook-local.toml"), lefthook(".lefthook-local.json"),
    // The same in .config and with comments, and its scripts: source_dir, source_dir_local, and their places in .config.
    called("lefthook.jsonc", kLefthook), called(".lefthook.jsonc", kLefthook), called("lefthook-local.jsonc", kLefthook),
    called(".lefthook-local.jsonc", kLefthook), called(".config/lefthook.yml", kLefthook), called(".config/lefthook.yaml", kLefthook),
    called(".config/lefthook.toml", kLefthook), called(".config/lefthook.json", kLefthook), called(".config/lefthook.jsonc", kLefthook),
    called(".config/lefthook-local.yml", kLefthook), called(".config/lefthook-local.yaml", kLefthook),
    called(".config/lefthook-local.toml", kLefthook), called(".config/lefthook-local.json", kLefthook),
    called(".config/lefthook-local.jsonc", kLefthook), called(".config/lefthook", kLefthook), called(".config/lefthook-local", kLefthook),
    called(".lefthook", kLefthook), called(".lefthook-local", kLefthook),
    // prek's "Choose a config file".
    called("prek.toml", kPrek), called(".pre-commit-config.yaml", kPrek), called(".pre-commit-config.yml", kPrek),
    // overcommit's README: its settings, what overrides them here, and the folder of a repository's own hooks.
    called(".overcommit.yml", kOvercommit), called(".local-overcommit.yml", kOvercommit), called(".git-hooks", kOvercommit),
};

// source: the documentation of each.
constexpr std::array<std::string_view, 18> kAgentsSettings = {
    ".claude", ".mcp.json",                          // Claude Code: "Hooks reference", "MCP installation scopes"
    ".cursor",                                       // Cursor: "Hooks", "Model Context Protocol"
    ".codex",                                        // Codex: "Config basics", project settings
    ".gemini",                                       // Gemini CLI: "Configuration", mcpServers and hooks
    ".opencode", "opencode.json", "opencode.jsonc",  // OpenCode: "Plugins", "MCP servers"
    ".github/hooks",                                 // Copilot's agents: "About hooks"
    ".aider.conf.yml",                               // aider: "YAML config file", lint-cmd and test-cmd
    ".kiro", ".roo",                                 // Kiro: "Hooks"; Roo Code: "Using MCP in Roo Code"
    ".zed", ".helix",                                // Zed: "Tasks"; Helix: "Languages", language servers
    ".devcontainer",                                 // "Dev Container metadata reference": initializeCommand runs on the host
    ".exrc", "mise.toml", ".mise.toml",              // vim(1), 'exrc'; mise: "Hooks"
};

}  // namespace

std::span<const std::string_view> agents_settings() noexcept { return kAgentsSettings; }

std::span<const DotFile> dot_files() noexcept { return kDotFiles; }

}  // namespace lnk::host
