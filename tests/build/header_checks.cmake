# One object per header that includes it first and twice, in a library that only the test builds.
set(sources "")
foreach(component core algorithms topologies cuda_exec sim experiments gui)
  if(component STREQUAL "gui" AND NOT REDUCELAB_GUI)
    continue()
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/${component}/*.h)
  foreach(header IN LISTS headers)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source}
         CONTENT "#include \"@header@\"\n#include \"@header@\"  // NOLINT: must be guarded\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
endforeach()

add_library(reducelab_header_checks OBJECT EXCLUDE_FROM_ALL ${sources})
target_include_directories(reducelab_header_checks PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(reducelab_header_checks PRIVATE fmt::fmt reducelab_flags)
if(REDUCELAB_GUI)
  target_link_libraries(reducelab_header_checks PRIVATE Qt6::Widgets)
endif()
# Only whether it compiles matters, so nothing is spent on code or debug information.
target_compile_options(reducelab_header_checks PRIVATE -O0 -g0)
add_test(NAME build.every_header_compiles_on_its_own
         COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target reducelab_header_checks)
set_tests_properties(build.every_header_compiles_on_its_own PROPERTIES RUN_SERIAL ON)
