# Writes OUTPUT: the texts of FILES, by their names without ending, for engine/opencl/context.hpp.
set(text "#include \"engine/opencl/context.hpp\"\n\nnamespace antipode::opencl {\n\nstd::string_view kernel_source(std::string_view file) {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} source)
  string(APPEND text "  if (file == \"${name}\") return R\"cl(${source})cl\";\n")
endforeach()
string(APPEND text "  return {};\n}\n\n}  // namespace antipode::opencl\n")
file(WRITE ${OUTPUT} "${text}")
