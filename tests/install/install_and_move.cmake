# cmake -DBUILD=<build tree> -DTREE=<folder> -P install_and_move.cmake
# Installs the build into one folder and moves it to TREE.
file(REMOVE_RECURSE "${TREE}" "${TREE}.first")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${TREE}.first"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${TREE}.first" "${TREE}")
