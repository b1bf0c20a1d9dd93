// SPDX-License-Identifier: Apache-2.0
#include "programs/interpreters.hpp"

#include <algorithm>
#include <array>

namespace lnk::host {
namespace {

/// A version may follow: python3.11, lua5.4, php8.2, tclsh8.6.
constexpr auto kInterpreters = std::to_array<std::string_view>({
    // shells
    "sh",
    "ash",
    "bash",
    "rbash",
    "dash",
    "zsh",
    "ksh",
    "ksh93",
    "mksh",
    "lksh",
    "yash",
    "csh",
    "tcsh",
    "fish",
    "nu",
    "elvish",
    "xonsh",
    "pwsh",
    "busybox",
    "toybox",
    // languages
    "python",
    "pypy",
    "ipython",
    "perl",
    "raku",
    "ruby",
    "jruby",
    "irb",
    "node",
    "nodejs",
    "deno",
    "bun",
    "tsx",
    "ts-node",
    "qjs",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "wish",
    "expect",
    "Rscript",
    "R",
    "julia",
    "octave",
    "guile",
    "racket",
    "sbcl",
    "clisp",
    "ecl",
    "scheme",
    "csi",
    "gosh",
    "emacs",
    "erl",
    "escript",
    "elixir",
    "iex",
    "java",
    "jshell",
    "groovy",
    "scala",
    "kotlin",
    "kotlinc",
    "clojure",
    "clj",
    "bb",
    "dotnet",
    "mono",
    "swift",
    "ghci",
    "runghc",
    "runhaskell",
    "ocaml",
    "swipl",
    "gforth",
    "wasmtime",
    "wasmer",
    "gdb",
    "lldb",
    // their own languages run in them
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "original-awk",
    "vi",
    "vim",
    "vim.basic",
    "vim.tiny",
    "nvim",
    "ex",
});

/// Digits and dots, which may follow a dash.
bool is_version(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace

bool is_interpreter(std::string_view path) noexcept {
  const auto name = path.substr(path.rfind('/') + 1);
  return std::any_of(kInterpreters.begin(), kInterpreters.end(),
                     [name](auto known) { return name.starts_with(known) && is_version(name.substr(known.size())); });
}

}  // namespace lnk::host
