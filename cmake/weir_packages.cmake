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

if(PROJECT_IS_TOP_LEVEL)
  find_package(GTest REQUIRED)
  find_package(benchmark REQUIRED)
endif()
