// The header among the macros of X11 and of windows.h, which take names that C++ code likes to use.
// Environment: DORA_TEST_WITH_INPUTS=send.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0

// The standard library comes first, as it would; then what <X11/X.h>, <X11/Xlib.h> and <windows.h> define.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#define None 0L
#define Success 0
#define Bool int
#define Status int
#define True 1
#define False 0
#define Always 2
#define Unsorted 0
#define Above 0
#define Below 1
#define KeyPress 2
#define Complex 0
#define InputOutput 1
#define InputOnly 2
#define ERROR 0
#define IN
#define OUT
#define OPTIONAL
#define DELETE (0x00010000L)
#define STRICT 1
#define OPAQUE 2
#define TRANSPARENT 1
#define near
#define far
#define small char
#define interface struct
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define GetMessage GetMessageW
#define CreateEvent CreateEventW
#define Yield()
// Qt's, too.
#define emit
#define slots
#define signals public
#define foreach for

#include "check.hpp"

int main() {
    dora::Node node;
    int inputs = 0;
    int others = 0;
    for (dora::Event &event : node.events())
        dora::visit(
            event,
            [&](const dora::Input &input) {
                node.send("echo", input.event.values<float>(), input.event.metadata());
                ++inputs;
            },
            [&](const dora::Event &) { ++others; });
    CHECK(inputs == 1 && others == 1 && node.read(std::chrono::milliseconds(1)).closed());
    return check::result("hostile_macros");
}
