package import StrictJSON

/// The details of an audit entry beyond its columns: a JSON object of at most ``maximumSize`` bytes.
///
/// Callers decide how much of it there is, such as the scopes that a client asks for. Nothing is refused or goes
/// unaudited because of its size: what is too long is cut, and a list that was cut ends with how many more there were.
package struct AuditDetail: Sendable, Hashable {
    /// With the other columns of its entry, 2 KB.
    package static let maximumSize = 1024

    /// The object as text.
    package let text: String

    package init(_ object: JSONObject = JSONObject()) {
        let (value, whole) = (JSONValue.object(object), object.serialized())
        text =
            whole.utf8.count <= Self.maximumSize ? whole : value.shortened(to: Self.maximumSize).serialized()
    }

    /// Reads the detail of a stored entry, whose seal covers its bytes. Earlier versions wrote longer ones.
    init(reading row: inout Row) throws(StoreError) {
        text = try row.text()
    }

    var values: [SQLValue] { [.text(text)] }
}

extension JSONValue {
    /// Stands for what was cut off.
    private static let ellipsis = "…"
    /// The least of each element of a list that is cut.
    private static let shortestElement = 100
    /// The longest marker of a list that was cut: `"… 9223372036854775807 more"`.
    private static let longestMarker = 32

    private var size: Int { serialized().utf8.count }

    /// The value, cut so that its text has at most `limit` bytes; null where that is too little for anything.
    fileprivate func shortened(to limit: Int) -> JSONValue {
        guard size > limit else { return self }
        switch self {
        case .string(let text): return Self.shortened(text, to: limit)
        case .array(let elements): return Self.shortened(elements, to: limit)
        case .object(let object): return Self.shortened(object, to: limit)
        case .null, .bool, .number: return .null
        }
    }

    private static func shortened(_ text: String, to limit: Int) -> JSONValue {
        // Two quotes and the ellipsis.
        var rest = limit - 2 - ellipsis.utf8.count
        guard rest >= 0 else { return .null }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            rest -= JSONValue.string(String(scalar)).size - 2
            guard rest >= 0 else { break }
            kept.append(scalar)
        }
        return .string(String(kept) + ellipsis)
    }

    private static func shortened(_ elements: [JSONValue], to limit: Int) -> JSONValue {
        var rest = limit - 2 - longestMarker
        var kept: [JSONValue] = []
        for element in elements {
            let element = element.shortened(to: max(shortestElement, rest / 2))
            // With its comma.
            rest -= element.size + 1
            guard rest >= 0 else { break }
            kept.append(element)
        }
        let left = elements.count - kept.count
        guard left > 0 else { return .array(kept) }
        return limit < longestMarker ? .null : .array(kept + [.string("\(ellipsis) \(left) more")])
    }

    /// Long members share what short ones leave.
    private static func shortened(_ object: JSONObject, to limit: Int) -> JSONValue {
        var kept = JSONObject()
        var rest = limit - 2 - longestMarker
        // The names, and the shortest value of each.
        for (name, value) in object {
            rest -= JSONValue.string(name).size + 2 + 4
            guard rest >= 0 else { break }
            kept[name] = value
        }
        guard limit >= longestMarker else { return .null }
        let left = object.count - kept.count
        var free = limit - 2 - kept.reduce(0) { $0 + JSONValue.string($1.name).size + 2 }
        if left > 0 { free -= longestMarker }
        for (position, member) in kept.sorted(by: { $0.value.size < $1.value.size }).enumerated() {
            let value = member.value.shortened(to: free / (kept.count - position))
            kept[member.name] = value
            free -= value.size
        }
        if left > 0 { kept[ellipsis] = .string("\(left) more") }
        return .object(kept)
    }
}
