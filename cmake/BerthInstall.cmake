# What `cmake --install` puts where, in four components:
#   runtime  libberth.so and the berth command
#   plugins  the plugin files, beside the library
#   config   the packaged registry files
#   dev      headers and the CMake package `berth`
# The layout is that of the build tree, and the library finds plugins and registry files relative to itself, so that an
# installed tree can be moved.
include(CMakePackageConfigHelpers)

set(BERTH_INSTALL_PLUGINDIR "${CMAKE_INSTALL_LIBDIR}/berth/plugins")
set(BERTH_INSTALL_CONFIGDIR "${CMAKE_INSTALL_DATADIR}/berth")
set(BERTH_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/berth")
get_property(berth_plugins GLOBAL PROPERTY BERTH_PLUGINS)
get_property(berth_tools GLOBAL PROPERTY BERTH_TOOLS)
get_property(berth_header_folders GLOBAL PROPERTY BERTH_HEADER_FOLDERS)

# Everything that is installed: what `scripts/quickstart` builds.
add_custom_target(product)

if(TARGET berth)
  install(TARGETS berth EXPORT BerthTargets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT dev)
  add_dependencies(product berth)
endif()

foreach(tool IN LISTS berth_tools)
  set_target_properties(${tool} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS ${tool} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime)
  add_dependencies(product ${tool})
endforeach()

if(TARGET berth_cli)
  set_target_properties(berth_cli PROPERTIES EXPORT_NAME cli)
  install(TARGETS berth_cli EXPORT BerthTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
endif()

foreach(plugin IN LISTS berth_plugins)
  install(TARGETS ${plugin} LIBRARY DESTINATION "${BERTH_INSTALL_PLUGINDIR}" COMPONENT plugins)
  add_dependencies(product ${plugin})
endforeach()

install(DIRECTORY config/ DESTINATION "${BERTH_INSTALL_CONFIGDIR}" COMPONENT config
  FILES_MATCHING PATTERN "*.toml" PATTERN "README.md")

foreach(folder IN LISTS berth_header_folders)
  install(DIRECTORY "${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev)
endforeach()

install(EXPORT BerthTargets NAMESPACE berth:: DESTINATION "${BERTH_INSTALL_CMAKEDIR}" COMPONENT dev)
configure_package_config_file(cmake/berth-config.cmake.in "${PROJECT_BINARY_DIR}/berth-config.cmake"
  INSTALL_DESTINATION "${BERTH_INSTALL_CMAKEDIR}"
  PATH_VARS BERTH_INSTALL_PLUGINDIR BERTH_INSTALL_CONFIGDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/berth-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/berth-config.cmake" "${PROJECT_BINARY_DIR}/berth-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/BerthPlugin.cmake" "${PROJECT_SOURCE_DIR}/cmake/plugin_exports.map"
  DESTINATION "${BERTH_INSTALL_CMAKEDIR}" COMPONENT dev)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
