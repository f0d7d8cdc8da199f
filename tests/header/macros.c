/* The macros of others are in force when the header comes, in capitals and not. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "macros.h"

#include <dora/dora.h>
