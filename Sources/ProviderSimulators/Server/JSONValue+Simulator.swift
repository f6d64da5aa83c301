import ProviderKit

extension JSONValue {
    /// A string, or `null`, which wire-faithful answers spell out.
    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    /// The document as UTF-8.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// A string or a number as a form would carry it.
    var text: String? { string ?? number?.literal }
}

extension JSONObject {
    /// Both objects' members; where both have one, the other's.
    func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        for (name, value) in other { merged[name] = value }
        return merged
    }
}
