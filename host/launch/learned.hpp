// SPDX-License-Identifier: Apache-2.0
//
// The programs that a run started, as the lines of a spec that would allow them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "launch/wall.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

struct ProgramGround;

class LearnedPrograms {
 public:
  /// What the list is made for.
  struct Ground {
    const Grants& spec;  ///< with the list that stands in it
    const std::vector<std::string>& closed;
    bool is_whole = true;
  };

  /// `started`: the command itself, by the name that was typed.
  explicit LearnedPrograms(Program started) : started_(std::move(started)) {}

  void add(const SeenProgram& program);
  /// False where there were more than are kept, or one could not be told.
  [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }

  /// Whether nothing was started at all.
  [[nodiscard]] bool is_empty() const noexcept { return programs_.empty(); }

  /// The whole [commands] of the spec, to stand in the place of what stands there: TOML, with why each was started,
  /// and why some can't be listed, as comments.
  [[nodiscard]] std::string as_toml(const Ground& ground) const;

 private:
  struct Learned {
    std::string path;
    std::vector<std::string> parents;  ///< in order, each once; empty of the command itself
    std::string script;                ///< the first that it was started for, as its interpreter
    std::string interpreter;           ///< with links followed, where it is a script
  };
  struct Offer {
    const Learned* learned;
    GrantedProgram program;
    std::string fault;  ///< why it can't be listed; empty: it can
  };
  /// Why it can't be listed, whatever else is; empty: it can.
  [[nodiscard]] static std::string fault_of(const Learned& learned, const ProgramGround& ground);
  [[nodiscard]] std::vector<Offer> offers(const Ground& ground) const;
  [[nodiscard]] std::string is_interpreter_of(const SeenProgram& program);
  [[nodiscard]] std::string why_of(const Learned& learned) const;
  [[nodiscard]] std::string told(const std::string& path) const;
  [[nodiscard]] bool is_started(const Learned& learned) const;

  Program started_;
  std::vector<Learned> programs_;              ///< in order of first use
  std::map<std::string, std::size_t> places_;  ///< by path
  std::map<std::string, std::size_t> last_;    ///< by what started them: the one told of last
  bool is_whole_ = true;
};

}  // namespace lnk::host
