# Build switches, compiler flags and the helper that every component uses to declare its library.
option(REDUCELAB_TESTS "build the tests and benchmarks" ON)
option(REDUCELAB_GUI "build the desktop program (Qt 6)" ON)
option(REDUCELAB_WERROR "treat warnings as errors" OFF)
set(REDUCELAB_SANITIZE "" CACHE STRING "sanitizers to build with, e.g. address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(reducelab_flags INTERFACE)
# For C++ only: nvcc spells its own.
set(warnings -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # false alarms in std::string (GCC bug 105651)
endif()
if(REDUCELAB_WERROR)
  list(APPEND warnings -Werror)
endif()
target_compile_options(reducelab_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
if(REDUCELAB_SANITIZE)
  target_compile_options(reducelab_flags INTERFACE -fsanitize=${REDUCELAB_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(reducelab_flags INTERFACE -fsanitize=${REDUCELAB_SANITIZE})
endif()

# reducelab_library(name SOURCES a.cpp ... PUBLIC dep ... PRIVATE dep ...)
function(reducelab_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE reducelab_flags ${ARG_PRIVATE})
endfunction()
