# SPDX-License-Identifier: Apache-2.0
#
# lnk_add_module(<id> SOURCES <file>… [LINK <library>…] [OUTPUT_DIRECTORY <folder>] [NO_INSTALL])
#
# Builds a module of lnk-sandbox: <id>.so, which exports lnk_module_v1 and nothing else, and is installed as component <id>
# in the folder where the host looks for modules. The same sources are built a second time as the static library
# <id>_static, in which the table is named lnk_module_v1_<id> (each '-' as '_'), so that tests and fuzzers of several
# modules link into one program. <id>_static is built only where something links it.
#
# Used in the source tree of lnk-sandbox and, by find_package(LnkSandboxSdk), outside of it.

include_guard(GLOBAL)

# The host looks in <its own folder>/../lib/lnk-sandbox/modules, whatever a distribution names its library folder.
set(LNK_MODULE_INSTALL_DIR "lib/lnk-sandbox/modules" CACHE STRING "Where modules are installed, below the prefix")

function(_lnk_common target)
  target_link_libraries(${target} PRIVATE LnkSandbox::sdk ${ARGN})
  # Inside the tree: its warnings and hardening. An author's own flags stand outside of it.
  if(TARGET lnk_build)
    target_link_libraries(${target} PRIVATE lnk_build)
  endif()
  set_target_properties(${target} PROPERTIES
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  # A unique symbol is shared by all libraries of a process, whatever their scope; clang makes none.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>
                                           -ffunction-sections -fdata-sections)
endfunction()

function(lnk_add_module id)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_INSTALL" "OUTPUT_DIRECTORY" "SOURCES;LINK")
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "lnk_add_module(${id}): no SOURCES")
  endif()
  if(NOT id MATCHES "^[a-z0-9][a-z0-9-]*$")
    message(FATAL_ERROR "lnk_add_module(${id}): an id is made of a-z, 0-9 and '-'")
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/lnk-sandbox/modules")
  endif()

  set(map "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lnk_module.map")

  add_library(${id} MODULE ${arg_SOURCES})
  _lnk_common(${id} ${arg_LINK})
  set_target_properties(${id} PROPERTIES
    PREFIX ""
    SUFFIX ".so"
    LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIRECTORY}"
    LINK_DEPENDS "${map}")
  target_link_options(${id} PRIVATE "LINKER:--version-script=${map}" "LINKER:-z,now" "LINKER:-z,relro"
                                    "LINKER:-z,nodelete" "LINKER:--gc-sections")
  # Sanitizers leave their runtime to the program that loads the module.
  if(NOT LNK_SANITIZE AND NOT "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    # Nothing of C++ crosses the boundary, so each module brings its runtime, and works beside any other.
    target_link_options(${id} PRIVATE "LINKER:-z,defs" -static-libstdc++ -static-libgcc)
  endif()
  if(NOT arg_NO_INSTALL)
    install(TARGETS ${id} LIBRARY DESTINATION "${LNK_MODULE_INSTALL_DIR}" COMPONENT ${id})
  endif()

  string(REPLACE "-" "_" static_id "${id}")
  add_library(${id}_static STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
  _lnk_common(${id}_static ${arg_LINK})
  target_compile_definitions(${id}_static PRIVATE LNK_STATIC_ID=${static_id})
endfunction()
