/* Arrow's own definition of the two structures comes first. */
#include <arrow/c/abi.h>

#include <dora/dora.h>

struct ArrowSchema schema;
struct ArrowArray array;
