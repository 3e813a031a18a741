# Every dependency is a distribution package (scripts/install-deps); nothing is downloaded here.
# All of them are looked for before the first complaint, so that one line names all that is missing.
set(REDUCELAB_MISSING "")

# reducelab_find(package target [find_package arguments...])
macro(reducelab_find package target)
  find_package(${package} QUIET ${ARGN})
  if(NOT TARGET ${target})
    list(APPEND REDUCELAB_MISSING ${package})
  endif()
endmacro()

# reducelab_find_module(name module): a library that comes with a pkg-config file only, as target
# PkgConfig::<name>. Its include directories count as system ones: warnings there are not ours.
macro(reducelab_find_module name module)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
  if(NOT TARGET PkgConfig::${name})
    list(APPEND REDUCELAB_MISSING ${module})
  endif()
endmacro()

find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  message(FATAL_ERROR "pkg-config is missing; run scripts/install-deps")
endif()

reducelab_find(fmt fmt::fmt)
reducelab_find(CLI11 CLI11::CLI11)
reducelab_find(nlohmann_json nlohmann_json::nlohmann_json)
reducelab_find(pugixml pugixml::pugixml)
find_package(tomlplusplus QUIET)
if(NOT TARGET tomlplusplus::tomlplusplus)
  reducelab_find_module(tomlplusplus tomlplusplus)
  if(TARGET PkgConfig::tomlplusplus)
    add_library(tomlplusplus::tomlplusplus ALIAS PkgConfig::tomlplusplus)
  endif()
endif()
reducelab_find_module(simgrid simgrid)
reducelab_find_module(sqlite3 sqlite3)
reducelab_find_module(zstd libzstd)
reducelab_find_module(hwy libhwy)
if(REDUCELAB_TESTS)
  reducelab_find(GTest GTest::gmock)
  reducelab_find(benchmark benchmark::benchmark)
endif()
if(REDUCELAB_GUI)
  reducelab_find(Qt6 Qt6::Widgets 6.4 COMPONENTS Widgets)
endif()

if(REDUCELAB_MISSING)
  list(JOIN REDUCELAB_MISSING ", " REDUCELAB_MISSING)
  message(FATAL_ERROR "missing libraries: ${REDUCELAB_MISSING}; run scripts/install-deps")
endif()

# SimGrid walks lists of small objects whose speed depends on where the allocator puts them: jemalloc
# makes its large runs half as long again. Sanitizers bring allocators of their own.
add_library(reducelab_allocator INTERFACE)
pkg_check_modules(jemalloc QUIET IMPORTED_TARGET jemalloc)
set(REDUCELAB_ALLOCATOR "the C library's")
if(TARGET PkgConfig::jemalloc AND NOT REDUCELAB_SANITIZE)
  target_link_libraries(reducelab_allocator INTERFACE -Wl,--no-as-needed PkgConfig::jemalloc)
  set(REDUCELAB_ALLOCATOR "jemalloc")
endif()
