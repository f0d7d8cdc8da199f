/* An operator, which does not compile. */
#include "operator_api.h"

DoraInitResult_t dora_init_operator(void) {
    DoraInitResult_t result;
    return result;
}
