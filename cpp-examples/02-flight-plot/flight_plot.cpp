// Draws a flight: collects the state that flight-monitor sends while the drone flies, and at the end writes a
// picture.
//
// What one sees when it runs: a line at the end,
//
//     flight-plot: drew 16702 samples to flight.svg
//
// and in that file, which any web browser shows, the flight from above and from the side with the path
// coloured by speed, and height and speed over time.
//
//   input  state      what flight-monitor sends for each sample: the float64 values of `Sample`
//
//   FLIGHT_PICTURE    where to write the picture
//   FLIGHT_TITLE      what to write above it
#include <dora/dora.hpp>

#include "drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace drawing;

// The state of the flight after a sample, in the order in which flight-monitor sends it; seconds and metres.
struct Sample {
    double count, time, x, y, z, speed, path_length, top_speed, peak_height;
};

// Where everything goes. Both views share one scale and the x axis; they take what the flight's shape asks,
// and the curves over time take the rest.
struct Layout {
    static constexpr double width = 1400, margin = 48, gutter = 44, top = 268, between = 78;
    static constexpr double room_across = 640, room_up = 800;

    Axis x, y, z, time, height, speed;
    double bottom;
    Sample highest, fastest;

    Layout(const std::vector<Sample> &samples, double duration) {
        const auto [west, east] = extremes(samples, &Sample::x);
        const auto [south, north] = extremes(samples, &Sample::y);
        const auto [low, high] = extremes(samples, &Sample::z);
        highest = high;
        fastest = extremes(samples, &Sample::speed).second;
        // From the ground where that is near, so that height is seen as height.
        const double ground = low.z > 0 && low.z < 2 * (high.z - low.z) ? 0 : low.z;

        const double step =
            round_step(std::max({east.x - west.x, north.y - south.y, high.z - ground, 1.0}), 12);
        x = axis(west.x, east.x, step);
        y = axis(south.y, north.y, step);
        z = axis(ground, high.z, step);
        const double scale = std::min(room_across / x.span(), room_up / (y.span() + z.span()));
        while (scale * x.span() < 260) { // room for the headings
            x.low -= step;
            x.high += step;
        }
        const double left = margin + gutter, right = left + scale * x.span();
        const double middle = top + scale * y.span(), end = middle + between + scale * z.span();
        x = x.over(left, right);
        y = y.over(middle, top);
        z = z.over(end, middle + between);

        bottom = std::max(end, top + 560);
        const double half = (bottom - top - between) / 2;
        time = Axis{0, duration, round_step(duration, 9)}.over(right + 2 * gutter + 8, width - margin);
        height = axis(ground, high.z, round_step(std::max(high.z - ground, 0.5), 5)).over(top + half, top);
        speed =
            axis(0, fastest.speed, round_step(std::max(fastest.speed, 0.5), 5)).over(bottom, bottom - half);
    }

  private:
    static std::pair<Sample, Sample> extremes(const std::vector<Sample> &samples, double Sample::*field) {
        const auto [low, high] =
            std::minmax_element(samples.begin(), samples.end(),
                                [field](const Sample &a, const Sample &b) { return a.*field < b.*field; });
        return {*low, *high};
    }
};

std::vector<Point> project(const std::vector<Sample> &samples, const Axis &across, double Sample::*h,
                           const Axis &up, double Sample::*v) {
    std::vector<Point> points;
    points.reserve(samples.size());
    for (const Sample &sample : samples)
        points.push_back({across.at(sample.*h), up.at(sample.*v)});
    return points;
}

void draw_heading(Drawing &picture, const Sample &last, const std::string &title) {
    picture.text(Layout::margin, 70, title, {30, ink, "start", 700});
    const std::array<std::pair<std::string, const char *>, 5> tiles{
        {{with_separators(last.count), "samples"},
         {number(last.time, 3) + " s", "duration"},
         {number(last.path_length, 3) + " m", "path length"},
         {number(last.top_speed, 3) + " m/s", "top speed"},
         {number(last.peak_height, 3) + " m", "peak height"}}};
    double left = Layout::margin;
    for (const auto &[value, name] : tiles) {
        picture.text(left, 134, value, {24, ink, "start", 600});
        picture.text(left, 156, name, {13});
        left += 178;
    }
    picture.rule(Layout::margin, Layout::width - Layout::margin, 190);
}

void draw_legend(Drawing &picture, double fastest) {
    const double right = Layout::width - Layout::margin, left = right - 240;
    picture.text(left, 116, "Colour of the path: speed", {13});
    picture.bar(left, right, 125, picture.gradient("legend", {left, 0}, {right, 0}));
    picture.text(left, 155, "0", {12});
    picture.text((left + right) / 2, 155, number(fastest / 2, 1), {12, muted, "middle"});
    picture.text(right, 155, number(fastest, 1) + " m/s", {12, muted, "end"});
}

// A ring where the flight begins and a dot where it ends, so that both are seen where that is the same place.
void draw_ends(Drawing &picture, const std::vector<Point> &points) {
    const Point start = points.front(), end = points.back();
    const Drawing::Style style{13, green, "middle", 600};
    picture.dot(start, 8, "none", panel, 5);
    picture.dot(start, 8, "none", green, 2.6);
    picture.dot(end, 4.2, green, panel, 1.4);
    if (std::hypot(start.x - end.x, start.y - end.y) < 30) {
        picture.label_beside(points, start, 10, "start and end", style);
    } else {
        picture.label_beside(points, start, 10, "start", style);
        picture.label_beside(points, end, 10, "end", style);
    }
}

void draw_views(Drawing &picture, const Layout &layout, const std::vector<Sample> &samples) {
    std::vector<double> speeds;
    for (const Sample &sample : samples)
        speeds.push_back(sample.speed / std::max(layout.fastest.speed, 1e-9));

    const std::vector<Point> above = project(samples, layout.x, &Sample::x, layout.y, &Sample::y);
    picture.frame(layout.x, layout.y, "From above", "x across, y up, in metres");
    picture.coloured(above, speeds);
    // When the drone was where: a dot at each round time.
    const double every = round_step(layout.time.span(), 10);
    double next = every;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (samples[i].time >= next) {
            picture.dot(above[i], 3.2, panel, ink, 1.4);
            picture.label_beside(above, above[i], 6, number(next, every < 1 ? 1 : 0) + " s",
                                 {11, ink, "middle"});
            next += every;
        }
    draw_ends(picture, above);

    const std::vector<Point> aside = project(samples, layout.x, &Sample::x, layout.z, &Sample::z);
    picture.frame(layout.x, layout.z, "From the side", "x across, height up, in metres");
    picture.coloured(aside, speeds);
    draw_ends(picture, aside);
}

// A curve over time, the area below it, and a mark at its peak.
void draw_curve(Drawing &picture, const Layout &layout, const std::vector<Sample> &samples, const Axis &up,
                double Sample::*field, const Sample &peak, const std::string &unit,
                const std::string &stroke) {
    picture.curve(project(samples, layout.time, &Sample::time, up, field), up.from, stroke);
    const Point at{layout.time.at(peak.time), up.at(peak.*field)};
    const bool flip = at.x > layout.time.to - 170;
    picture.dot(at, 4, panel, ink, 1.6);
    picture.label(at.x + (flip ? -10 : 10), at.y + 1,
                  number(peak.*field, 3) + " " + unit + " at " + number(peak.time, 1) + " s",
                  {12, ink, flip ? "end" : "start", 600});
}

std::string draw(const std::vector<Sample> &samples, const std::string &title) {
    const Sample &last = samples.back();
    const Layout layout(samples, last.time);
    Drawing picture(Layout::width, layout.bottom + 64, title);
    draw_heading(picture, last, title);
    draw_legend(picture, layout.fastest.speed);
    draw_views(picture, layout, samples);

    const Axis &speed = layout.speed;
    picture.frame(layout.time, layout.height, "Height over time", "seconds across, metres up");
    draw_curve(picture, layout, samples, layout.height, &Sample::z, layout.highest, "m", "#3a5f8f");
    picture.frame(layout.time, speed, "Speed over time", "seconds across, metres per second up");
    draw_curve(picture, layout, samples, speed, &Sample::speed, layout.fastest, "m/s",
               picture.gradient("speed", {0, speed.at(0)}, {0, speed.at(layout.fastest.speed)}));
    return picture.finish();
}

Sample read_state(const dora::Event &event) {
    const dora::Span<const double> state = event.values<double>();
    if (state.size() != 9)
        throw std::runtime_error("a state has " + std::to_string(state.size()) + " values instead of 9");
    return {state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7], state[8]};
}

std::string setting(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr || *value == '\0')
        throw std::runtime_error(std::string(name) + " is not set; the dataflow's env sets it");
    return value;
}

void write(const std::string &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        throw std::runtime_error("cannot write '" + path + "'");
}

} // namespace

int main() try {
    const std::string path = setting("FLIGHT_PICTURE"), title = setting("FLIGHT_TITLE");

    dora::Node node;
    std::vector<Sample> samples;
    for (const dora::Event &event : node.events()) { // ends after a stop and what was queued
        if (event.kind() == DORA_EVENT_ERROR)
            throw std::runtime_error(std::string(event.message()));
        if (event.kind() != DORA_EVENT_INPUT)
            continue;
        samples.push_back(read_state(event));
        if (samples.back().count != static_cast<double>(samples.size()))
            throw std::runtime_error("state " + std::to_string(samples.size()) + " was lost on its way");
    }
    if (samples.empty() || samples.back().time <= 0)
        throw std::runtime_error("nothing to draw: the flight has no two samples");

    write(path, draw(samples, title));
    std::printf("flight-plot: drew %zu samples to %s\n", samples.size(), path.c_str());
    return EXIT_SUCCESS;
} catch (const std::exception &error) {
    std::fprintf(stderr, "flight-plot: %s\n", error.what());
    return EXIT_FAILURE;
}
