// SPDX-License-Identifier: Apache-2.0
//
// The settings folder: 0700, its files 0600, written whole by rename. Closed to every sandbox whatever its spec.
// Guarantees: a file read here is the person's own and nobody else's to write; a setting that can't be read is an error
// that names it, never an empty default. Every name is taken below the folder's descriptor and no link is followed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

class Settings {
 public:
  /// `$LNK_HOME`, else `$XDG_CONFIG_HOME/link`, else `~/.config/link`, from this process's environment.
  [[nodiscard]] static Result<std::filesystem::path> default_folder();

  enum class Missing { Make, Refuse };

  /// Opens the folder.
  /// errors: Denied where it is another's, or others may enter it; Gone where it is missing and not to be made
  [[nodiscard]] static Result<Settings> open(const std::filesystem::path& folder, Missing missing = Missing::Make);

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// The text of `name` ("approved/ab12.json"); nothing where there is none.
  [[nodiscard]] Result<std::optional<std::string>> read(std::string_view name) const;
  /// The file of `name`, to read; not open where there is none.
  [[nodiscard]] Result<UniqueFd> open_file(std::string_view name) const;
  enum class Flush { Yes, No };  ///< No: for what is worth nothing after the boot
  [[nodiscard]] Status write(std::string_view name, std::string_view text, Flush flush = Flush::Yes) const;
  /// Makes a file whose lock (flock(2)) this process holds as long as the descriptor is open: nobody holds that of a process which is
  /// gone. errors: Again where the name is taken
  [[nodiscard]] Result<UniqueFd> make_held(std::string_view name, std::string_view text) const;
  /// Gives a file another name of its folder, in one step. False: there is none of that name.
  [[nodiscard]] Result<bool> rename(std::string_view name, std::string_view to) const;
  /// As remove. True: it was there, and this call alone took it away.
  [[nodiscard]] Result<bool> take_away(std::string_view name) const;
  /// Waits for the one lock of this name (flock(2)); it is given up with the descriptor, and with the process.
  [[nodiscard]] Result<UniqueFd> lock(std::string_view name) const;
  /// Nothing to remove is no error.
  [[nodiscard]] Status remove(std::string_view name) const;
  /// Removes an empty folder of the settings; one that isn't there is no error.
  [[nodiscard]] Status remove_folder(std::string_view subfolder) const;
  /// The names in a folder of the settings, sorted; none where the folder is missing.
  [[nodiscard]] Result<std::vector<std::string>> list(std::string_view subfolder) const;
  /// Makes a folder of the settings, 0700.
  [[nodiscard]] Status make_folder(std::string_view subfolder) const;

 private:
  /// A file that is being written.
  struct Draft {
    UniqueFd fd;
    std::string name;  ///< empty: it has none yet
  };

  [[nodiscard]] Result<Draft> open_draft(const std::string& name, const std::string& parent) const;
  /// Gives a written file its name, over what had it before.
  [[nodiscard]] Status give_name(Draft& draft, const std::string& name) const;
  /// Those of this name whose writers are gone.
  void clear_dead_drafts(const std::filesystem::path& file) const;

  Settings(std::filesystem::path folder, UniqueFd fd) : folder_(std::move(folder)), fd_(std::move(fd)) {}

  std::filesystem::path folder_;
  UniqueFd fd_;
};

}  // namespace lnk::host
