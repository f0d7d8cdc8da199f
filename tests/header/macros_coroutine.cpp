// The macros of others are in force when the optional header comes, after what it includes.
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <dora/dora.hpp>

#include "macros.h"

#include <dora/coroutine.hpp>

// What a compiler makes of a template shows where it is used.
dora::Task<int> count(dora::AsyncReader &reader) {
    int events = 0;
    while (dora::ReadResult read = co_await reader.read())
        ++events;
    co_return events;
}

dora::Task<> await(dora::AsyncReader &reader) {
    if (co_await count(reader) > 0)
        co_await reader.read();
}
