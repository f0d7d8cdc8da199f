// A loop of timers and one descriptor, for the coroutines of a thread. Nothing here knows of axes.
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

class Loop {
  public:
    // Runs until `task` has ended, which is started.
    void run(const dora::Task<> &task, dora::AsyncReader &reader) {
        task.start();
        while (!task.done()) {
            // What no coroutine waits for is left where it is: poll passes over a negative descriptor.
            pollfd entry{reader.waiting() ? reader.fd() : -1, POLLIN, 0};
            const int ready = poll(&entry, 1, poll_timeout());
            if (ready < 0 && errno != EINTR)
                throw std::system_error(errno, std::generic_category(), "poll");
            if (ready > 0)
                reader.on_readable();
            call_due();
        }
    }

  private:
    friend class Timer;
    using Timers = std::multimap<Clock::time_point, std::function<void()>>;

    int poll_timeout() const {
        if (timers_.empty())
            return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - Clock::now());
        return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, 60'000));
    }

    // What a timer calls may end others, and begin some that are due.
    void call_due() {
        while (!timers_.empty() && timers_.begin()->first <= Clock::now())
            timers_.extract(timers_.begin()).mapped()();
    }

    Timers timers_;
};
