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
