// Every C++ program that was written against dora's header has it in an extern "C", with nothing in front.
extern "C" {
#include "node_api.h"
#include "operator_api.h"
#include "operator_types.h"
}

#include <string>

int send(void *context);
int send(void *context) {
    std::string out = "out";
    return dora_send_output(context, &out[0], out.length(), out.data(), out.size());
}
