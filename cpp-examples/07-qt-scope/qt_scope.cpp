// A scope: a window with the curves of two inputs. Qt's loop serves the window, its timer and the dataflow,
// in one thread.
//
// What one sees when it runs: a window, and when that is closed or the dataflow ends a line for each input,
//
//     value: 500 values, the last 1.073
//     filtered: 500 values, the last 0.984
//
//   input value, filtered    one float64 each
//
//   SCOPE_PICTURE            where to save what the window shows at the end, in the format that the name's
//                            ending says (.png); empty for nowhere
//   QT_QPA_PLATFORM          `offscreen` where there is no screen
#include <dora/dora.hpp>

#include <QApplication>
#include <QColor>
#include <QPainter>
#include <QPixmap>
#include <QPointF>
#include <QSocketNotifier>
#include <QString>
#include <QTimer>
#include <QVector>
#include <QWidget>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace std::chrono_literals;

struct Curve {
    QColor colour;
    QVector<double> latest = {}; // what the window has room for
    std::size_t count = 0;       // of all values
};

class Scope : public QWidget {
  public:
    Scope() { setFixedSize(columns, rows); }

    void add(std::string_view input, double value) {
        Curve &curve = input == "value" ? value_ : filtered_;
        if (curve.latest.size() == columns)
            curve.latest.removeFirst();
        curve.latest.append(value);
        ++curve.count;
    }

    void report() const {
        for (const auto &[name, curve] : {std::pair("value", &value_), std::pair("filtered", &filtered_)})
            std::printf("%s: %zu values, the last %.3f\n", name, curve->count,
                        curve->latest.isEmpty() ? 0 : curve->latest.last());
    }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.fillRect(rect(), Qt::white);
        painter.setPen(Qt::lightGray);
        painter.drawLine(0, rows / 2, columns, rows / 2);
        for (const Curve *curve : {&value_, &filtered_})
            draw(painter, *curve);
    }

  private:
    static constexpr int columns = 500, rows = 300; // pixels
    static constexpr double top = 1.5;              // the value at the upper edge

    // The newest value is at the right edge, and each one a pixel from the next.
    static void draw(QPainter &painter, const Curve &curve) {
        QVector<QPointF> points;
        for (int i = 0; i < curve.latest.size(); ++i)
            points.append({static_cast<double>(columns - curve.latest.size() + i),
                           (1 - curve.latest[i] / top) * rows / 2});
        painter.setPen(curve.colour);
        painter.drawPolyline(points.data(), points.size());
    }

    Curve value_{Qt::darkCyan}, filtered_{Qt::red};
};

void on_event(const dora::Event &event, Scope &scope) {
    if (event.kind() == DORA_EVENT_ERROR)
        throw std::runtime_error(std::string(event.message()));
    if (event.kind() != DORA_EVENT_INPUT)
        return;
    const dora::Span<const double> values = event.values<double>();
    if (values.size() != 1)
        throw std::runtime_error("a value is not one number");
    scope.add(event.input_id(), values[0]);
}

// The one rule: when the descriptor is readable, read until nothing is left. Behind the end it is readable
// for ever, so it is watched no more. No exception may leave what Qt calls.
void read_events(dora::Node &node, Scope &scope, QSocketNotifier &notifier) try {
    dora::ReadResult result = node.read(0s);
    for (; result; result = node.read(0s))
        on_event(*result, scope);
    if (result.closed()) {
        notifier.setEnabled(false);
        QApplication::quit();
    }
} catch (const std::exception &error) {
    std::fprintf(stderr, "qt-scope: %s\n", error.what());
    notifier.setEnabled(false);
    QApplication::exit(EXIT_FAILURE);
}

void save(Scope &scope) {
    const QString path = qEnvironmentVariable("SCOPE_PICTURE");
    if (!path.isEmpty() && !scope.grab().save(path))
        throw std::runtime_error("cannot save the picture '" + path.toStdString() + "'");
}

} // namespace

int main(int argc, char **argv) try {
    dora::Node node; // before all that watches its descriptor, so it goes after them
    const QApplication application(argc, argv);
    Scope scope;
    scope.show();

    QSocketNotifier notifier(node.event_fd(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, [&] { read_events(node, scope, notifier); });

    // However many values come, the window is painted at its own pace.
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] { scope.update(); });
    timer.start(40ms);

    const int status = QApplication::exec();
    scope.report();
    save(scope);
    return status;
} catch (const std::exception &error) {
    std::fprintf(stderr, "qt-scope: %s\n", error.what());
    return EXIT_FAILURE;
}
