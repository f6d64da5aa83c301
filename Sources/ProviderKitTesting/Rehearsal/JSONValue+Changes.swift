import ProviderKit

extension JSONValue {
    /// The document once for every member in it, with that member replaced. Long arrays are tried at their start only.
    ///
    /// - Returns: The changed documents, each with the JSON Pointer (RFC 6901) of what was replaced.
    func replacingEachMember(
        by replacement: (JSONValue) -> JSONValue
    ) -> [(pointer: String, document: JSONValue)] {
        switch self {
        case .object(let members):
            members.flatMap { name, value in
                value.replacedAndWithin(replacement).map { pointer, changed in
                    var copy = members
                    copy[name] = changed
                    return ("/\(name)\(pointer)", .object(copy))
                }
            }
        case .array(let elements):
            elements.prefix(2).enumerated().flatMap { position, element in
                element.replacedAndWithin(replacement).map { pointer, changed in
                    var copy = elements
                    copy[position] = changed
                    return ("/\(position)\(pointer)", .array(copy))
                }
            }
        default: []
        }
    }

    private func replacedAndWithin(
        _ replacement: (JSONValue) -> JSONValue
    ) -> [(pointer: String, document: JSONValue)] {
        [("", replacement(self))] + replacingEachMember(by: replacement)
    }

    /// What stands in the place of a string: providers may number their people, and then this is somebody.
    static let replacement: JSONValue = 7

    /// A value of a type that this is not.
    var otherType: JSONValue {
        switch self {
        case .null, .bool, .array: "a-string"
        case .number(let number): .string(number.literal)
        case .string, .object: Self.replacement
        }
    }

    /// A value of the same type that says something else, where there is one.
    private var contradiction: JSONValue {
        switch self {
        case .bool(let bool): .bool(!bool)
        case .number(let number): .integer((number.integer ?? 0) &+ 1)
        case .string(let string): .string(string + "-of-somebody-else")
        case .null, .array, .object: self
        }
    }

    /// The document with every outermost name twice: a contradiction before what is meant, then after it.
    func namingMembersTwice() -> [String] {
        switch self {
        case .object(let members) where !members.isEmpty:
            let others = JSONObject(members.map { ($0.name, $0.value.contradiction) })
            return [(others, members), (members, others)].map { first, second in
                first.serialized().dropLast() + "," + second.serialized().dropFirst()
            }
        case .array(let elements):
            guard let first = elements.first else { return [] }
            let rest = elements.dropFirst().map { "," + $0.serialized() }.joined()
            return first.namingMembersTwice().map { "[\($0)\(rest)]" }
        default: return []
        }
    }
}

extension UpstreamResponse {
    /// Whether the body is an object with this member.
    func hasMember(_ name: String) -> Bool { (try? JSONValue(parsing: body))?[name] != nil }

    /// The answer with one member of its object replaced, or without it.
    func replacingMember(_ name: String, _ value: JSONValue?) -> UpstreamResponse {
        guard case .object(var members)? = try? JSONValue(parsing: body) else { return self }
        members[name] = value
        return UpstreamResponse(status: status, headers: headers, body: Array(members.serialized().utf8))
    }

    /// The answer with every address in it, and the usual headers, leading to another host.
    func pointingElsewhere() -> UpstreamResponse {
        let elsewhere = "https://elsewhere.example/"
        let text = String(decoding: body, as: UTF8.self).replacing("https://", with: elsewhere)
        let links = [(name: "Link", value: "<\(elsewhere)>; rel=\"next\""), (name: "Location", value: elsewhere)]
        let kept = headers.filter { !["link", "location"].contains($0.name.lowercased()) }
        return UpstreamResponse(status: status, headers: kept + links, body: Array(text.utf8))
    }
}
