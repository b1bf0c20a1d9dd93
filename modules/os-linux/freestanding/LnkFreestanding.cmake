# SPDX-License-Identifier: Apache-2.0
# Programs without a C library: static, not position-independent, no stack protector (which needs one), so that executing
# one maps two pages and runs no start-up code. Warnings as everywhere; hardening that needs a runtime can't be had.
function(lnk_add_freestanding target)
  add_executable(${target} ${ARGN})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE OFF
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/lnk-sandbox/os-linux")
  target_compile_options(${target} PRIVATE
    -O2 -ffreestanding -fno-pie -fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none
    -U_FORTIFY_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef
    $<$<C_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>)
  target_link_options(${target} PRIVATE -static -nostdlib -no-pie -Wl,-z,noexecstack -Wl,-z,noseparate-code
                                        -Wl,--build-id=none -Wl,--gc-sections)
  install(TARGETS ${target} RUNTIME DESTINATION lib/lnk-sandbox/os-linux COMPONENT os-linux)
endfunction()
