# How everything in this tree is built: warnings, hardening, sanitizers, the compiler cache. Not installed.

find_program(LNK_CCACHE ccache)
if(LNK_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${LNK_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${LNK_CCACHE}")
endif()

# The interface library that each target of this tree links privately.
add_library(lnk_build INTERFACE)
target_compile_options(lnk_build INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wformat=2 -Wundef
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast;-Wnon-virtual-dtor>
  # g++ 12 warns falsely once it inlines: of string = "x" in libstdc++ (GCC bug 105651), of a null pointer in Boost.JSON
  # and of strings in an aggregate; clang's own analysis of these stays on.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference>
  -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
  $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>
  $<$<CXX_COMPILER_ID:GNU>:-ftrivial-auto-var-init=zero>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-gnu-unique>)
target_compile_definitions(lnk_build INTERFACE _GNU_SOURCE $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
# A start pays for every page it maps: what nothing calls is left out.
target_compile_options(lnk_build INTERFACE -ffunction-sections -fdata-sections)
target_link_options(lnk_build INTERFACE -Wl,--gc-sections -Wl,-z,pack-relative-relocs -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed -Wl,--build-id=sha1)

if(LNK_SANITIZE)
  target_compile_options(lnk_build INTERFACE -fsanitize=${LNK_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer -O1 -g1)
  target_link_options(lnk_build INTERFACE -fsanitize=${LNK_SANITIZE})
else()
  # A start pays for every library it maps: the C++ runtime is linked in. What it takes of libm nothing of ours calls, and is
  # left out again; found in the shared one first it would be mapped for it.
  set(LNK_STATIC_RUNTIME -static-libstdc++ -static-libgcc -l:libstdc++.a -l:libm.a)
endif()
