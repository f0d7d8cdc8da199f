/* Arrow's own definition of the two structures comes second. */
#include <dora/dora.h>

#include <arrow/c/abi.h>

struct ArrowSchema schema;
struct ArrowArray array;
