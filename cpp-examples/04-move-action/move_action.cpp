// An action: moves a simulated axis to a position, as fast as its top speed and acceleration allow, tells
// where it is meanwhile, and can be called off.
//
// What one sees when it runs: a line at the end,
//
//     move-action: goals: 1 reached, 1 canceled, 0 aborted
//
//   input  goal       one float64: where to move to, in metres
//   input  cancel     no data, but the id of a goal: the axis brakes, and the goal ends when it is at rest
//   input  tick       each `period`
//   output feedback   one float64: where the axis is
//   output result     the same at the end of a goal, with its status; of a goal that is refused also the
//                     reason, in the text parameter `error`
#include <dora/dora.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace {

constexpr double period = 0.02; // seconds, as the timer of the dataflow has it
constexpr double travel = 1.0;  // metres, from 0
constexpr double top_speed = 0.25;
constexpr double acceleration = 0.5;
constexpr double precision = 1e-6;
constexpr int ticks_per_feedback = 5;

class Axis {
  public:
    double position() const { return position_; }

    // Moves towards the target for one period, and tells whether it is there.
    bool approach(double target) {
        const double distance = target - position_;
        // From this speed it comes to rest at the target, when it brakes from the next period on.
        const double half = acceleration * period / 2;
        const double speed = std::sqrt(half * half + 2 * acceleration * std::abs(distance)) - half;
        accelerate(std::copysign(std::min(speed, top_speed), distance));
        if (std::abs(distance) - std::abs(velocity_) * period > precision) {
            position_ += velocity_ * period;
            return false;
        }
        position_ = target;
        velocity_ = 0;
        return true;
    }

    // Brakes for one period, and tells whether it is at rest.
    bool brake() {
        accelerate(0);
        position_ += velocity_ * period;
        return velocity_ == 0;
    }

  private:
    void accelerate(double wanted) {
        const double most = acceleration * period;
        velocity_ += std::clamp(wanted - velocity_, -most, most);
    }

    double position_ = 0, velocity_ = 0;
};

// Answers goals, one at a time.
class MoveAction {
  public:
    explicit MoveAction(dora::Node &node) : node_(node) {}

    void on_event(const dora::Event &event) {
        if (event.kind() == DORA_EVENT_ERROR)
            throw std::runtime_error(std::string(event.message()));
        if (event.kind() == DORA_EVENT_INPUT_CLOSED && goal_)
            goal_->canceled = true; // nobody is left to say when to stop
        if (event.kind() != DORA_EVENT_INPUT)
            return;
        if (event.input_id() == "tick")
            on_tick();
        else if (event.metadata().goal_id().empty())
            node_.log(DORA_LOG_WARN, "a message without the id of a goal is passed over");
        else if (event.input_id() == "goal")
            on_goal(event);
        else if (event.input_id() == "cancel" && goal_ && event.metadata().goal_id() == goal_->id)
            goal_->canceled = true; // any other goal is over already
    }

    // No goal is left without a result.
    void finish() {
        if (goal_)
            end_goal(DORA_GOAL_ABORTED);
        std::printf("move-action: goals: %d reached, %d canceled, %d aborted\n", reached_, canceled_,
                    aborted_);
    }

  private:
    struct Goal {
        dora::Metadata answer;
        std::string id;
        double target;
        bool canceled = false;
        int ticks = 0;
    };

    void on_goal(const dora::Event &event) {
        dora::Metadata answer;
        answer.answer(event);
        const char *error = nullptr;
        double target = 0;
        if (goal_)
            error = "the axis is moving: cancel that goal, or wait for its result";
        else if (event.data_type() != DORA_TYPE_FLOAT64 || event.length() != 1 || event.null_count() != 0)
            error = "a goal is one float64";
        else if (target = event.values<double>()[0]; !(target >= 0 && target <= travel))
            error = "the goal is beyond the end of the axis";

        if (error != nullptr) {
            answer.set("error", error);
            send_result(answer, DORA_GOAL_ABORTED);
        } else {
            goal_ = Goal{std::move(answer), std::string(event.metadata().goal_id()), target};
        }
    }

    void on_tick() {
        if (!goal_)
            return;
        if (goal_->canceled ? axis_.brake() : axis_.approach(goal_->target))
            end_goal(goal_->canceled ? DORA_GOAL_CANCELED : DORA_GOAL_SUCCEEDED);
        else if (++goal_->ticks % ticks_per_feedback == 0)
            node_.send("feedback", {axis_.position()}, goal_->answer);
    }

    void end_goal(std::int32_t status) {
        send_result(goal_->answer, status);
        goal_.reset();
    }

    void send_result(dora::Metadata &answer, std::int32_t status) {
        answer.set_goal_status(status);
        node_.send("result", {axis_.position()}, answer);
        ++(status == DORA_GOAL_SUCCEEDED ? reached_ : status == DORA_GOAL_CANCELED ? canceled_ : aborted_);
    }

    dora::Node &node_;
    Axis axis_;
    std::optional<Goal> goal_;
    int reached_ = 0, canceled_ = 0, aborted_ = 0;
};

} // namespace

int main() try {
    dora::Node node;
    MoveAction action(node);
    for (const dora::Event &event : node.events())
        action.on_event(event);
    action.finish();
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "move-action: %s\n", error.what());
    return EXIT_FAILURE;
}
