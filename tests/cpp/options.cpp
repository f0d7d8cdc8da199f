// What options do to a node, and which they refuse to be.
// Environment: DORA_TEST_WITH_INPUTS=options.json, DORA_TEST_WRITE_OUTPUTS_TO=<a file to write>.
//
// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "idle_node.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;

constexpr std::string_view script = R"({"id": "any", "events": [
    {"type": "Input", "id": "a", "time_offset_secs": 0, "data": [1], "data_type": "Int32"},
    {"type": "Input", "id": "b", "time_offset_secs": 0, "data": [2], "data_type": "Int32"},
    {"type": "Input", "id": "a", "time_offset_secs": 0, "data": [3], "data_type": "Int32"},
    {"type": "Stop", "time_offset_secs": 0}]})";

std::int32_t value_of(const dora::Event &event) { return event.values<std::int32_t>()[0]; }

std::string content_of(const std::string &path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void refused_values() {
    dora::NodeOptions options;
    const auto refuse_timeout = [&options](auto timeout) {
        MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.init_timeout(timeout));
        MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.send_timeout(timeout));
    };
    refuse_timeout(0s);
    refuse_timeout(-1ns); // what C takes for ever is the rest of a deadline here
    refuse_timeout((std::chrono::hours::min)());
    refuse_timeout(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()));
    options.init_timeout((std::chrono::hours::max)()).send_timeout(std::chrono::duration<double>(1e300));

    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ID, options.node_id("no/id")), "no/id"));
    MESSAGE_OF(DORA_ERROR_INVALID_ID, options.node_id(std::string()));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, options.node_id("\xFF"));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, options.test_inputs("\xFF"));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, options.test_outputs("\xFF"));
    const std::uint64_t beyond = std::numeric_limits<std::uint64_t>::max();
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.pool_size(beyond));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.zero_copy_threshold(beyond));

    const char *nothing = nullptr;
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.test_inputs_json("{\"id\": 1}")),
                          "script"));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.test_inputs_json(script.substr(1)));
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, options.test_inputs_json(std::string("\xFF")));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.test_inputs_json(nothing));
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, options.test_inputs_json(std::string_view("")));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.test_inputs_json(std::string_view()));
}

// Every call on what is empty is defined.
void moved_from() {
    dora::NodeOptions options;
    dora::NodeOptions moved = std::move(options.test_inputs_json(script));
    CHECK(!options && options.get() == nullptr && moved);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.node_id("viewer"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.daemon_port(1));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.interactive());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.init_timeout(1s));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.send_timeout(1s));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.pool_size(1));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.zero_copy_threshold(1));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.keep_last_values());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.fast_lane());
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.test_inputs("file"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.test_inputs_json(script));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, options.test_outputs("file"));

    dora::Node node(moved);
    CHECK(node && (*node.read()).input_id() == "a"); // what was set has moved along
    node = dora::Node(options);                      // as Node() is: the environment has a script
    CHECK(node && (*node.read()).input_id() == "of-the-file");
}

// It counts for the process, whose first node it must be.
void threshold() {
    dora::NodeOptions options;
    options.test_inputs_json(script).zero_copy_threshold(12'345);
    const dora::Node node(options);
    CHECK(node.zero_copy_threshold() == 12'345 && node.pool_size() == 0);
    const dora::Node second(options); // the options are not used up
    CHECK(second.zero_copy_threshold() == 12'345);
    MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, const dora::Node late(options.zero_copy_threshold(54'321)));
}

void pool_of_nobody() {
    dora::NodeOptions options;
    options.test_inputs_json(script).pool_size(std::uint64_t(1) << 60);
    const dora::Node node(options); // on scripted inputs there is no shared memory
    CHECK(node && node.pool_size() == 0);
}

void scripts(const std::string &outputs) {
    const char *path = std::getenv("DORA_TEST_WITH_INPUTS");
    dora::NodeOptions options;
    options.test_inputs(path).test_outputs(outputs);
    dora::Node node(options);
    CHECK((*node.read()).input_id() == "of-the-file");
    CHECK(node.send("out", {4, 5}));
    node.reset();
    CHECK(check::contains(content_of(outputs), R"("data":[4,5])"));

    node = dora::Node(options.test_inputs_json(std::string(script))); // in the place of the file
    CHECK((*node.read()).input_id() == "a");
    node.reset();
    CHECK(content_of(outputs).empty());

    // Taken back, so that the environment counts again; test outputs alone do not.
    options.test_inputs(nullptr);
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INVALID_ARGUMENT, const dora::Node alone(options)),
                          "test inputs"));
    node = dora::Node(options.test_outputs(nullptr));
    CHECK((*node.read()).input_id() == "of-the-file");
}

void last_values() {
    dora::NodeOptions options;
    options.test_inputs_json(script);
    dora::Node forgets(options.keep_last_values().keep_last_values(false));
    CHECK(forgets.read());
    MESSAGE_OF(DORA_ERROR_UNSUPPORTED, (void)forgets.last_value("a"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)forgets.last_value(nullptr));

    dora::Node node(options.keep_last_values());
    CHECK(!node.last_value("a")); // not yet
    const dora::ReadResult first = node.read();
    const dora::Event last = node.last_value("a");
    CHECK(last.kind() == DORA_EVENT_INPUT && last.input_id() == "a" && value_of(last) == 1);
    CHECK(last.timestamp() == first->timestamp() && last.get() != first->get());
    CHECK(!node.last_value("b"));
    CHECK(node.read() && node.read());
    const std::string input = "b";
    CHECK(value_of(node.last_value("a")) == 3 && value_of(node.last_value(input)) == 2);
    CHECK(node.read()->kind() == DORA_EVENT_STOP && node.read().closed());
    CHECK(value_of(node.last_value("a")) == 3); // also after the end
    MESSAGE_OF(DORA_ERROR_INVALID_UTF8, (void)node.last_value("\xFF"));

    dora::Event kept = node.last_value("a");
    dora::Node moved = std::move(node);
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, (void)node.last_value("a"));
    moved.reset();
    CHECK(value_of(kept) == 3 && value_of(last) == 1); // they outlive the node
}

// What a sender is told that dora does not listen to.
void send_timeout() {
    dora::NodeOptions options;
    dora::Node node = check::idle_node(options.send_timeout(20ms));
    const dora::ReadResult input = node.read();
    CHECK(input);
    MESSAGE_OF(DORA_ERROR_INVALID_ID, node.send("no id")); // failures throw as ever
    const std::string last_error = dora_last_error();
    while (node.send("out", {1.0F})) { // until dora waits for the next event, which may take a moment
    }
    CHECK(!node.send("out") && !node.send("out", "text") && !node.send_bytes("out", "x", 1));
    CHECK(!node.send("out", input->values<std::int32_t>(), input->metadata()));
    dora::ArrowData data = input->arrow();
    CHECK(!node.send("out", std::move(data)) && !data.schema && !data.array);
    CHECK(!node.log(DORA_LOG_INFO, "late") && !node.log(DORA_LOG_INFO, "target", "late"));
    CHECK(!node.close_outputs());
    CHECK(last_error == dora_last_error()); // a timeout is no failure
    CHECK(node.read(0s).timed_out());
}

// Listens, and says nothing.
class SilentDaemon {
  public:
    SilentDaemon() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto *generic = reinterpret_cast<sockaddr *>(&address);
        CHECK(::bind(socket_, generic, size) == 0 && ::getsockname(socket_, generic, &size) == 0);
        port_ = ntohs(address.sin_port);
    }
    SilentDaemon(const SilentDaemon &) = delete;
    SilentDaemon &operator=(const SilentDaemon &) = delete;
    ~SilentDaemon() { ::close(socket_); }

    std::uint16_t port() const { return port_; }
    void listen() { CHECK(::listen(socket_, 8) == 0); }

    /// Whether a node comes that says `word`.
    bool hears(std::string_view word) {
        if (!is_ready(socket_))
            return false;
        const int node = ::accept(socket_, nullptr, nullptr);
        std::string heard;
        char part[512];
        while (!check::contains(heard, word) && is_ready(node)) {
            const ssize_t size = ::read(node, part, sizeof part);
            if (size <= 0)
                break;
            heard.append(part, static_cast<std::size_t>(size));
        }
        ::close(node);
        return check::contains(heard, word);
    }

  private:
    static bool is_ready(int socket) {
        pollfd wanted = {socket, POLLIN, 0};
        return ::poll(&wanted, 1, 30'000) == 1;
    }

    int socket_;
    std::uint16_t port_ = 0;
};

void dynamic_node() {
    SilentDaemon daemon;
    dora::NodeOptions options;
    options.node_id("viewer-of-a-test").daemon_port(daemon.port()).init_timeout(10min);
    MESSAGE_OF(DORA_ERROR_INIT, const dora::Node node(options)); // nobody listens, which shows at once

    daemon.listen();
    options.init_timeout(100ms);
    const std::string last_error = dora_last_error();
    dora::Node node(options);
    CHECK(!node && last_error == dora_last_error()); // a timeout is a value, and no failure
    CHECK(daemon.hears("viewer-of-a-test"));
    MESSAGE_OF(DORA_ERROR_NULL_POINTER, node.send("out")); // who forgets to ask is told

    options.node_id(nullptr); // taken back: started by hand
    CHECK(check::contains(MESSAGE_OF(DORA_ERROR_INIT, const dora::Node by_hand(options)), "dora run"));
}

} // namespace

int main() {
    const char *outputs = std::getenv("DORA_TEST_WRITE_OUTPUTS_TO");
    CHECK(outputs != nullptr);
    refused_values();
    threshold();
    pool_of_nobody();
    moved_from();
    scripts(std::string(outputs != nullptr ? outputs : "options") + ".options");
    last_values();
    send_timeout();
    unsetenv("DORA_TEST_WITH_INPUTS");
    dynamic_node();
    return check::result("options");
}
