# cmake -DBUILD=<build tree> -DTREE=<installed tree> -P names_no_build_folder.cmake
# Text files of an installed tree that can be moved name neither the build tree nor the folder first installed in.
file(GLOB_RECURSE files "${TREE}/*.cmake" "${TREE}/*.toml" "${TREE}/*.h" "${TREE}/*.hpp")
if(NOT files)
  message(FATAL_ERROR "no files in ${TREE}")
endif()
foreach(file IN LISTS files)
  file(READ "${file}" text)
  string(FIND "${text}" "${BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names ${BUILD}")
  endif()
endforeach()
