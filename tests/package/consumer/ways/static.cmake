find_package(dora REQUIRED COMPONENTS static)
target_link_libraries(ticker PRIVATE dora::static)
target_link_libraries(listener PRIVATE dora::static)
target_compile_features(listener PRIVATE cxx_std_17)
