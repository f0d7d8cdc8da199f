// The client of a service: has the way along a route planned, one waypoint at each tick of a timer.
//
// What one sees when it runs: a line for each waypoint, one of which the service refuses, and a sum,
//
//     to (2.0, 0.0): 15 points, 2.000 m, heading 0.000
//     to (3.0, 1.0): 12 points, 1.569 m, heading 1.571
//     …
//     plan-client: 6 of 7 waypoints, 10.708 m
//
//   input  tick         when to ask for the next waypoint
//   input  trajectory   the replies of plan-service
//   output request      what plan-service expects
#include <dora/dora.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using namespace std::chrono_literals;

struct Point {
    double x, y;
};

struct Pose {
    double x, y, heading;
};

constexpr std::array<Point, 7> route{{{2, 0}, {3, 1}, {3, 3}, {2, 4}, {2.5, 4}, {0, 4}, {-1, 3}}};

// The id of the node that answers. When it is restarted, its answer will not come.
constexpr const char *service = "plan";

// Asks for the way to a point, and gives the reply; or nothing, when none came in time or none will come.
std::optional<dora::Event> ask(dora::Node &node, const Pose &from, const Point &to) {
    for (;;) {
        dora::Metadata request;
        const std::string id = request.start_request();
        node.send("request", {from.x, from.y, from.heading, to.x, to.y}, request);
        try {
            dora::ReadResult reply = node.read_reply(id, service, 5s);
            if (reply.timed_out())
                std::printf("no reply in time: asking again at the next tick\n");
            if (!reply)
                return std::nullopt;
            return std::move(*reply);
        } catch (const dora::Error &error) {
            if (error.status() != DORA_ERROR_SERVER_RESTARTED)
                throw;
            // To plan twice does no harm. Where doing a thing twice does, look first what was done.
            std::printf("the service was restarted: asking again\n");
        }
    }
}

class Trip {
  public:
    bool finished() const { return next_ == route.size(); }

    // Plans the way to the next waypoint, from where the last plan ends.
    void go_on(dora::Node &node) {
        const Point &to = route[next_];
        const std::optional<dora::Event> reply = ask(node, at_, to);
        if (!reply)
            return;
        ++next_;
        std::printf("to (%.1f, %.1f): ", to.x, to.y);
        if (const auto error = reply->metadata().find<std::string_view>("error"))
            std::printf("refused, %.*s\n", static_cast<int>(error->size()), error->data());
        else
            follow(reply->values<double>());
    }

    void report() const {
        std::printf("plan-client: %zu of %zu waypoints, %.3f m\n", reached_, next_, length_);
    }

  private:
    void follow(dora::Span<const double> points) {
        if (points.empty() || points.size() % 3 != 0)
            throw std::runtime_error("a trajectory has " + std::to_string(points.size()) + " numbers");
        const double before = length_;
        for (std::size_t i = 0; i < points.size(); i += 3) {
            length_ += std::hypot(points[i] - at_.x, points[i + 1] - at_.y);
            at_ = {points[i], points[i + 1], points[i + 2]};
        }
        ++reached_;
        std::printf("%zu points, %.3f m, heading %.3f\n", points.size() / 3, length_ - before, at_.heading);
    }

    Pose at_{0, 0, 0};
    std::size_t next_ = 0, reached_ = 0;
    double length_ = 0;
};

} // namespace

int main() try {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // each line at once, though stdout is a pipe to dora
    dora::Node node;
    Trip trip;
    bool stopped = false;
    for (const dora::Event &event : node.events()) {
        if (event.kind() == DORA_EVENT_ERROR)
            throw std::runtime_error(std::string(event.message()));
        if (event.kind() == DORA_EVENT_STOP)
            stopped = true;
        if (event.kind() == DORA_EVENT_INPUT_CLOSED && event.input_id() == "trajectory")
            throw std::runtime_error("the service has ended");
        // What else comes is passed over, also a reply that missed its time.
        if (event.kind() != DORA_EVENT_INPUT || event.input_id() != "tick")
            continue;
        trip.go_on(node);
        if (trip.finished())
            break;
    }
    trip.report();
    if (!trip.finished() && !stopped)
        throw std::runtime_error("the dataflow ended before the route did");
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "plan-client: %s\n", error.what());
    return EXIT_FAILURE;
}
