# Finds CUDA. Sets REDUCELAB_HAVE_CUDA and REDUCELAB_CUDA_SUMMARY, and enables the language if it is
# there; a machine without it builds everything else.
set(REDUCELAB_CUDA AUTO CACHE STRING "build the CUDA parts: AUTO (if nvcc is found), ON or OFF")
set_property(CACHE REDUCELAB_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT REDUCELAB_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "REDUCELAB_CUDA is \"${REDUCELAB_CUDA}\"; it must be AUTO, ON or OFF")
endif()

set(REDUCELAB_HAVE_CUDA OFF)
if(REDUCELAB_CUDA STREQUAL "OFF")
  set(REDUCELAB_CUDA_SUMMARY "no (REDUCELAB_CUDA=OFF)")
  return()
endif()

# The toolkit's installer puts nvcc beside the search path, not on it.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(REDUCELAB_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
               PATH_SUFFIXES bin)
  mark_as_advanced(REDUCELAB_NVCC)
  if(REDUCELAB_NVCC)
    set(CMAKE_CUDA_COMPILER ${REDUCELAB_NVCC})
  endif()
endif()
include(CheckLanguage)
check_language(CUDA)

if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(REDUCELAB_HAVE_CUDA ON)
  set(REDUCELAB_CUDA_SUMMARY "yes (${CUDAToolkit_VERSION}, ${CMAKE_CUDA_COMPILER})")
elseif(REDUCELAB_CUDA STREQUAL "ON")
  message(FATAL_ERROR "REDUCELAB_CUDA=ON, but no working nvcc was found; put it on PATH, set CUDACXX,"
                      " or configure with -DREDUCELAB_CUDA=AUTO")
else()
  set(REDUCELAB_CUDA_SUMMARY "no (no working nvcc found)")
endif()
