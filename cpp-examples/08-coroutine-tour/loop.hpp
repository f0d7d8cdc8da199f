// A loop of timers and one descriptor, for the coroutines of one thread. Nothing here knows of axes.
#pragma once

#include <dora/coroutine.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <coroutine>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <poll.h>

namespace loop {

using Clock = std::chrono::steady_clock;

class Timer;

class Loop {
  public:
    // Starts `task`, and runs until it has ended.
    void run(dora::Task<> &task, dora::AsyncReader &reader) {
        task.start();
        while (!task.done()) {
            // What no coroutine waits for stays where it is: poll passes over a negative descriptor.
            pollfd entry{reader.waiting() ? reader.fd() : -1, POLLIN, 0};
            const int ready = poll(&entry, 1, milliseconds_left());
            if (ready < 0 && errno != EINTR)
                throw std::system_error(errno, std::generic_category(), "poll");
            if (ready > 0)
                reader.on_readable();
            call_due();
        }
    }

  private:
    friend Timer;

    int milliseconds_left() const {
        if (timers_.empty())
            return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - Clock::now());
        return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 60'000));
    }

    void call_due();

    std::multimap<Clock::time_point, Timer *> timers_;
};

// Calls a function once, after a time; or never, where it is destroyed before.
class Timer {
  public:
    Timer(Loop &loop, Clock::duration delay, std::function<void()> call)
        : loop_(loop), call_(std::move(call)), place_(loop.timers_.emplace(Clock::now() + delay, this)) {}
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;
    ~Timer() {
        if (call_)
            loop_.timers_.erase(place_);
    }

  private:
    friend Loop;

    Loop &loop_;
    std::function<void()> call_; // empty when it is called
    std::multimap<Clock::time_point, Timer *>::iterator place_;
};

// What is called may begin timers and destroy them, its own too.
inline void Loop::call_due() {
    const Clock::time_point now = Clock::now();
    while (!timers_.empty() && timers_.begin()->first <= now) {
        const std::function<void()> call = std::exchange(timers_.begin()->second->call_, nullptr);
        timers_.erase(timers_.begin());
        call();
    }
}

// `co_await Sleep(loop, 100ms)`.
class [[nodiscard]] Sleep {
  public:
    Sleep(Loop &loop, Clock::duration time) : loop_(loop), time_(time) {}

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
        timer_.emplace(loop_, time_, [coroutine] { coroutine.resume(); });
    }
    void await_resume() const noexcept {}

  private:
    Loop &loop_;
    Clock::duration time_;
    std::optional<Timer> timer_;
};

// Waits for the next event as long as it may take.
inline dora::Task<dora::ReadResult> read_within(Loop &loop, dora::AsyncReader &reader, Clock::duration time) {
    const Timer timer(loop, time, [&reader] { reader.on_timeout(); });
    co_return co_await reader.read();
}

} // namespace loop
