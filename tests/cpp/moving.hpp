// How an owner must behave, whatever it owns.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_TESTS_MOVING_HPP
#define DORA_TESTS_MOVING_HPP

#include "check.hpp"

#include <utility>

namespace check {

/// No more and no less is freed than was made, whatever is moved where. `ended` counts what was freed.
template <class Object, class Make> void moving(Make make_object, const int &ended) {
    const int before = ended;
    {
        Object a = make_object();
        Object b = std::move(a);
        CHECK(!a && b && a.get() == nullptr);
        Object &same = b;
        b = std::move(same);
        CHECK(b);
        a = std::move(b);
        b = make_object();
        b = std::move(a); // ends what b held
        CHECK(ended == before + 1);
        a.reset();
        b.reset();
        CHECK(ended == before + 2 && !b);
        b = make_object();
        Object taken(b.release());
        CHECK(!b && taken);
        using std::swap;
        swap(b, taken);
        CHECK(b && !taken);
    }
    CHECK(ended == before + 3);
}

} // namespace check

#endif // DORA_TESTS_MOVING_HPP
