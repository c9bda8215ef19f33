# How every folder declares what it builds: one function for each kind of target, so that flags, visibility, output
# folders and test names are decided in one place.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The build tree mirrors the install tree, so that libberth.so finds its plugins and its config beside itself in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(BERTH_PLUGIN_OUTPUT_DIRECTORY "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/berth/plugins")
set(BERTH_CONFIG_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/berth")

# ccache makes the second build of every lane cheap; nothing depends on it.
find_program(BERTH_CCACHE ccache)
if(BERTH_CCACHE AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${BERTH_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${BERTH_CCACHE}")
endif()

if(BERTH_BUILD_TESTS)
  include(GoogleTest)
  find_package(GTest REQUIRED)
endif()

# Warnings and sanitizers that all of our code is built with; never exported to users.
add_library(berth_build_flags INTERFACE)
target_compile_options(berth_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wvla
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi>
  $<$<BOOL:${BERTH_WERROR}>:-Werror>)
if(BERTH_SANITIZE)
  target_compile_options(berth_build_flags INTERFACE
    -fsanitize=${BERTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # gcc sees uninitialised values in instrumented std::regex that are not there (gcc bug 105562).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(berth_build_flags INTERFACE -fsanitize=${BERTH_SANITIZE})
endif()

# berth_add_folder(<folder>): adds it when it exists and BERTH_ONLY does not leave it out.
function(berth_add_folder folder)
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    return()
  endif()
  if(BERTH_ONLY AND folder IN_LIST BERTH_OPTIONAL_FOLDERS AND NOT folder IN_LIST BERTH_ONLY)
    return()
  endif()
  if(folder STREQUAL "tests" AND NOT BERTH_BUILD_TESTS)
    return()
  endif()
  if(folder STREQUAL "benchmarks" AND NOT BERTH_BUILD_BENCHMARKS)
    return()
  endif()
  add_subdirectory(${folder})
endfunction()
set(BERTH_OPTIONAL_FOLDERS abi core program loader module reference conformance plugins adapters lib tools benchmarks
                           examples)

# berth_component(<name> [PUBLIC targets...] [PRIVATE targets...])
# One folder of the runtime: all src/**.cpp, public headers in include/. Built as a static archive; lib/ puts all of them
# into libberth.so. Headers are installed by BerthInstall.
function(berth_component name)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp")
  add_library(berth_${name} STATIC ${sources})
  add_library(berth::${name} ALIAS berth_${name})
  target_include_directories(berth_${name}
    PUBLIC "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
    PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
  target_link_libraries(berth_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} berth_build_flags)
  set_property(GLOBAL APPEND PROPERTY BERTH_COMPONENTS berth_${name})
  set_property(GLOBAL APPEND PROPERTY BERTH_HEADER_FOLDERS "${CMAKE_CURRENT_SOURCE_DIR}/include/")
endfunction()

# berth_plugin(<name> SOURCES files... [PRIVATE targets...] [OUTPUT folder])
# A plugin file libberth_<name>.so whose only exported symbol is berth_plugin_query.
function(berth_plugin name)
  cmake_parse_arguments(arg "" "OUTPUT" "SOURCES;PRIVATE" ${ARGN})
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT "${BERTH_PLUGIN_OUTPUT_DIRECTORY}")
    set_property(GLOBAL APPEND PROPERTY BERTH_PLUGINS berth_plugin_${name})
  endif()
  add_library(berth_plugin_${name} MODULE ${arg_SOURCES})
  set_target_properties(berth_plugin_${name} PROPERTIES
    OUTPUT_NAME berth_${name} LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT}")
  target_link_libraries(berth_plugin_${name} PRIVATE berth::abi ${arg_PRIVATE} berth_build_flags)
  target_link_options(berth_plugin_${name} PRIVATE
    "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/plugin_exports.map" "LINKER:--exclude-libs,ALL")
  if(NOT BERTH_SANITIZE)
    target_link_options(berth_plugin_${name} PRIVATE "LINKER:--no-undefined")
  endif()
  set_target_properties(berth_plugin_${name} PROPERTIES
    LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/plugin_exports.map")
endfunction()

# berth_tool(<command> SOURCES files... [LINK targets...])
# An installed program bin/<command>.
function(berth_tool command)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(berth_tool_${command} ${arg_SOURCES})
  set_target_properties(berth_tool_${command} PROPERTIES OUTPUT_NAME ${command})
  target_link_libraries(berth_tool_${command} PRIVATE ${arg_LINK} berth_build_flags)
  set_property(GLOBAL APPEND PROPERTY BERTH_TOOLS berth_tool_${command})
endfunction()

# berth_tests(<layer, e.g. unit.core> LINK targets... [LABELS labels...] [DEPENDS targets...] [SOURCES extra files...]
#             [INCLUDE folders...] [DEFINITIONS macros...] [TIMEOUT seconds])
# All *_test.cpp of the calling folder as one executable; every case is a test of its own named <layer>.<Suite>.<Name>.
# The target all_tests builds these executables and what they need, and nothing else.
function(berth_tests layer)
  cmake_parse_arguments(arg "" "TIMEOUT" "LINK;LABELS;DEPENDS;SOURCES;INCLUDE;DEFINITIONS" ${ARGN})
  string(REPLACE "." "_" target "test_${layer}")
  # The thread sanitizer's lane is for races: it builds the tests of threads only.
  set(pattern "*_test.cpp")
  if(BERTH_SANITIZE STREQUAL "thread")
    set(pattern "*_thread_test.cpp")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
  if(NOT sources)
    return()
  endif()
  add_executable(${target} ${sources} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${target} PRIVATE
    ${arg_LINK} berth_test_support GTest::gmock GTest::gtest GTest::gtest_main berth_build_flags)
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" ${arg_INCLUDE})
  target_compile_definitions(${target} PRIVATE
    BERTH_TEST_PLUGIN_DIR="${BERTH_PLUGIN_OUTPUT_DIRECTORY}"
    BERTH_TEST_CONFIG_DIR="${BERTH_CONFIG_OUTPUT_DIRECTORY}"
    BERTH_TEST_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    BERTH_TEST_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    ${arg_DEFINITIONS})
  if(NOT TARGET all_tests)
    add_custom_target(all_tests)
  endif()
  add_dependencies(all_tests ${target})
  if(arg_DEPENDS)
    add_dependencies(${target} ${arg_DEPENDS})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  gtest_discover_tests(${target} TEST_PREFIX "${layer}." NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()
