/* The macros of others are in force when the header comes; see header/macros.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../header/macros.h"

#include "node_api.h"

#include "operator_api.h"
