# Third-party parts, one place. Heavy headers are included by one source file each.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)  # also seen by a project that has Weir as a subdirectory
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET GLOBAL libhwy)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET GLOBAL tomlplusplus)
pkg_check_modules(blosc REQUIRED IMPORTED_TARGET GLOBAL blosc)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET GLOBAL libzstd)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET GLOBAL zlib)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET GLOBAL liblz4)
pkg_check_modules(lzma REQUIRED IMPORTED_TARGET GLOBAL liblzma)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET GLOBAL libxxhash)
pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET GLOBAL hdf5-serial)
pkg_check_modules(flac IMPORTED_TARGET GLOBAL flac)  # without it WFDB's formats 508 to 524 are refused
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET GLOBAL cairo)

# Arrow C++: the system's, else what tools/install arrow took out of the pyarrow wheel. Without it weir_arrow is not
# built, and Parquet and Arrow files are refused with a sentence that says so.
set(WEIR_ARROW_ROOT ${PROJECT_SOURCE_DIR}/.venv/arrow CACHE PATH "Arrow C++ of the pyarrow wheel: include/ and lib/")
find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)
set(weir_arrow_files "")  # to install beside weir_arrow
if(TARGET Arrow::arrow_shared AND TARGET Parquet::parquet_shared)
  set(weir_arrow_libraries Arrow::arrow_shared Parquet::parquet_shared)
elseif(EXISTS ${WEIR_ARROW_ROOT}/include/arrow/api.h)
  add_library(weir_arrow_wheel INTERFACE IMPORTED)
  target_include_directories(weir_arrow_wheel SYSTEM INTERFACE ${WEIR_ARROW_ROOT}/include)
  target_link_libraries(weir_arrow_wheel INTERFACE ${WEIR_ARROW_ROOT}/lib/libarrow.so ${WEIR_ARROW_ROOT}/lib/libparquet.so)
  set(weir_arrow_libraries weir_arrow_wheel)
  file(GLOB weir_arrow_files ${WEIR_ARROW_ROOT}/lib/*.so.*)
else()
  set(weir_arrow_libraries "")
  message(STATUS "No Arrow C++: Parquet and Arrow files cannot be used (tools/install arrow brings it)")
endif()

# Minuit2: the system's, else built as a shared library of its own (LGPL) from the source that tools/install minuit2 took
# out of the iminuit source distribution. Without it, or without NLopt, fits that ask for it are refused.
set(WEIR_MINUIT2_ROOT ${PROJECT_SOURCE_DIR}/.venv/minuit2 CACHE PATH "C++ source of Minuit2: math/minuit2/inc and src")
find_package(Minuit2 CONFIG QUIET)
set(weir_minuit2_library "")
if(TARGET Minuit2::Minuit2)
  set(weir_minuit2_library Minuit2::Minuit2)
elseif(EXISTS ${WEIR_MINUIT2_ROOT}/math/minuit2/inc/Minuit2/FCNBase.h)
  set(weir_minuit2_library weir_minuit2_lgpl)  # made in weir/fit
else()
  message(STATUS "No Minuit2: fits have no MIGRAD and no MINOS (tools/install minuit2 brings it)")
endif()
pkg_check_modules(nlopt IMPORTED_TARGET GLOBAL nlopt)

if(PROJECT_IS_TOP_LEVEL)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()
