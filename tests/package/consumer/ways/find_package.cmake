find_package(dora REQUIRED)
target_link_libraries(ticker PRIVATE dora::dora)
target_link_libraries(listener PRIVATE dora::cxx)
