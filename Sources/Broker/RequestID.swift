import Foundation
import OAuth

/// The id of a request, which its answer, its log line, error pages and decision records have. Work that no request started
/// has one of its own.
package enum RequestID {
    private static let length = 20

    static func make(at now: Date = Date()) -> String { RandomText.timeOrdered(length, at: now) }

    /// The time that an id was made at, before `now`; nil for another text.
    static func time(of id: String, before now: Date) -> Date? {
        RandomText.time(ofOrdered: id, count: length, before: now)
    }

    /// The id that a person typed, who may write it in groups as the error pages show it; nil for another text. Ids of users
    /// are longer.
    static func typed(_ text: String) -> String? {
        let id = text.filter { !$0.isWhitespace }
        guard id.utf8.count == length, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
        return id
    }
}
