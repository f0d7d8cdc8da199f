// Coroutines that await events: optional, for C++20, and no part of <dora/dora.hpp>
//
//     dora::Task<> relay(dora::Node &node, dora::AsyncReader &reader) {
//         while (dora::ReadResult result = co_await reader.read())
//             if (result->kind() == DORA_EVENT_INPUT)
//                 node.send("out", result->values<float>(), result->metadata());
//     }
//
// It brings no loop, no thread and no timer, and works with those that the program has: the loop watches the
// descriptor of the reader while a coroutine waits, and calls on_readable(). With poll:
//
//     dora::Task<> task = relay(node, reader);
//     task.start(); // runs to where it waits
//     for (pollfd entry{reader.fd(), POLLIN, 0}; !task.done();)
//         if (poll(&entry, 1, -1) > 0)
//             reader.on_readable(); // runs on, to where it waits again
//     task.get(); // throws what the coroutine did
//
// A wait ends with an event or an outcome: Node::interrupt() ends it with interrupted(), the end of the
// dataflow with closed(), on_timeout() with timed_out(), and a failure throws Error where the coroutine
// waits. Destroying the task is the other way to call a wait off: what it did not get is left for the next.
//
// All of it belongs to one thread; sends may be made on others. Nothing is allocated but the frame of each
// coroutine. That frame holds the parameters: what a reference refers to, and a lambda with captures itself,
// must outlive it. Coroutines of other types may await a reader too; Task is for who has none.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef DORA_COROUTINE_HPP
#define DORA_COROUTINE_HPP

// __cplusplus of Microsoft's compiler stays at C++98 unless it is told otherwise.
#if __cplusplus < 202002L && (!defined(_MSVC_LANG) || _MSVC_LANG < 202002L)
#error                                                                                                       \
    "<dora/coroutine.hpp> needs C++20: compile with -std=c++20 or /std:c++20, in CMake with CXX_STANDARD 20"
#else // the compiler may go on, and would fail at every line

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "cpp/error.hpp"
#include "cpp/event.hpp"
#include "cpp/node.hpp"
#include "cpp/read.hpp"
#include "dora.h"

namespace dora {
inline namespace v0 {

/// Reads the events of a node for coroutines, of which one at a time may wait. Borrowed from the node, which
/// may move meanwhile; use it no more when the node is gone.
class AsyncReader {
  public:
    /// One read, to be awaited at once, and once.
    class [[nodiscard]] Read {
      public:
        explicit Read(AsyncReader &reader) noexcept : reader_(&reader) {}
        Read(const Read &) = delete; // the reader points to it
        Read &operator=(const Read &) = delete;

        /// The coroutine that waits may be destroyed, and is forgotten then.
        ~Read() {
            if (reader_ != nullptr && reader_->waiter_ == this)
                reader_->waiter_ = nullptr;
        }

        bool await_ready() {
            if (reader_->waiting())
                throw Error(DORA_ERROR_BUSY, "another coroutine awaits the events of this reader");
            return try_read();
        }
        void await_suspend(std::coroutine_handle<> coroutine) noexcept {
            coroutine_ = coroutine;
            reader_->waiter_ = this;
        }
        ReadResult await_resume() {
            detail::throw_on_failure(status_);
            return {status_, std::move(event_)};
        }

      private:
        friend AsyncReader;

        // Whether there is more to tell than that nothing came.
        bool try_read() noexcept {
            dora_event_t *event = nullptr;
            status_ = read_dora_event(reader_->node_, 0, &event);
            event_ = Event(event);
            return status_ != DORA_TIMEOUT;
        }

        AsyncReader *reader_; // NULL when it is gone
        std::coroutine_handle<> coroutine_;
        dora_status_t status_ = DORA_TIMEOUT;
        Event event_;
    };

    /// For the events of `node`. Throws Error as Node::event_fd does.
    explicit AsyncReader(const Node &node) : node_(node.get()), fd_(node.event_fd()) {}
    AsyncReader(const AsyncReader &) = delete; // the read that waits points to it
    AsyncReader &operator=(const AsyncReader &) = delete;

    /// A coroutine that waits stays where it is, to be destroyed.
    ~AsyncReader() {
        if (waiter_ != nullptr)
            waiter_->reader_ = nullptr;
    }

    /// `co_await reader.read()` waits for the next event and gives a ReadResult, as Node::read() does. It
    /// goes on at once where an event is there: who may be flooded with them awaits something else now and
    /// then, to let the loop go on. Throws Error as Node::read() does, and DORA_ERROR_BUSY also while another
    /// coroutine waits.
    Read read() noexcept { return Read(*this); }

    /// The descriptor to watch. It belongs to the node: never close it, and take it out of the loop before
    /// the node ends.
    int fd() const noexcept { return fd_; }

    /// Whether a coroutine waits. A loop that is level-triggered watches fd() only then, since what nobody
    /// takes keeps it readable, and so does the end for ever.
    bool waiting() const noexcept { return waiter_ != nullptr; }

    /// To be called when fd() is readable: lets the coroutine go on, if one waits and there is something for
    /// it. It runs to where it next waits, or to its end, before this returns.
    void on_readable() {
        if (waiter_ != nullptr && waiter_->try_read())
            resume();
    }

    /// To be called when the program's own timer says so: lets the coroutine go on in any case, if one waits,
    /// with a result that timed_out() unless something is there after all.
    void on_timeout() {
        if (waiter_ != nullptr) {
            waiter_->try_read();
            resume();
        }
    }

  private:
    void resume() { std::exchange(waiter_, nullptr)->coroutine_.resume(); }

    dora_node_t *node_;
    int fd_;
    Read *waiter_ = nullptr;
};

template <class T = void> class Task;

namespace detail {

// What the promises of all tasks have.
struct TaskState {
    struct Final {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            const std::coroutine_handle<> next = ended.promise().continuation;
            return next ? next : std::noop_coroutine();
        }
        void await_resume() const noexcept {}
    };

    std::suspend_always initial_suspend() const noexcept { return {}; }
    Final final_suspend() const noexcept { return {}; }
    void unhandled_exception() noexcept { failure = std::current_exception(); }
    void rethrow() const {
        if (failure)
            std::rethrow_exception(failure);
    }

    std::coroutine_handle<> continuation; // what awaits it, if anything
    std::exception_ptr failure;
    bool started = false;
};

template <class T> struct TaskPromise : TaskState {
    Task<T> get_return_object() noexcept { return Task<T>(this); }
    template <class Value = T> void return_value(Value &&result) {
        value.emplace(std::forward<Value>(result));
    }
    T result() {
        rethrow();
        return *std::move(value);
    }

    std::optional<T> value;
};

template <> struct TaskPromise<void> : TaskState {
    Task<void> get_return_object() noexcept;
    void return_void() const noexcept {}
    void result() const { rethrow(); }
};

template <class T> struct TaskAwaiter;

} // namespace detail

/// A coroutine that ends with a T, or an exception. Owning: destroying the task destroys the coroutine, where
/// it waits and with what it awaits, but never from within. It can be moved, and is empty when moved from.
///
/// It runs when it is started or awaited, not before. A task that another awaits belongs to that:
///
///     dora::Task<dora::Event> next_input(dora::AsyncReader &reader);
///     dora::Task<> work(dora::AsyncReader &reader) {
///         const dora::Event first = co_await next_input(reader); // throws what next_input did
///     }
template <class T> class [[nodiscard]] Task {
    static_assert(!std::is_reference_v<T>, "a task ends with a value: make it a pointer");

  public:
    using promise_type = detail::TaskPromise<T>;

    /// Empty.
    Task() noexcept = default;

    /// Whether it holds a coroutine.
    explicit operator bool() const noexcept { return promise_ != nullptr; }

    /// Runs it to where it first waits, or to its end. Does nothing when it is started, or empty.
    void start() {
        if (promise_ != nullptr && !std::exchange(promise_->started, true))
            handle(*promise_).resume();
    }

    /// Whether it has ended, by an exception too; also when it is empty.
    bool done() const noexcept { return promise_ == nullptr || handle(*promise_).done(); }

    /// Its result, once it has ended; the task is empty then. Throws what the coroutine did, and Error:
    /// DORA_ERROR_INVALID_ARGUMENT where it is empty, or has not ended, which it may yet.
    T get() {
        if (promise_ == nullptr || !done())
            throw Error(DORA_ERROR_INVALID_ARGUMENT, "the task is empty, or has not ended");
        const auto ended = std::move(promise_);
        return ended->result();
    }

    /// What `co_await` calls: starts it, where it is not, and waits for its end. Takes the task over.
    detail::TaskAwaiter<T> operator co_await() && { return {std::move(*this)}; }

  private:
    friend promise_type;
    friend detail::TaskAwaiter<T>;

    explicit Task(promise_type *promise) noexcept : promise_(promise) {}

    static std::coroutine_handle<promise_type> handle(promise_type &promise) noexcept {
        return std::coroutine_handle<promise_type>::from_promise(promise);
    }

    struct Destroy {
        void operator()(promise_type *promise) const noexcept { handle(*promise).destroy(); }
    };

    std::unique_ptr<promise_type, Destroy> promise_;
};

namespace detail {

inline Task<void> TaskPromise<void>::get_return_object() noexcept { return Task<void>(this); }

template <class T> struct TaskAwaiter {
    // A task that ends at once takes no turn in a loop, and no room on the stack for each turn.
    bool await_ready() {
        task.start();
        return task.done();
    }
    void await_suspend(std::coroutine_handle<> coroutine) const noexcept {
        task.promise_->continuation = coroutine;
    }
    T await_resume() { return task.get(); }

    Task<T> task;
};

} // namespace detail
} // namespace v0
} // namespace dora

#endif // C++20
#endif // DORA_COROUTINE_HPP
