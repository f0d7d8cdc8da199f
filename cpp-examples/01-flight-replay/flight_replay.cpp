// Replays a drone's flight from its log: each sample becomes one message, an Arrow struct of one row that is
// built here by hand, with no Arrow library.
//
// What one sees when it runs: a line at the end,
//
//     flight-replay: sent 16702 samples in 8.4 s
//
//   output sample   struct { sequence: uint64, time_ns: int64 (Unix time in nanoseconds),
//                            position: float64[3] (metres: x, y, z up), orientation: float64[4] (w, x, y, z),
//                            velocity: float64[3] (metres per second) }
//   output total    at the end one uint64, how many samples were sent
//
//   FLIGHT_LOG      the log, in the CSV format of the EuRoC data sets' ground truth
//   FLIGHT_RATE     how many times faster than in the air; 0 means as fast as it can
#include <dora/dora.hpp>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Sample {
    std::uint64_t sequence;
    std::int64_t time_ns;
    std::array<double, 3> position;
    std::array<double, 4> orientation;
    std::array<double, 3> velocity;
};

// A line is the time in nanoseconds, then position, orientation and velocity; what follows (biases of the
// sensors) is not used.
Sample parse(const std::string &line, std::uint64_t sequence) {
    Sample sample{};
    sample.sequence = sequence;
    char *end = nullptr;
    sample.time_ns = std::strtoll(line.c_str(), &end, 10);
    const auto read = [&](auto &numbers) {
        for (double &number : numbers) {
            const char *comma = end;
            if (*comma == ',')
                number = std::strtod(comma + 1, &end);
            if (*comma != ',' || end == comma + 1)
                throw std::runtime_error("line of sample " + std::to_string(sequence) +
                                         " is no sample: " + line);
        }
    };
    read(sample.position);
    read(sample.orientation);
    read(sample.velocity);
    return sample;
}

std::vector<Sample> read_log(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot open the log '" + path + "'");
    std::vector<Sample> samples;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line.front() != '#')
            samples.push_back(parse(line, samples.size()));
    if (samples.empty())
        throw std::runtime_error("no samples in the log '" + path + "'");
    return samples;
}

std::string setting(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr || *value == '\0')
        throw std::runtime_error(std::string(name) + " is not set; the dataflow's env sets it");
    return value;
}

double rate_setting(const char *name) {
    const std::string text = setting(name);
    char *end = nullptr;
    const double rate = std::strtod(text.c_str(), &end);
    const bool in_range = rate == 0 || (rate >= 0.001 && std::isfinite(rate));
    if (*end != '\0' || !in_range)
        throw std::runtime_error(std::string(name) + " is not a rate: '" + text + "'");
    return rate;
}

// Arrow by hand. A schema says what an array holds; the array points to the values. Whoever gets the two
// structs calls `release` once on each, and may take a child out of its parent before: so every child owns
// what it points to, and its parent owns the child.

struct SchemaParts {
    std::string format, name;
    std::vector<dora::ArrowSchema> children;
    std::vector<ArrowSchema *> pointers;
};

template <typename... Children>
dora::ArrowSchema make_schema(const char *format, const char *name, Children... children) {
    auto parts = std::make_unique<SchemaParts>();
    parts->format = format;
    parts->name = name;
    (parts->children.push_back(std::move(children)), ...);
    for (dora::ArrowSchema &child : parts->children)
        parts->pointers.push_back(child.get());

    dora::ArrowSchema result;
    ArrowSchema &schema = *result.get();
    schema = {};
    schema.format = parts->format.c_str();
    schema.name = parts->name.c_str();
    schema.n_children = static_cast<std::int64_t>(parts->pointers.size());
    schema.children = parts->pointers.data();
    schema.release = [](ArrowSchema *self) {
        delete static_cast<SchemaParts *>(self->private_data);
        self->release = nullptr;
    };
    schema.private_data = parts.release();
    return result;
}

struct ArrayParts {
    std::vector<std::uint64_t> values; // of any type that has 8 bytes
    std::array<const void *, 2> buffers{};
    std::vector<dora::ArrowArray> children;
    std::vector<ArrowArray *> pointers;
};

dora::ArrowArray make_array(std::int64_t length, std::int64_t buffers, std::unique_ptr<ArrayParts> parts) {
    for (dora::ArrowArray &child : parts->children)
        parts->pointers.push_back(child.get());
    if (!parts->values.empty())
        parts->buffers[1] = parts->values.data(); // buffers[0] would tell which values are null: none

    dora::ArrowArray result;
    ArrowArray &array = *result.get();
    array = {};
    array.length = length;
    array.n_buffers = buffers;
    array.buffers = parts->buffers.data();
    array.n_children = static_cast<std::int64_t>(parts->pointers.size());
    array.children = parts->pointers.data();
    array.release = [](ArrowArray *self) {
        delete static_cast<ArrayParts *>(self->private_data);
        self->release = nullptr;
    };
    array.private_data = parts.release();
    return result;
}

// A column of 64-bit numbers.
template <typename T> dora::ArrowArray numbers(const T *values, std::size_t count) {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    auto parts = std::make_unique<ArrayParts>();
    parts->values.resize(count);
    std::memcpy(parts->values.data(), values, count * sizeof(T));
    return make_array(static_cast<std::int64_t>(count), 2, std::move(parts));
}

// One row that holds other columns: a struct holds one element of each, a list all of its only one.
template <typename... Children> dora::ArrowArray row_of(Children... children) {
    auto parts = std::make_unique<ArrayParts>();
    (parts->children.push_back(std::move(children)), ...);
    return make_array(1, 1, std::move(parts));
}

dora::ArrowSchema sample_schema() {
    return make_schema("+s", "", make_schema("L", "sequence"), make_schema("l", "time_ns"),
                       make_schema("+w:3", "position", make_schema("g", "item")),
                       make_schema("+w:4", "orientation", make_schema("g", "item")),
                       make_schema("+w:3", "velocity", make_schema("g", "item")));
}

dora::ArrowArray sample_array(const Sample &sample) {
    return row_of(numbers(&sample.sequence, 1), numbers(&sample.time_ns, 1),
                  row_of(numbers(sample.position.data(), sample.position.size())),
                  row_of(numbers(sample.orientation.data(), sample.orientation.size())),
                  row_of(numbers(sample.velocity.data(), sample.velocity.size())));
}

using Clock = std::chrono::steady_clock;

// Waits until `due`, or until the dataflow asks to stop: reading is what wakes early then, so the time is
// spent in a read.
bool stopped_before(dora::Node &node, Clock::time_point due) {
    for (;;) {
        const dora::ReadResult result = node.read(due - Clock::now());
        if (result.timed_out())
            return false;
        if (result.closed() || (result && result->kind() == DORA_EVENT_STOP))
            return true;
        if (result && result->kind() == DORA_EVENT_ERROR)
            throw std::runtime_error(std::string(result->message()));
    }
}

// How long after the start a sample is sent.
Clock::duration delay(const Sample &first, const Sample &sample, double rate) {
    if (rate == 0)
        return Clock::duration::zero();
    const std::chrono::duration<double, std::nano> flown(static_cast<double>(sample.time_ns - first.time_ns));
    return std::chrono::duration_cast<Clock::duration>(flown / rate);
}

} // namespace

int main() try {
    const std::vector<Sample> samples = read_log(setting("FLIGHT_LOG"));
    const double rate = rate_setting("FLIGHT_RATE");

    dora::Node node;
    const Clock::time_point start = Clock::now();
    std::uint64_t sent = 0;
    for (const Sample &sample : samples) {
        if (stopped_before(node, start + delay(samples.front(), sample, rate)))
            break;
        node.send("sample", sample_schema(), sample_array(sample));
        ++sent;
    }
    node.send("total", &sent, 1);

    const std::chrono::duration<double> took = Clock::now() - start;
    std::printf("flight-replay: sent %llu samples in %.1f s\n", static_cast<unsigned long long>(sent),
                took.count());
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "flight-replay: %s\n", error.what());
    return EXIT_FAILURE;
}
