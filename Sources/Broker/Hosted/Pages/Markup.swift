/// Markup of a page. Literals are markup; interpolated values are escaped, so that no name, address or claim becomes an
/// element or ends an attribute.
struct Markup: ExpressibleByStringInterpolation, Sendable {
    /// The markup as text.
    let text: String

    var isEmpty: Bool { text.isEmpty }

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// A value from outside, escaped.
    init(escaping value: String) {
        text = value.escapedForMarkup
    }

    /// Markup that this program made as text, such as a drawing.
    init(drawing: String) {
        text = drawing
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity * 2)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ value: String) { text += value.escapedForMarkup }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ icon: PageIcon) { text += icon.svg }

        /// Where a value may be missing, nothing stands for it.
        mutating func appendInterpolation(_ markup: Markup?) { text += markup?.text ?? "" }
    }

    static func + (one: Markup, other: Markup) -> Markup { Markup(drawing: one.text + other.text) }
}

extension Sequence<Markup> {
    /// The parts one after another.
    func joined(separator: Markup = "") -> Markup {
        Markup(drawing: map(\.text).joined(separator: separator.text))
    }
}
