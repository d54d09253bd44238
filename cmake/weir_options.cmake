# Compiler settings every Weir target shares, PRIVATE to us: users of the library do not inherit them.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
find_program(MOLD_PROGRAM mold)

add_library(weir_options INTERFACE)
# -ffp-contract=off: a fused multiply-add happens only where the source says so (promise P1).
target_compile_options(weir_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -ffp-contract=off -fvisibility-inlines-hidden)
if(WEIR_WERROR)
  target_compile_options(weir_options INTERFACE -Werror)
endif()
if(MOLD_PROGRAM)
  target_link_options(weir_options INTERFACE -fuse-ld=mold)
endif()
if(WEIR_FUZZ)
  target_compile_options(weir_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(WEIR_SANITIZE)
  target_compile_options(weir_options INTERFACE -fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(weir_options INTERFACE -fsanitize=${WEIR_SANITIZE})
endif()

# weir_build_for_each_target(SOURCES…): those that Highway compiles for several instruction sets. GCC puts a vzeroupper
# where AVX code ends only among its expensive optimizations, which -O1 lacks; without it every SSE instruction after
# such code, in the whole process, may wait a hundred times as long.
function(weir_build_for_each_target)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} uses REGEX "hwy/foreach_target\\.h")
    if(uses)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS
                   $<$<AND:$<CONFIG:Debug>,$<CXX_COMPILER_ID:GNU>>:-fexpensive-optimizations>)
    endif()
  endforeach()
endfunction()
