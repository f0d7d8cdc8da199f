// Coroutines over a stand-in for the library, whose reads give what a script says, and which counts them:
// what wakes a coroutine and what does not, failures, destruction in each state.
//
// SPDX-License-Identifier: Apache-2.0
#include "../cpp/check.hpp"

#include <coroutine>
#include <deque>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <dora/coroutine.hpp>

struct dora_event_t {
    const char *input_id;
};

struct dora_node_t {
    std::deque<std::pair<dora_status_t, const char *>> script; // where it ends, reads time out
};

namespace {

int reads = 0;
int events_alive = 0;
const char *last_error = "";

} // namespace

extern "C" {
const char *dora_last_error(void) { return last_error; }
const char *dora_status_name(dora_status_t) { return "a name"; }

dora_status_t dora_node_event_fd(dora_node_t *node, int32_t *fd) {
    *fd = node != nullptr ? 7 : -1;
    return node != nullptr ? DORA_OK : DORA_ERROR_NULL_POINTER;
}
dora_status_t read_dora_event(dora_node_t *node, int64_t timeout_ns, dora_event_t **event) {
    CHECK(timeout_ns == 0);
    ++reads;
    *event = nullptr;
    if (node->script.empty())
        return DORA_TIMEOUT;
    const auto [status, input_id] = node->script.front();
    node->script.pop_front();
    if (status == DORA_OK) {
        *event = new dora_event_t{input_id};
        ++events_alive;
    }
    return status;
}
void dora_node_free(dora_node_t *node) { delete node; }
void dora_event_free(dora_event_t *event) {
    events_alive -= event != nullptr;
    delete event;
}
const char *dora_event_input_id(const dora_event_t *event) { return event->input_id; }
} // extern "C"

namespace {

dora::Node empty_node() { return dora::Node(new dora_node_t); }

void come(const dora::Node &node, dora_status_t status, const char *input_id = nullptr) {
    node.get()->script.emplace_back(status, input_id);
}

// Whether `call` makes so many reads.
template <class Call> bool reads_of(Call call, int count) {
    const int before = reads;
    call();
    return reads - before == count;
}

struct Counted {
    static inline int alive = 0;
    Counted() { ++alive; }
    Counted(const Counted &) = delete;
    Counted &operator=(const Counted &) = delete;
    ~Counted() { --alive; }
};

// Notes what comes until an outcome does, and that as its number.
dora::Task<> note(dora::AsyncReader &reader, std::string &noted) {
    const Counted counted;
    dora::ReadResult result = co_await reader.read();
    for (; result; result = co_await reader.read())
        noted += result->input_id();
    noted += std::to_string(result.status());
}

void waking() {
    dora::Node node = empty_node();
    dora::AsyncReader reader(node);
    CHECK(reader.fd() == 7 && !reader.waiting());
    std::string noted;
    come(node, DORA_OK, "a");
    come(node, DORA_OK, "b");

    dora::Task<> task = note(reader, noted);
    CHECK(task && !task.done() && noted.empty() && reads == 0); // before it is started
    CHECK(reads_of([&] { task.start(); }, 3) && noted == "ab"); // reads until there is no more
    CHECK(reader.waiting() && !task.done());
    CHECK(reads_of([&] { task.start(); }, 0));                          // a second start is none
    CHECK(reads_of([&] { reader.on_readable(); }, 1) && noted == "ab"); // a false alarm

    come(node, DORA_OK, "c");
    const dora::Node moved = std::move(node);
    CHECK(reads_of([&] { reader.on_readable(); }, 2) && noted == "abc" && reader.waiting());
    come(moved, DORA_OK, "d");
    come(moved, DORA_CLOSED);
    CHECK(reads_of([&] { reader.on_readable(); }, 2) && noted == "abcd" + std::to_string(DORA_CLOSED));
    CHECK(task.done() && !reader.waiting() && Counted::alive == 0 && events_alive == 0);

    come(moved, DORA_OK, "e"); // stays for who awaits it
    CHECK(reads_of([&] { reader.on_readable(), reader.on_timeout(); }, 0));
    task.get();
    CHECK(!task && task.done());
}

void outcomes() {
    dora::Node node = empty_node();
    dora::AsyncReader reader(node);
    for (const dora_status_t status : {DORA_INTERRUPTED, DORA_CLOSED, 9}) {
        std::string noted;
        dora::Task<> task = note(reader, noted);
        task.start();
        come(node, status);
        reader.on_readable();
        CHECK(task.done() && noted == std::to_string(status));
    }
    std::string noted;
    dora::Task<> late = note(reader, noted);
    late.start();
    CHECK(reads_of([&] { reader.on_timeout(); }, 1)); // looks once more
    CHECK(late.done() && noted == std::to_string(DORA_TIMEOUT));

    dora::Task<> in_time = note(reader, noted = "");
    in_time.start();
    come(node, DORA_OK, "a");
    reader.on_timeout();
    CHECK(!in_time.done() && noted == "a" && reader.waiting());
}

void failures() {
    dora::Node node = empty_node();
    dora::AsyncReader reader(node);
    std::string noted;
    last_error = "at once";
    come(node, DORA_ERROR_DISCONNECTED);
    dora::Task<> at_once = note(reader, noted);
    at_once.start();
    CHECK(at_once.done() && !reader.waiting());
    CHECK(MESSAGE_OF(DORA_ERROR_DISCONNECTED, at_once.get()) == "at once" && !at_once);

    dora::Task<> later = note(reader, noted);
    later.start();
    last_error = "later";
    come(node, DORA_ERROR_DISCONNECTED);
    reader.on_readable();
    CHECK(MESSAGE_OF(DORA_ERROR_DISCONNECTED, later.get()) == "later");

    dora::Task<> first = note(reader, noted);
    dora::Task<> second = note(reader, noted);
    first.start();
    CHECK(reads_of([&] { second.start(); }, 0) && second.done());
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_BUSY, second.get()), "another coroutine"));
    come(node, DORA_OK, "a");
    reader.on_readable(); // the first waits as before
    CHECK(noted == "a" && reader.waiting());

    const dora::Node none(nullptr);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, const dora::AsyncReader nobody(none));
}

dora::Task<std::unique_ptr<int>> number(dora::AsyncReader &reader, int value) {
    const Counted counted;
    const dora::ReadResult result = co_await reader.read();
    if (!result)
        throw std::runtime_error("no number");
    co_return std::make_unique<int>(value);
}

dora::Task<int> sum(dora::AsyncReader &reader) {
    const Counted counted;
    const std::unique_ptr<int> first = co_await number(reader, 1);
    try {
        const std::unique_ptr<int> second = co_await number(reader, 2);
        co_return *first + *second;
    } catch (const std::runtime_error &) {
        co_return *first;
    }
}

// Both reads live until the end of the expression.
dora::Task<std::string> pair(dora::AsyncReader &reader) {
    co_return std::string((co_await reader.read())->input_id()) +
        std::string((co_await reader.read())->input_id());
}

void nested() {
    dora::Node node = empty_node();
    dora::AsyncReader reader(node);
    dora::Task<int> both = sum(reader);
    both.start();
    CHECK(Counted::alive == 2 && reader.waiting());
    come(node, DORA_OK, "a");
    reader.on_readable();
    CHECK(Counted::alive == 2 && reader.waiting()); // the second is its own task
    come(node, DORA_OK, "b");
    reader.on_readable();
    CHECK(both.done() && both.get() == 3 && Counted::alive == 0);

    come(node, DORA_OK, "a");
    come(node, DORA_CLOSED);
    dora::Task<int> one = sum(reader);
    one.start(); // without a wait
    CHECK(one.get() == 1);

    dora::Task<int> none = sum(reader);
    none.start();
    come(node, DORA_CLOSED);
    reader.on_readable();
    try {
        none.get();
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(std::string_view(error.what()) == "no number");
    }
    CHECK(!none && Counted::alive == 0);

    dora::Task<std::string> two = pair(reader);
    two.start();
    come(node, DORA_OK, "c");
    reader.on_readable();
    come(node, DORA_OK, "c");
    reader.on_readable();
    CHECK(two.get() == "cc");
}

void destruction() {
    dora::Node node = empty_node();
    auto reader = std::make_unique<dora::AsyncReader>(node);
    {
        const dora::Task<int> never = sum(*reader);
        dora::Task<int> waiting = sum(*reader);
        waiting.start();
        CHECK(Counted::alive == 2);
        waiting = sum(*reader); // destroys the one that waits, and what that awaits
        CHECK(Counted::alive == 0 && !reader->waiting());
        waiting.start();
    }
    CHECK(Counted::alive == 0 && !reader->waiting());
    come(node, DORA_OK, "a");
    CHECK(reads_of([&] { reader->on_readable(); }, 0));

    // The reader may go first, and from within.
    std::string noted;
    dora::Task<> left = note(*reader, noted);
    left.start();
    CHECK(noted == "a");
    reader = std::make_unique<dora::AsyncReader>(node);
    const auto ending = [](std::unique_ptr<dora::AsyncReader> &own) -> dora::Task<> {
        (void)co_await own->read();
        own.reset();
    };
    dora::Task<> last = ending(reader);
    last.start();
    come(node, DORA_CLOSED);
    reader->on_readable();
    CHECK(last.done() && !reader && !left.done() && Counted::alive == 1);
    left = {};
    CHECK(Counted::alive == 0 && events_alive == 0);
}

dora::Task<int> ready() { co_return 1; }

dora::Task<long> count_ready(int times) {
    long total = 0;
    for (int i = 0; i < times; ++i)
        total += co_await ready();
    co_return total;
}

void tasks() {
    dora::Task<long> many = count_ready(100'000);
    many.start(); // the stack does not grow with them
    CHECK(many.get() == 100'000);
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, many.get());

    dora::Node node = empty_node();
    dora::AsyncReader reader(node);
    dora::Task<int> early = sum(reader);
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, early.get());
    early.start();
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, early.get());
    CHECK(early && reader.waiting()); // goes on

    // A task that runs may be awaited too, before its end and after.
    const auto await = [](dora::Task<int> task) -> dora::Task<int> { co_return co_await std::move(task); };
    dora::Task<int> outer = await(std::move(early));
    CHECK(!early);
    outer.start();
    come(node, DORA_OK, "a");
    come(node, DORA_OK, "b");
    reader.on_readable();
    CHECK(outer.get() == 3);
    dora::Task<int> ended = ready();
    ended.start();
    dora::Task<int> after = await(std::move(ended));
    after.start();
    CHECK(after.get() == 1);
    dora::Task<int> of_none = await(dora::Task<int>());
    of_none.start();
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, of_none.get());
}

// The least that another type of coroutine may be: it runs at once, and nobody waits for it.
struct Detached {
    struct promise_type {
        Detached get_return_object() const noexcept { return {}; }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }
    };
};

void other_types() {
    dora::Node node = empty_node();
    dora::AsyncReader reader(node);
    std::string noted;
    const auto own = [&]() -> Detached {
        noted += (co_await reader.read())->input_id();
        co_await note(reader, noted);
        noted += '.';
    };
    own();
    come(node, DORA_OK, "a");
    reader.on_readable();
    CHECK(noted == "a" && reader.waiting());
    come(node, DORA_OK, "b");
    come(node, DORA_CLOSED);
    reader.on_readable();
    CHECK(noted == "ab" + std::to_string(DORA_CLOSED) + '.' && !reader.waiting());
}

} // namespace

int main() {
    waking();
    outcomes();
    failures();
    nested();
    destruction();
    tasks();
    other_types();
    CHECK(Counted::alive == 0 && events_alive == 0);
    return check::result("stand_in_coroutine");
}
