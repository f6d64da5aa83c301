import Foundation
import OAuth

/// The id of a request, which its answer, its log line, error pages and decision records have. Work that no request started
/// has one of its own.
package enum RequestID {
    private static let length = 20

    static func make() -> String { RandomText.timeOrdered(length) }

    /// The time that an id was made at; nil for another text.
    static func time(of id: String) -> Date? { RandomText.time(ofOrdered: id, count: length) }

    /// Whether a text has the form of one. Ids of users are longer.
    package static func hasForm(_ text: String) -> Bool {
        text.utf8.count == length && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
