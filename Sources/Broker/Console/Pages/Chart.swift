/// A chart of bars below one time axis, each series in a drawing of its own, with its figures as a table.
struct Chart: Sendable {
    /// From the earliest to the latest.
    let periods: [Period]
    /// The heading of the periods in the table.
    let periodTitle: String
    let series: [Series]

    struct Period: Sendable {
        /// Stands below the axis, such as `14:00`.
        let name: String
        /// Stands in the table.
        let time: Markup
    }

    struct Series: Sendable {
        /// Such as `Completed`.
        let name: String
        /// What the sentence of a screen reader counts, such as `completed sign-ins each hour`.
        let subject: String
        /// The class of its bars: `completed` or `failed`.
        let style: String
        let values: [Int]
        /// Whether its drawing is low.
        let isLow: Bool

        /// The largest value with its place, where any is above zero.
        fileprivate var most: (index: Int, value: Int)? {
            let most = values.enumerated().max { $0.element < $1.element }
            return most.flatMap { $0.element > 0 ? ($0.offset, $0.element) : nil }
        }
    }

    var markup: Markup {
        series.enumerated().map { figure($1, isLast: $0 == series.count - 1) }.joined() + figures
    }

    private static let width = 240

    private func figure(_ series: Series, isLast: Bool) -> Markup {
        let top = Self.top(above: series.most?.value ?? 0)
        let marks = series.isLow ? [top, 0] : [top, top / 2, 0]
        let most: Markup? = series.most.map { most in
            "<span class=\"soft\">most \(most.value.grouped), at \(periods[most.index].name)</span>"
        }
        let labels = marks.map { "<span>\($0.grouped)</span>" as Markup }.joined()
        let axis: Markup? = isLast ? "<div class=\"x\" aria-hidden=\"true\">\(axisLabels)</div>" : nil
        return """
            <figure class="chart\(series.isLow ? " low" : "" as Markup)"><figcaption class="label">\
            <span class="key \(series.style)"></span>\(series.name) \(most)</figcaption>\
            <div class="y" aria-hidden="true">\(labels)</div>\
            <svg viewBox="0 0 \(Self.width) 100" preserveAspectRatio="none" role="img" aria-label="\(sentence(series))">\
            \(lines(marks.count))\(bars(series, top: top))</svg>\(axis)</figure>
            """
    }

    private func lines(_ count: Int) -> Markup {
        (0..<count).map { index -> Markup in
            let y = index * 100 / (count - 1)
            return """
                <line class="line\(index == count - 1 ? " base" : "" as Markup)" x1="0" x2="\(Self.width)" y1="\(y)" y2="\(y)" />
                """
        }.joined()
    }

    private func bars(_ series: Series, top: Int) -> Markup {
        let step = Double(Self.width) / Double(max(series.values.count, 1))
        return series.values.enumerated().filter { $0.element > 0 }.map { index, value -> Markup in
            let height = Double(value) / Double(top) * 100
            return """
                <rect class="\(series.style)" x="\((Double(index) + 0.12) * step, tenths: true)" \
                y="\(100 - height, tenths: true)" width="\(step * 0.76, tenths: true)" height="\(height, tenths: true)">\
                <title>\(periods[index].name): \(value.grouped)</title></rect>
                """
        }.joined()
    }

    private func sentence(_ series: Series) -> String {
        let total = series.values.reduce(0, +)
        let most = series.most.map { ", most \($0.value.grouped) at \(periods[$0.index].name)" } ?? ""
        return "\(series.subject): \(total.grouped) in all\(most)"
    }

    /// Five names at the most.
    private var axisLabels: Markup {
        let step = max((periods.count + 3) / 4, 1)
        let shown = stride(from: 0, to: max(periods.count - step / 2, 1), by: step).compactMap { index in
            periods.indices.contains(index) ? "<span>\(periods[index].name)</span>" as Markup : nil
        }
        return (shown + ["<span>now</span>"]).joined()
    }

    private var figures: Markup {
        let rows = periods.indices.map { index in
            [periods[index].time] + series.map { "\($0.values[index].grouped)" }
        }
        let columns = [Markup.Column(stringLiteral: periodTitle)] + series.map { .number($0.name) }
        return "<details class=\"figures\"><summary>Show as a table</summary>\(Markup.table(columns, rows))</details>"
    }

    /// The end of an axis: 1, 2 or 5 times a power of ten, and even.
    private static func top(above value: Int) -> Int {
        var unit = 1
        while unit < Int.max / 100 {
            for factor in [2, 4, 10] where factor * unit >= value { return factor * unit }
            unit *= 10
        }
        return value
    }
}

extension Markup.StringInterpolation {
    /// A length of a drawing.
    fileprivate mutating func appendInterpolation(_ length: Double, tenths: Bool) {
        let tenths = Int((length * 10).rounded())
        appendInterpolation("\(tenths / 10).\(tenths % 10)")
    }
}

extension Int {
    /// With a comma between groups of three digits: `12,452`.
    var grouped: String {
        var digits = String(magnitude)[...]
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.append(digits.suffix(3))
            digits = digits.dropLast(3)
        }
        groups.append(digits)
        return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }
}
