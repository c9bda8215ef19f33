# berth_add_plugin(<name> SOURCES files... [LINK targets...])
# A plugin module libberth_<name>.so in C or C++ whose only exported symbol is berth_plugin_query, with everything it
# links statically kept private. LINK lists its own libraries; a driver's library is better opened with dlopen, so that
# a host without the driver can still load the plugin and be told so.
set(BERTH_PLUGIN_EXPORTS "${CMAKE_CURRENT_LIST_DIR}/plugin_exports.map")

function(berth_add_plugin name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} MODULE ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME berth_${name}
    PREFIX lib
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${BERTH_PLUGIN_EXPORTS}")
  target_link_libraries(${name} PRIVATE berth::abi ${arg_LINK})
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${BERTH_PLUGIN_EXPORTS}" "LINKER:--exclude-libs,ALL" "LINKER:--no-undefined")
endfunction()
