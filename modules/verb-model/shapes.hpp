// SPDX-License-Identifier: Apache-2.0
//
// What a request's body may hold, as shapes: each object's members, and for each member what it may be. Written as text in
// tables/, read once. What no shape names goes.
//
//   shape NAME [like OTHER]      an object of these members
//   proto NAME [like OTHER]      as shape, in protobuf's JSON: each member under its lowerCamelCase and its snake_case name
//   union NAME by TAG [like …]   objects told apart by a member's text, each line one text and its shape; `-` is none or null
//   keyed                        in front of shape or proto: one that has lost all its members goes itself
//   tools                        in front: definitions of tools, whose going is noted and whose choice is mended
//
// Below it, one line for members that are alike: `name,name… TYPE`, and `name!` where the object goes without it, but where the provider's tools are left
// (without it that would be one of them); `name!!` where it goes in any case. A TYPE is
//   any        kept as it is, whatever it holds: schemas, arguments, what the program alone reads
//   scalar     text, number, true, false
//   'text'     that text alone; several by |
//   model      a model's name; model! where the request must name one
//   url        what the provider would fetch: data: alone
//   inline     bytes in base64, or a data: URL: no URL of another scheme
//   beta       a beta's name, by the list
//   state      what the provider keeps for its key: refused unless null or false
//   server     of a tool that the provider runs: kept where those are left, and as it is
//   false!     written as false, whatever it was
//   NAME       an object of that shape
//   [TYPE]     an array of them; what doesn't fit goes, and an array that is emptied so goes too
//   {TYPE}     an object of any names
// and several of these, for different kinds of value, by |. Null is kept everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::verb_model {

enum class ScalarUse : std::uint8_t { Goes, Kept, Text, Model, Url, Inline, Beta, State, Server, False };

inline constexpr int kGoes = -1;
inline constexpr int kAny = -2;

/// What a value may be, by its kind.
struct Type {
  ScalarUse scalar = ScalarUse::Goes;
  int object = kGoes;             ///< a shape, kAny or kGoes
  int array = kGoes;              ///< its elements' type, kAny or kGoes
  int map = kGoes;                ///< an object of any names: its members' type
  std::vector<std::string> texts = {};  ///< ScalarUse::Text
};

struct Member {
  int type = kGoes;
  int number = 0;  ///< one for both spellings of a name
  bool is_needed = false;
  bool is_always_needed = false;
};

struct Shape {
  std::string name;
  bool is_tools = false;
  bool is_keyed = false;
  bool is_proto = false;
  bool needs_model = false;
  bool has_needed = false;
  bool has_forced = false;
  std::string tag;                                   ///< of a union; empty: it is none
  std::map<std::string, int, std::less<>> variants;  ///< a union's: the tag's text, "-" for none, to shapes
  std::map<std::string, Member, std::less<>> members;
  std::set<std::string, std::less<>> lax_names;      ///< of the members
  int member_count = 0;
};

/// A name as lax readers compare it: without case, and without what joins words. Go's JSON takes "Tools" for "tools".
[[nodiscard]] std::string lax_name(std::string_view name);

class Shapes {
 public:
  /// errors: Invalid, with the line: a mistake in a table, found by the tests.
  static Result<Shapes> read(const std::vector<std::string_view>& tables);

  /// kGoes where there is none.
  [[nodiscard]] int find(std::string_view name) const noexcept;
  [[nodiscard]] const Shape& shape(int at) const noexcept { return shapes_[static_cast<std::size_t>(at)]; }
  [[nodiscard]] const Type& type(int at) const noexcept { return types_[static_cast<std::size_t>(at)]; }

 private:
  friend class TableReader;
  std::vector<Shape> shapes_;
  std::vector<Type> types_;
  std::map<std::string, int, std::less<>> names_;
};

}  // namespace lnk::verb_model
