# weir_plugins(module folder KIND): every folder/<name>/ is one plugin of that kind (OPERATOR, FORMAT, COMMAND,
# MODEL_FUNCTION); a folder golden/ beside them holds data that their tests share.
# Its sources join the module, *_test.cc its tests, *_bench.cc its benches, *_fuzz.cc the fuzz drivers,
# each .cl is embedded as text and built for the host, and the catalogue gains the line WEIR_<KIND>(<name>).
# A plugin may be a single file folder/<name>.cc (commands).
function(weir_plugins module folder kind)
  file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*)
  foreach(entry IN LISTS entries)
    cmake_path(GET entry FILENAME name)
    if(name STREQUAL "golden")
      continue()
    elseif(IS_DIRECTORY ${entry})
      weir_plugin_folder(${module} ${entry} ${name})
    elseif(name MATCHES "_test\\.cc$")
      set_property(GLOBAL APPEND PROPERTY WEIR_TESTS_${module} ${entry})
      continue()
    elseif(name MATCHES "^([a-z0-9_]+)\\.cc$")
      set(name ${CMAKE_MATCH_1})
      target_sources(weir_${module} PRIVATE ${entry})
    else()
      continue()
    endif()
    set_property(GLOBAL APPEND PROPERTY WEIR_${kind}S ${name})
  endforeach()
endfunction()

function(weir_plugin_folder module folder name)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  foreach(source IN LISTS sources)
    if(source MATCHES "_test\\.cc$")
      set_property(GLOBAL APPEND PROPERTY WEIR_TESTS_${module} ${source})
    elseif(source MATCHES "_bench\\.cc$")
      set_property(GLOBAL APPEND PROPERTY WEIR_BENCHES_${module} ${source})
    elseif(source MATCHES "_fuzz\\.cc$")
      set_property(GLOBAL APPEND PROPERTY WEIR_FUZZ_${module} ${source})
    else()
      target_sources(weir_${module} PRIVATE ${source})
      weir_build_for_each_target(${source})
    endif()
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h)
  list(FILTER headers EXCLUDE REGEX "internal")
  target_sources(weir_${module} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  file(GLOB kernels CONFIGURE_DEPENDS ${folder}/*.cl)
  foreach(kernel IN LISTS kernels)
    weir_embed_kernel(${module} ${kernel})
  endforeach()
endfunction()

# ops/iir/iir.cl becomes the KernelSource `weir::kernels::kIir`, declared in generated/…/iir_cl.h: its text for devices
# and every `KERNEL void name(` of it as C++, once with `real` = float and once with `real` = double.
function(weir_embed_kernel module kernel)
  cmake_path(RELATIVE_PATH kernel BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
  cmake_path(GET kernel STEM stem)
  cmake_path(GET relative PARENT_PATH parent)
  set(generated ${PROJECT_BINARY_DIR}/generated/${parent}/${stem})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel})
  set_property(GLOBAL APPEND PROPERTY WEIR_KERNELS ${parent}/${stem})
  file(READ ${kernel} text)
  weir_camel_case(${stem} camel)
  string(REGEX MATCHALL "KERNEL[ \n]+void[ \n]+[a-z0-9_]+" declarations "${text}")
  set(entries "")
  foreach(declaration IN LISTS declarations)
    string(REGEX REPLACE ".*[ \n]" "" entry "${declaration}")
    string(APPEND entries "    host_entry<&${stem}::float32::${entry}, &${stem}::float64::${entry}>(\"${entry}\"),\n")
  endforeach()
  file(CONFIGURE OUTPUT ${generated}_cl.h @ONLY CONTENT [=[
// Generated from @relative@.
#pragma once
#include "weir/compute/kernel_source.h"
namespace weir::kernels {
extern const compute::KernelSource k@camel@;
}
]=])
  file(CONFIGURE OUTPUT ${generated}_host.cc @ONLY CONTENT [=[
// Generated from @relative@.
#include "@parent@/@stem@_cl.h"
#include "weir/compute/dialect/host.h"
#include "weir/compute/host_entry.h"
namespace weir::kernels {
namespace {
namespace @stem@ {
namespace float32 {
using real = float;
#include "@relative@"
}  // namespace float32
namespace float64 {
using real = double;
#include "@relative@"
}  // namespace float64
}  // namespace @stem@
using compute::host_entry;
constexpr compute::KernelEntry kEntries[] = {
@entries@};
}  // namespace
constinit const compute::KernelSource k@camel@{"@relative@", R"cl(@text@)cl", kEntries};
}  // namespace weir::kernels
]=])
  target_sources(weir_${module} PRIVATE ${generated}_host.cc)
  # The text is C: it converts between number types without saying so.
  set_source_files_properties(${generated}_host.cc PROPERTIES COMPILE_OPTIONS "-Wno-conversion;-Wno-unused-function")
endfunction()

# fir_edges -> FirEdges
function(weir_camel_case stem result)
  string(REPLACE "_" ";" words ${stem})
  set(camel "")
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND camel ${first}${rest})
  endforeach()
  set(${result} ${camel} PARENT_SCOPE)
endfunction()

# Gives weir_testing the list of every kernel file of the tree (weir/testing/kernel_list.h).
function(weir_list_kernels)
  get_property(kernels GLOBAL PROPERTY WEIR_KERNELS)
  list(SORT kernels)
  set(includes "")
  set(names "")
  foreach(kernel IN LISTS kernels)
    cmake_path(GET kernel FILENAME stem)
    weir_camel_case(${stem} camel)
    string(APPEND includes "#include \"${kernel}_cl.h\"\n")
    string(APPEND names "&kernels::k${camel}, ")
  endforeach()
  set(list ${PROJECT_BINARY_DIR}/generated/weir/testing/kernel_list.cc)
  file(CONFIGURE OUTPUT ${list} @ONLY CONTENT [=[
// Generated: every .cl of the tree.
#include "weir/testing/kernel_list.h"
@includes@
namespace weir::testing {
std::vector<const compute::KernelSource*> all_kernels() {
  return {@names@};
}
}  // namespace weir::testing
]=])
  target_sources(weir_testing PRIVATE ${list})
endfunction()
