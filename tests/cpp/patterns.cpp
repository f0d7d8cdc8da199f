// Services and actions, with both sides in one program: what a client sends is written into the script of
// what it gets.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "idle_node.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

// The messages that a node gets, a number and parameters each, and a stop.
class Script {
  public:
    Script &input(std::string_view id, int value,
                  const std::vector<std::pair<std::string, std::string>> &texts) {
        json_.append(R"({"type": "Input", "time_offset_secs": 0, "id": ")").append(id);
        json_.append(R"(", "data_type": "Int32", "data": [)").append(std::to_string(value));
        json_.append(R"(], "metadata": {)");
        const char *separator = "";
        for (const auto &[key, text] : texts) {
            json_.append(separator).append("\"").append(key).append(R"(": {"String": ")").append(text);
            json_.append(R"("})");
            separator = ", ";
        }
        json_.append("}}, ");
        return *this;
    }

    dora::Node play() const {
        return dora::Node(
            dora::NodeOptions().test_inputs_json(json_ + R"({"type": "Stop", "time_offset_secs": 0}]})"));
    }

  private:
    std::string json_ = R"({"id": "any", "events": [)";
};

bool is(const dora::Event &event, std::string_view id, std::int32_t value) {
    return event.kind() == DORA_EVENT_INPUT && event.input_id() == id &&
           event.values<std::int32_t>()[0] == value;
}

bool stops(dora::Node &node) { return node.read()->kind() == DORA_EVENT_STOP && node.read().closed(); }

void starting() {
    dora::Metadata metadata;
    metadata.set("width", 640);
    CHECK(metadata.request_id().data() == nullptr && metadata.goal_id().data() == nullptr);
    CHECK(metadata.goal_status() == DORA_GOAL_UNKNOWN);

    const std::string request = metadata.start_request();
    CHECK(request.size() == DORA_ID_SIZE - 1 && request.find('\0') == std::string::npos);
    CHECK(metadata.request_id() == request && metadata.goal_id().empty());
    CHECK(metadata.get<std::string_view>(DORA_KEY_REQUEST_ID) == request);
    const std::string goal = metadata.start_goal();
    CHECK(goal.size() == request.size() && goal != request);
    CHECK(metadata.goal_id() == goal && metadata.view().request_id() == request);
    const std::string second = metadata.start_request();
    CHECK(second != request && metadata.request_id() == second && metadata.goal_id() == goal);
    CHECK(metadata.get<std::int64_t>("width") == 640 && metadata.count() == 3);

    for (const std::int32_t status : {DORA_GOAL_SUCCEEDED, DORA_GOAL_ABORTED, DORA_GOAL_CANCELED})
        CHECK(metadata.set_goal_status(status).goal_status() == status &&
              metadata.view().goal_status() == status);
    for (const std::int32_t status : {DORA_GOAL_UNKNOWN, 4, -1})
        MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, metadata.set_goal_status(status));
    CHECK(metadata.goal_status() == DORA_GOAL_CANCELED);
    CHECK(metadata.set(DORA_KEY_GOAL_STATUS, "exploded").goal_status() == DORA_GOAL_UNKNOWN);
    CHECK(metadata.set(DORA_KEY_REQUEST_ID, 7).request_id().data() == nullptr); // no text, so no id

    // Every call on what is empty is defined.
    const dora::Metadata moved = std::move(metadata);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, metadata.start_request());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, metadata.start_goal());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, metadata.set_goal_status(DORA_GOAL_SUCCEEDED));
    CHECK(metadata.goal_status() == DORA_GOAL_UNKNOWN && metadata.request_id().data() == nullptr);
    const dora::MetadataView none;
    CHECK(none.goal_status() == DORA_GOAL_UNKNOWN && none.request_id().empty() && none.goal_id().empty());
}

// The server's side.
void answering() {
    dora::Metadata asked;
    const std::string request = asked.start_request();
    const std::string goal = asked.start_goal();
    Script script;
    script.input("request", 1, {{DORA_KEY_REQUEST_ID, request}, {"more", "of the client's"}});
    script.input("goal", 2, {{DORA_KEY_GOAL_ID, goal}});
    script.input("plain", 3, {{"more", "of the client's"}});
    dora::Node node = script.play();

    dora::Event event = std::move(*node.read());
    CHECK(is(event, "request", 1) && event.metadata().request_id() == request);
    dora::Metadata answer;
    CHECK(answer.set("more", "of the server's").answer(event).request_id() == request);
    CHECK(answer.count() == 2 && answer.get<std::string_view>("more") == "of the server's");
    CHECK(node.send("reply", {2}, answer) && node.send("reply", {2}, dora::Metadata().answer(event)));
    const dora::Event kept = std::move(event);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, answer.answer(event));

    event = std::move(*node.read());
    dora::Metadata result(event.metadata());
    result.answer(event).set_goal_status(DORA_GOAL_ABORTED);
    CHECK(result.goal_id() == goal && result.goal_status() == DORA_GOAL_ABORTED);
    answer.start_goal();
    CHECK(answer.answer(event).goal_id() == goal); // in the place of the one that was there

    event = std::move(*node.read());
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_NOT_FOUND, answer.answer(event)), "request"));
    event = std::move(*node.read());
    CHECK(event.kind() == DORA_EVENT_STOP);
    MESSAGE_OF(DORA_ERROR_WRONG_TYPE, answer.answer(event));
    CHECK(answer.goal_id() == goal); // what failed changed nothing

    dora::Metadata empty = std::move(answer);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, answer.answer(kept));
}

// The client's side: what is not the answer stays for the reads, in its order.
void asking() {
    dora::Metadata asked;
    const std::string first = asked.start_request();
    const std::string second = asked.start_request();
    Script script;
    script.input("tick", 1, {}).input("reply", 2, {{DORA_KEY_REQUEST_ID, second}}).input("tick", 3, {});
    script.input("reply", 4, {{DORA_KEY_REQUEST_ID, first}, {"more", "x"}}).input("tick", 5, {});
    dora::Node node = script.play();

    const dora::ReadResult reply = node.read_reply(first);
    CHECK(reply && is(*reply, "reply", 4) && reply->metadata().request_id() == first);
    CHECK(reply->metadata().get<std::string_view>("more") == "x");
    CHECK(is(*node.read_reply(second, 1h), "reply", 2)); // which came before, while the other was awaited
    CHECK(is(*node.read(), "tick", 1));
    CHECK(node.read_reply("nobody").closed() && node.read_reply(first.c_str(), nullptr).closed());
    CHECK(node.read_reply(first, "server").closed() && node.read_reply(first, "server", -1s).closed());
    CHECK(is(*node.read(), "tick", 3) && is(*node.read(), "tick", 5) && stops(node));
    CHECK(node.read_reply(first).closed());
}

void pursuing() {
    dora::Metadata asked;
    const std::string goal = asked.start_goal();
    Script script;
    script.input("feedback", 1, {{DORA_KEY_GOAL_ID, goal}}).input("feedback", 2, {{DORA_KEY_GOAL_ID, goal}});
    script.input("result", 3, {{DORA_KEY_GOAL_ID, goal}, {DORA_KEY_GOAL_STATUS, "canceled"}});
    dora::Node node = script.play();

    const dora::ReadResult result = node.read_reply(goal, "server");
    CHECK(is(*result, "result", 3) && result->metadata().goal_id() == goal);
    CHECK(result->metadata().goal_status() == DORA_GOAL_CANCELED);
    for (const int value : {1, 2}) {
        const dora::ReadResult feedback = node.read();
        CHECK(is(*feedback, "feedback", value) && feedback->metadata().goal_status() == DORA_GOAL_UNKNOWN);
    }
    CHECK(stops(node));
}

// No answer comes, and nothing but the time ends the wait.
void timeouts() {
    dora::NodeOptions options;
    dora::Node node = check::idle_node(options);
    const std::string last_error = dora_last_error();
    for (const auto &result : {node.read_reply("id", 0s), node.read_reply("id", "server", 0s),
                               node.read_reply("id", -1s), node.read_reply("id", nullptr, -1s),
                               node.read_reply("id", 1ms), node.read_reply("id", "server", 1ms)})
        CHECK(!result && result.timed_out() && !result.closed() && !*result);
    CHECK(last_error == dora_last_error()); // a timeout is no failure
    CHECK(is(*node.read(), "a", 1));        // what came meanwhile
}

void refusals() {
    dora::Node node = Script().play();
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, (void)node.read_reply(""));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read_reply(nullptr, 1s));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, (void)node.read_reply("\xFF", 1s));
    MESSAGE_OF(DORA_ERROR_INVALID_ID, (void)node.read_reply("id", "no/id"));
    MESSAGE_OF(DORA_ERROR_INVALID_ID, (void)node.read_reply("id", std::string(), 1s));
    CHECK(stops(node));

    const dora::Node moved = std::move(node);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read_reply("id"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read_reply("id", 1s));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read_reply("id", "server"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.read_reply("id", "server", 1s));
}

} // namespace

int main() {
    starting();
    answering();
    asking();
    pursuing();
    timeouts();
    refusals();
    return check::result("patterns");
}
