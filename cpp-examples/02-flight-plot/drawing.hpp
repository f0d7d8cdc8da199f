// Drawing as SVG text: colours, axes, curves, labels. Nothing here knows of dora or of flights.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace drawing {

constexpr const char *ink = "#1c2430", *muted = "#657084", *grid = "#e6e9ef", *paper = "#fbfcfd",
                     *panel = "#ffffff", *green = "#12805c";

inline std::string number(double value, int decimals) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    std::string text = buffer.data();
    if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-')
        text.erase(0, 1); // no "-0.0"
    return text.front() == '-' ? "\u2212" + text.substr(1) : text;
}

inline std::string with_separators(double count) {
    std::string text = number(count, 0);
    for (std::size_t i = text.size(); i > 3; i -= 3)
        text.insert(i - 3, 1, ',');
    return text;
}

inline std::string escaped(std::string_view text) {
    std::string result;
    for (char c : text)
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += c;
        }
    return result;
}

// From 0, dark and cool, to 1, bright and warm: the lightness only rises, so that it reads in grey too.
inline std::string colour(double fraction) {
    struct Rgb {
        double red, green, blue;
    };
    static constexpr std::array<Rgb, 6> ramp{
        {{38, 34, 98}, {92, 44, 140}, {163, 52, 136}, {222, 76, 98}, {246, 134, 62}, {250, 190, 60}}};
    const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(ramp.size() - 1);
    const auto index = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
    const double part = place - static_cast<double>(index);
    const auto mix = [part](double a, double b) {
        return static_cast<unsigned>(std::lround(a + (b - a) * part));
    };
    const Rgb &a = ramp[index], &b = ramp[index + 1];
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", mix(a.red, b.red), mix(a.green, b.green),
                  mix(a.blue, b.blue));
    return text.data();
}

// A range of values that begins and ends on a round step, laid over a range of pixels.
struct Axis {
    double low, high, step;
    double from = 0, to = 0;

    [[nodiscard]] double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
    [[nodiscard]] double span() const { return high - low; }
    [[nodiscard]] int decimals() const { return step >= 1 ? 0 : step >= 0.1 ? 1 : 2; }
    [[nodiscard]] Axis over(double begin, double end) const { return {low, high, step, begin, end}; }
};

inline double round_step(double span, double parts) {
    const double rough = std::max(span, 1e-9) / parts;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power * 1.0001)
            return factor * power;
    return 10 * power;
}

inline Axis axis(double low, double high, double step) {
    low = std::floor(low / step + 1e-9) * step;
    high = std::ceil(high / step - 1e-9) * step;
    return {low, std::max(high, low + step), step};
}

struct Point {
    double x, y;
};

// A point that lies within a pixel of the last one drawn adds nothing that one could see.
inline std::string path_data(const std::vector<Point> &points, std::size_t begin, std::size_t end) {
    std::ostringstream data;
    data.setf(std::ios::fixed);
    data.precision(1);
    Point last = points[begin];
    data << 'M' << last.x << ' ' << last.y;
    for (std::size_t i = begin + 1; i < end; ++i) {
        if (i + 1 != end && std::hypot(points[i].x - last.x, points[i].y - last.y) < 1)
            continue;
        last = points[i];
        data << 'L' << last.x << ' ' << last.y;
    }
    return data.str();
}

class Drawing {
  public:
    Drawing(double width, double height, std::string_view title) {
        out_.setf(std::ios::fixed);
        out_.precision(1);
        out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height
             << "\" width=\"" << width << "\" height=\"" << height
             << "\" role=\"img\" font-family=\"Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\">\n"
             << "<title>" << escaped(title) << "</title>\n"
             << "<rect width=\"100%\" height=\"100%\" fill=\"" << paper << "\"/>\n";
    }

    std::string finish() {
        out_ << "</svg>\n";
        return out_.str();
    }

    struct Style {
        double size = 12;
        const char *fill = muted;
        const char *anchor = "start";
        int weight = 400;
    };

    void text(double x, double y, std::string_view words, const Style &style) {
        out_ << "<text x=\"" << x << "\" y=\"" << y << "\" font-size=\"" << style.size << "\" fill=\""
             << style.fill << "\" text-anchor=\"" << style.anchor << "\" font-weight=\"" << style.weight
             << "\">" << escaped(words) << "</text>\n";
    }

    // Text over a drawing: a halo in the panel's colour keeps it readable.
    void label(double x, double y, std::string_view words, const Style &style) {
        out_ << "<g paint-order=\"stroke\" stroke=\"" << panel
             << "\" stroke-width=\"3.5\" stroke-linejoin=\"round\">";
        text(x, y, words, style);
        out_ << "</g>\n";
    }

    // A label beside a point of a line, on that side where it covers least of the line. The style is centred.
    void label_beside(const std::vector<Point> &line, Point at, double gap, std::string_view words,
                      const Style &style) {
        const double width = 0.56 * style.size * static_cast<double>(words.size());
        std::ptrdiff_t least = static_cast<std::ptrdiff_t>(line.size()) + 1;
        Point best{};
        for (const Point side :
             {Point{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1.3}, {0, 1.3}}) {
            const Point centre{at.x + side.x * (gap + width / 2), at.y + side.y * (gap + style.size / 3)};
            const auto covered = std::count_if(line.begin(), line.end(), [&](Point point) {
                return std::abs(point.x - centre.x) < width / 2 + 4 &&
                       std::abs(point.y - centre.y) < style.size / 2 + 3;
            });
            if (covered < least) {
                least = covered;
                best = centre;
            }
        }
        label(best.x, best.y + 0.36 * style.size, words, style);
    }

    void dot(Point at, double radius, const char *fill, const char *stroke, double width) {
        out_ << "<circle cx=\"" << at.x << "\" cy=\"" << at.y << "\" r=\"" << radius << "\" fill=\"" << fill
             << "\" stroke=\"" << stroke << "\" stroke-width=\"" << width << "\"/>\n";
    }

    void rule(double left, double right, double y) {
        out_ << "<path d=\"M" << left << ' ' << y << 'H' << right << "\" stroke=\"" << grid << "\"/>\n";
    }

    void bar(double left, double right, double y, const std::string &fill) {
        out_ << "<rect x=\"" << left << "\" y=\"" << y << "\" width=\"" << right - left
             << "\" height=\"10\" rx=\"5\" fill=\"" << fill << "\"/>\n";
    }

    void curve(const std::vector<Point> &points, double base, const std::string &stroke) {
        const std::string data = path_data(points, 0, points.size());
        out_ << "<path d=\"" << data << 'V' << base << 'H' << points.front().x << "Z\" fill=\"" << stroke
             << "\" opacity=\"0.10\"/>\n<path d=\"" << data << "\" fill=\"none\" stroke=\"" << stroke
             << "\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>\n";
    }

    // All colours from one place to another; what it returns is used as a fill or stroke.
    std::string gradient(const std::string &id, Point from, Point to) {
        out_ << "<linearGradient id=\"" << id << "\" gradientUnits=\"userSpaceOnUse\" x1=\"" << from.x
             << "\" y1=\"" << from.y << "\" x2=\"" << to.x << "\" y2=\"" << to.y << "\">";
        for (int i = 0; i <= 10; ++i)
            out_ << "<stop offset=\"" << i / 10.0 << "\" stop-color=\"" << colour(i / 10.0) << "\"/>";
        out_ << "</linearGradient>\n";
        return "url(#" + id + ")";
    }

    // The panel that two axes span, its grid and numbers, and a heading above it.
    void frame(const Axis &across, const Axis &up, std::string_view heading, std::string_view units) {
        const double left = across.from, right = across.to, top = up.to, bottom = up.from;
        out_ << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"" << right - left << "\" height=\""
             << bottom - top << "\" fill=\"" << panel << "\" stroke=\"#cfd5df\"/>\n<g stroke=\"" << grid
             << "\">\n";
        for (double value : steps(across))
            out_ << "<path d=\"M" << across.at(value) << ' ' << top + 0.5 << 'V' << bottom - 0.5 << "\"/>\n";
        for (double value : steps(up))
            out_ << "<path d=\"M" << left + 0.5 << ' ' << up.at(value) << 'H' << right - 0.5 << "\"/>\n";
        out_ << "</g>\n";
        for (double value : steps(across))
            text(across.at(value), bottom + 19, number(value, across.decimals()), {12, muted, "middle"});
        for (double value : steps(up))
            text(left - 9, up.at(value) + 4, number(value, up.decimals()), {12, muted, "end"});
        text(left, top - 13, heading, {15, ink, "start", 600});
        text(right, top - 13, units, {12, muted, "end"});
    }

    // One line, coloured by a value from 0 to 1 for each point. Each run of one colour lies on a rim of the
    // panel's colour, so that where the line crosses itself one sees which part came later; a rim goes under
    // the run before it, which it would cut short.
    void coloured(const std::vector<Point> &points, const std::vector<double> &values) {
        constexpr double shades = 32;
        const auto shade = [&](std::size_t i) { return std::floor(values[i] * (shades - 1) + 0.5); };
        std::string before;
        out_ << "<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n";
        for (std::size_t begin = 0; begin + 1 < points.size();) {
            std::size_t end = begin + 1;
            while (end + 1 < points.size() && shade(end) == shade(begin))
                ++end;
            const std::string data = "<path d=\"" + path_data(points, begin, end + 1);
            out_ << data << "\" stroke=\"" << panel << "\" stroke-width=\"4.4\" stroke-linecap=\"butt\"/>"
                 << before;
            before =
                data + "\" stroke=\"" + colour(shade(begin) / (shades - 1)) + "\" stroke-width=\"2.5\"/>\n";
            begin = end;
        }
        out_ << before << "</g>\n";
    }

  private:
    static std::vector<double> steps(const Axis &range) {
        std::vector<double> values;
        for (int i = 0; range.low + i * range.step <= range.high + range.step * 1e-6; ++i)
            values.push_back(range.low + i * range.step);
        return values;
    }

    std::ostringstream out_;
};

} // namespace drawing
