// SPDX-License-Identifier: Apache-2.0
#include "dot_files/names.hpp"

#include <array>

namespace lnk::host {
namespace {

// What a hook that calls the program holds; the hook that pre-commit writes names both itself and its module pre_commit.
constexpr std::string_view kPreCommit = "pre-commit";
constexpr std::string_view kLefthook = "lefthook";

constexpr DotFile lefthook(std::string_view name) { return {name, WhenMissing::HoldIfCalled, kLefthook}; }

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
};

}  // namespace

std::span<const DotFile> dot_files() noexcept { return kDotFiles; }

}  // namespace lnk::host
