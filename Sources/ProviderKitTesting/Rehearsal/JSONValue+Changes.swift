import ProviderKit

extension JSONValue {
    /// The document once for each member, with that member replaced. Of long arrays only the first elements are
    /// changed.
    ///
    /// - Returns: The changed documents, each with the JSON Pointer (RFC 6901) of the replaced value.
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

    /// The replacement of a string. It is not a number, because a number may be a valid user id.
    static let replacement: JSONValue = 7

    /// A value of another type.
    var otherType: JSONValue {
        switch self {
        case .null, .bool, .array: "a-string"
        case .number(let number): .string(number.literal)
        case .string, .object: Self.replacement
        }
    }

    /// An empty value of the same type, or `false`.
    var empty: JSONValue {
        switch self {
        case .object: [:]
        case .array: []
        case .string: ""
        case .null, .bool, .number: false
        }
    }

    /// Another value of the same type, if there is one.
    private var contradiction: JSONValue {
        switch self {
        case .bool(let bool): .bool(!bool)
        case .number(let number): .integer((number.integer ?? 0) &+ 1)
        case .string(let string): .string(string + "-of-somebody-else")
        case .null, .array, .object: self
        }
    }

    /// The document with every top-level name twice: with the other value first, then last.
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

    /// The response with one member of its object replaced or removed.
    func replacingMember(_ name: String, _ value: JSONValue?) -> UpstreamResponse {
        guard case .object(var members)? = try? JSONValue(parsing: body) else { return self }
        members[name] = value
        return UpstreamResponse(status: status, headers: headers, body: members.serializedBytes())
    }

    /// The response with a further page, in every way in which providers name one.
    func announcingAnotherPage(of url: String) -> UpstreamResponse {
        let next = url + (url.contains("?") ? "&" : "?") + "cursor=another"
        var body = body
        if case .object(var members)? = try? JSONValue(parsing: body) {
            for name in ["next", "next_page", "nextLink", "@odata.nextLink"] { members[name] = .string(next) }
            for name in ["cursor", "next_cursor", "next_page_token", "nextPageToken"] { members[name] = "another" }
            members["has_more"] = true
            body = members.serializedBytes()
        }
        let links = [(name: "Link", value: "<\(next)>; rel=\"next\"")]
        return UpstreamResponse(
            status: status, headers: headers.filter { $0.name.lowercased() != "link" } + links, body: body)
    }

    /// The response with another host in all of its URLs and in the `Link` and `Location` headers.
    func pointingElsewhere() -> UpstreamResponse {
        let elsewhere = "https://elsewhere.example/"
        let text = String(decoding: body, as: UTF8.self).replacing("https://", with: elsewhere)
        let links = [(name: "Link", value: "<\(elsewhere)>; rel=\"next\""), (name: "Location", value: elsewhere)]
        let others = headers.filter { !["link", "location"].contains($0.name.lowercased()) }
        return UpstreamResponse(status: status, headers: others + links, body: Array(text.utf8))
    }
}
