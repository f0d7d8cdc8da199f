// A remote control: clients move the axis of 04-move-action by lines of text over TCP. One thread and one
// loop, that of Asio, serve them and the dataflow.
//
// What a client says, and sees:
//
//     0.5                       where to move to, in metres
//     at 0.003 m
//     …
//     stop                      calls off what it began, as its leaving does
//     canceled at 0.176 m
//
// What one sees when it runs: where it listens, and a line at the end,
//
//     asio-remote: port 4242
//     asio-remote: 2 clients, 3 goals
//
//   input  feedback   one float64: where the axis is
//   input  result     the same at the end of a goal, with the text parameter `error` where it is refused
//   output goal       one float64: where to move to, in metres
//   output cancel     no data, but the id of a goal
//
//   REMOTE_PORT       the port of this machine where it listens; 0 takes one that is free
#include <dora/dora.hpp>

#include <array>
#include <asio.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace {

using asio::ip::tcp;
using namespace std::chrono_literals;

// The descriptor of a node, which Asio watches and must not close: it is the node's. To be destroyed before
// the node.
class EventDescriptor : public asio::posix::stream_descriptor {
  public:
    EventDescriptor(asio::io_context &context, const dora::Node &node)
        : asio::posix::stream_descriptor(context, node.event_fd()) {}
    ~EventDescriptor() { release(); }
};

// Who is connected: gives the lines that come, and takes lines to send.
class Client : public std::enable_shared_from_this<Client> {
  public:
    explicit Client(tcp::socket socket) : socket_(std::move(socket)) {}

    // Calls `on_line` for each line, and `on_end` when there will be none any more.
    template <class OnLine, class OnEnd> void read(OnLine on_line, OnEnd on_end) {
        const auto self = shared_from_this(); // lives as long as a read waits
        asio::async_read_until(socket_, asio::dynamic_buffer(received_, longest_line), '\n',
                               [self, on_line, on_end](std::error_code error, std::size_t length) {
                                   if (error) {
                                       self->close();
                                       return on_end();
                                   }
                                   on_line(std::string_view(self->received_).substr(0, length - 1));
                                   self->received_.erase(0, length);
                                   self->read(on_line, on_end);
                               });
    }

    void tell(std::string line) {
        if (!socket_.is_open())
            return;
        unsent_.push_back(std::move(line) + '\n');
        if (unsent_.size() == 1)
            write();
        else if (unsent_.size() > most_unsent)
            close(); // it does not read
    }

    void close() {
        std::error_code ignored;
        socket_.close(ignored);
    }

  private:
    static constexpr std::size_t longest_line = 80, most_unsent = 1000;

    void write() {
        asio::async_write(socket_, asio::buffer(unsent_.front()),
                          [self = shared_from_this()](std::error_code error, std::size_t) {
                              if (error)
                                  return self->close();
                              self->unsent_.pop_front();
                              if (!self->unsent_.empty())
                                  self->write();
                          });
    }

    tcp::socket socket_;
    std::string received_;
    std::deque<std::string> unsent_;
};

class Remote {
  public:
    Remote(asio::io_context &context, dora::Node &node, std::uint16_t port)
        : node_(node), acceptor_(context, {asio::ip::address_v4::loopback(), port}), events_(context, node) {}

    // Has the loop serve clients and dataflow, until that ends.
    void start() {
        std::printf("asio-remote: port %d\n", acceptor_.local_endpoint().port());
        accept();
        watch();
    }

    void report() const { std::printf("asio-remote: %d clients, %d goals\n", clients_seen_, goals_seen_); }

  private:
    struct Goal {
        dora::Metadata metadata; // nothing but its id, so it also calls it off
        std::shared_ptr<Client> client;
    };

    // The one rule: when the descriptor is readable, read until nothing is left. A handler may throw: run()
    // does then, and main ends the node.
    void watch() {
        events_.async_wait(EventDescriptor::wait_read, [this](std::error_code error) {
            if (error)
                throw std::system_error(error);
            dora::ReadResult result = node_.read(0s);
            for (; result; result = node_.read(0s))
                on_event(*result);
            if (result.closed())
                end();
            else
                watch();
        });
    }

    // Leaves nothing to wait for, so that the loop ends.
    void end() {
        acceptor_.close();
        for (const std::shared_ptr<Client> &client : clients_)
            client->close();
    }

    void accept() {
        acceptor_.async_accept([this](std::error_code error, tcp::socket socket) {
            if (!acceptor_.is_open())
                return; // this one came too late
            if (error)
                throw std::system_error(error);
            serve(std::make_shared<Client>(std::move(socket)));
            accept();
        });
    }

    void serve(const std::shared_ptr<Client> &client) {
        ++clients_seen_;
        clients_.insert(client);
        client->read([this, client](std::string_view line) { on_line(client, line); },
                     [this, client] {
                         cancel_goals(client);
                         clients_.erase(client);
                     });
    }

    void on_line(const std::shared_ptr<Client> &client, std::string_view line) {
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        const std::string text(line);
        char *end = nullptr;
        const double target = std::strtod(text.c_str(), &end);
        if (text == "stop")
            cancel_goals(client);
        else if (end == text.c_str() || *end != '\0')
            client->tell("say where to move to, in metres, or stop");
        else
            begin_goal(client, target);
    }

    void begin_goal(const std::shared_ptr<Client> &client, double target) {
        Goal goal{{}, client};
        const std::string id = goal.metadata.start_goal();
        node_.send("goal", {target}, goal.metadata);
        goals_.emplace(id, std::move(goal));
        ++goals_seen_;
    }

    void cancel_goals(const std::shared_ptr<Client> &client) {
        for (const auto &[id, goal] : goals_)
            if (goal.client == client)
                node_.send("cancel", goal.metadata);
    }

    void on_event(const dora::Event &event) {
        if (event.kind() == DORA_EVENT_ERROR)
            throw std::runtime_error(std::string(event.message()));
        if (event.kind() != DORA_EVENT_INPUT)
            return;
        const auto found = goals_.find(std::string(event.metadata().goal_id()));
        if (found == goals_.end())
            return; // late feedback of a goal that is over
        found->second.client->tell(describe(event));
        if (event.input_id() == "result")
            goals_.erase(found);
    }

    static std::string describe(const dora::Event &event) {
        if (const auto error = event.metadata().find<std::string_view>("error"))
            return "refused: " + std::string(*error);
        const dora::Span<const double> position = event.values<double>();
        if (position.size() != 1)
            throw std::runtime_error("a position is not one number");
        std::array<char, 64> line{};
        std::snprintf(line.data(), line.size(), "%s %.3f m", how(event.metadata()), position[0]);
        return line.data();
    }

    static const char *how(dora::MetadataView metadata) {
        switch (metadata.goal_status()) {
        case DORA_GOAL_SUCCEEDED:
            return "succeeded at";
        case DORA_GOAL_CANCELED:
            return "canceled at";
        case DORA_GOAL_ABORTED:
            return "aborted at";
        default:
            return "at";
        }
    }

    dora::Node &node_;
    tcp::acceptor acceptor_;
    EventDescriptor events_;
    std::set<std::shared_ptr<Client>> clients_;
    std::map<std::string, Goal> goals_;
    int clients_seen_ = 0, goals_seen_ = 0;
};

std::uint16_t port_setting(const char *name) {
    const char *text = std::getenv(name);
    char *end = nullptr;
    const unsigned long port = text != nullptr ? std::strtoul(text, &end, 10) : 0;
    if (text == nullptr || end == text || *end != '\0' || port > UINT16_MAX)
        throw std::runtime_error(std::string(name) + " is no port; the dataflow's env sets it");
    return static_cast<std::uint16_t>(port);
}

} // namespace

int main() try {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // each line at once, though stdout is a pipe to dora
    const std::uint16_t port = port_setting("REMOTE_PORT");
    dora::Node node;
    asio::io_context context;
    Remote remote(context, node, port);
    remote.start();
    context.run();
    remote.report();
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "asio-remote: %s\n", error.what());
    return EXIT_FAILURE;
}
