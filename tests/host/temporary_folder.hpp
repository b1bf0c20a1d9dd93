// SPDX-License-Identifier: Apache-2.0
//
// A folder of a test's own, 0700, that goes with its value.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::canonical(std::filesystem::temp_directory_path()) / "lnk-host-XXXXXX") {
    std::string name = path_.native();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code gone;
    std::filesystem::remove_all(path_, gone);
  }

  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).native(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::string folder(const std::string& name) const {
    std::filesystem::create_directories(path_ / name);
    return *this / name;
  }
  std::string file(const std::string& name, const std::string& text = "x") const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return *this / name;
  }
  std::string link(const std::string& name, const std::string& target) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::filesystem::create_symlink(target, path_ / name);
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};
