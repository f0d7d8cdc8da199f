// What the library says of its own work, and to whom.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

// Makes the library say, on the level DEBUG, that a call failed, with `word` in its text.
void fail(const std::string &word) {
    try {
        dora::NodeOptions().node_id(word + '/');
    } catch (const dora::Error &) { // which is no id
    }
}

// What was said, taken down on the library's thread.
class Notes {
  public:
    void take(std::int32_t level, std::string_view target, std::string_view message) {
        const std::lock_guard lock(mutex_);
        lines_.push_back(std::to_string(level).append(" ").append(target).append(" ").append(message));
        changed_.notify_all();
    }

    /// The first line that holds `word`, for which it waits.
    std::string line_with(std::string_view word) {
        std::unique_lock lock(mutex_);
        std::string found;
        const bool came = changed_.wait_for(lock, 30s, [&] {
            for (const std::string &line : lines_)
                if (check::contains(line, word)) {
                    found = line;
                    return true;
                }
            return false;
        });
        CHECK(came);
        return found;
    }

    bool has(std::string_view word) {
        const std::lock_guard lock(mutex_);
        for (const std::string &line : lines_)
            if (check::contains(line, word))
                return true;
        return false;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> lines_;
};

void note(std::int32_t level, const char *target, const char *message, void *user) {
    static_cast<Notes *>(user)->take(level, target, message);
}

void functions() {
    Notes notes;
    dora::set_diagnostics(DORA_LOG_DEBUG, note, &notes);
    fail("one");
    CHECK(check::contains(notes.line_with("one/"), "4 dora DORA_ERROR_INVALID_ID: "));

    Notes others;
    dora::set_diagnostics(DORA_LOG_ERROR, note, &others); // no level for failing calls
    fail("two");
    MESSAGE_OF(DORA_ERROR_INIT, const dora::Node by_hand);
    CHECK(check::contains(others.line_with("could not be set up"), "1 dora the node "));
    dora::set_diagnostics(nullptr);
    fail("three");
    MESSAGE_OF(DORA_ERROR_INIT, const dora::Node by_hand);
    CHECK(!others.has("two/") && !others.has("three/") && !notes.has("two/"));

    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, dora::set_diagnostics(0, note, &notes));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, dora::set_diagnostics(DORA_LOG_TRACE + 1, note, &notes));
    dora::set_diagnostics(DORA_LOG_ERROR, nullptr);
}

// Counts those of it that live.
struct Alive {
    static inline std::atomic<int> count = 0;
    Alive() { ++count; }
    Alive(const Alive &) { ++count; }
    Alive &operator=(const Alive &) = default;
    ~Alive() { --count; }
};

// A callable lives until another takes its place, and no longer.
void callables() {
    Notes notes;
    const auto listener = [&notes, alive = Alive()](std::int32_t level, std::string_view target,
                                                    std::string_view message) {
        notes.take(level, target, message);
    };
    CHECK(Alive::count == 1);
    dora::set_diagnostics(DORA_LOG_DEBUG, listener);
    CHECK(Alive::count == 2);
    fail("four");
    CHECK(check::contains(notes.line_with("four/"), "4 dora "));
    dora::set_diagnostics(DORA_LOG_DEBUG, std::function(listener)); // in the place of its like
    CHECK(Alive::count == 2);

    // What is refused changes nothing, and does not stay.
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, dora::set_diagnostics(99, listener));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, dora::set_diagnostics(99, note));
    CHECK(Alive::count == 2);
    fail("five");
    notes.line_with("five/");

    // One that can be moved only, and keeps what it counts.
    auto owned = std::make_unique<Alive>();
    dora::set_diagnostics(DORA_LOG_DEBUG,
                          [&notes, owned = std::move(owned), calls = 0](auto, auto, auto message) mutable {
                              notes.take(++calls, "call", message);
                          });
    CHECK(Alive::count == 2);
    fail("six");
    fail("seven");
    const std::string six = notes.line_with("six/");
    CHECK(notes.line_with("seven/")[0] == six[0] + 1);
    Notes last;
    dora::set_diagnostics(DORA_LOG_DEBUG, note, &last); // ends a callable too
    CHECK(Alive::count == 1);
    dora::set_diagnostics(DORA_LOG_DEBUG, listener);
    dora::set_diagnostics(nullptr);
    CHECK(Alive::count == 1);
}

// What a callable throws stays where it is, and the next message comes.
void exceptions() {
    Notes notes;
    dora::set_diagnostics(DORA_LOG_DEBUG, [&notes](std::int32_t level, auto target, auto message) {
        notes.take(level, target, message);
        throw std::runtime_error("full");
    });
    fail("eight");
    fail("nine");
    CHECK(notes.line_with("eight/") != notes.line_with("nine/"));
    dora::set_diagnostics(nullptr);
}

// From within a callback nothing can be set, and to try harms nobody, also while another thread waits for it.
void from_within() {
    std::promise<dora_status_t> refused;
    std::promise<void> entered;
    std::promise<void> may_go;
    dora::set_diagnostics(DORA_LOG_DEBUG, [&, first = true](auto, auto, auto) mutable {
        if (!std::exchange(first, false))
            return;
        entered.set_value();
        may_go.get_future().wait();
        try {
            dora::set_diagnostics(nullptr);
            refused.set_value(DORA_OK);
        } catch (const dora::Error &error) {
            refused.set_value(error.status());
        }
    });
    fail("ten");
    entered.get_future().wait();
    std::future<void> other = std::async(std::launch::async, [] { dora::set_diagnostics(nullptr); });
    CHECK(other.wait_for(10ms) == std::future_status::timeout); // it waits for the callback
    may_go.set_value();
    CHECK(refused.get_future().get() == DORA_ERROR_UNSUPPORTED);
    other.get();
}

// Threads that set at once: each callable ends, and none of them twice or while it is called.
void at_once() {
    CHECK(Alive::count == 0);
    std::atomic<int> calls = 0;
    const auto set_many = [&calls] {
        for (int i = 0; i < 50; ++i) {
            dora::set_diagnostics(DORA_LOG_DEBUG, [&calls, alive = std::make_unique<Alive>()](
                                                      auto, auto, auto) { calls += alive != nullptr; });
            fail("eleven");
        }
    };
    auto other = std::async(std::launch::async, set_many);
    set_many();
    other.get();
    dora::set_diagnostics(nullptr);
    CHECK(Alive::count == 0 && calls > 0);
}

} // namespace

int main() {
    unsetenv("RUST_LOG"); // it would choose too
    functions();
    callables();
    exceptions();
    from_within();
    at_once();
    return check::result("diagnostics");
}
