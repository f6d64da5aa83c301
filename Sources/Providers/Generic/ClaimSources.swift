import ProviderKit

/// The documents of one sign-in that may have claims of the user.
struct ClaimDocuments: Sendable {
    /// The response of `userinfoUrl`; without one ``token``.
    var profile: JSONValue
    /// Whether the entry has a `userinfoUrl`.
    var hasUserinfo = true
    /// The response of the token endpoint, without its tokens.
    let token: JSONValue
    /// The parameters of the authorization response that are not the protocol's. The browser brought them: nothing proves
    /// them.
    let callback: JSONValue

    subscript(_ source: ClaimSource) -> JSONValue? {
        switch source.place {
        case nil, .userinfo: profile[source.pointer]
        case .token: token[source.pointer]
        case .callback: callback[source.pointer]
        }
    }
}

/// A document with claims.
enum ClaimPlace: String, CaseIterable, DeclaredValue {
    case userinfo, token, callback
}

/// A JSON Pointer of the options, of bounded length.
struct ClaimPointer: DeclaredValue {
    let pointer: JSONPointer

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let pointer = Self.pointer(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a JSON Pointer such as /response/id, \(Self.limits)")
        }
        self.pointer = pointer
    }

    static let limits = "of at most 256 bytes and 16 names"

    static let declaredSchema: JSONObject = [
        "type": "string", "maxLength": 256, "pattern": "^(/([^/~]|~0|~1)*){0,16}$",
    ]

    static func pointer(_ text: String) -> JSONPointer? {
        guard text.utf8.count <= 256, let pointer = JSONPointer(text), pointer.tokens.count <= 16 else { return nil }
        return pointer
    }
}

/// The place of one claim at an OAuth 2 provider: a JSON Pointer, with the document that it points into.
struct ClaimSource: DeclaredValue {
    let pointer: JSONPointer
    /// The document; nil for the profile.
    let place: ClaimPlace?

    init(pointer: JSONPointer, in place: ClaimPlace? = nil) {
        self.pointer = pointer
        self.place = place
    }

    init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(JSONValue.self).object != nil else {
            self.init(pointer: try ClaimPointer(from: decoder).pointer)
            return
        }
        let placed = try Placed(from: decoder)
        self.init(pointer: placed.pointer?.pointer ?? JSONPointer(names: []), in: placed.place)
    }

    static var declaredSchema: JSONObject {
        ["anyOf": [.object(ClaimPointer.declaredSchema), .object(Placed.declaredSchema)]]
    }

    /// Its text in a rule of subjects.
    var description: String { (place.map { "\($0.rawValue):" } ?? "") + pointer.description }

    private struct Placed: DeclaredOptions {
        var place: ClaimPlace?
        var pointer: ClaimPointer?

        static let declaration = DeclaredObject<Placed>(
            "A claim and its document.",
            [
                .key(
                    "in", \.place,
                    """
                    the document: `userinfo`, the `token` response, or the parameters of the `callback`, which the \
                    browser brings and nothing proves
                    """
                ).required(),
                .key("pointer", \.pointer, "the place in it, a JSON Pointer (RFC 6901)").required(),
            ])
    }
}

/// The places of one claim, in order of preference.
struct ClaimSources: DeclaredValue {
    let sources: [ClaimSource]

    init(_ sources: [ClaimSource]) {
        self.sources = sources
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let isList = try container.decode(JSONValue.self).array != nil
        sources = isList ? try container.decode([ClaimSource].self) : [try container.decode(ClaimSource.self)]
        guard (1...ClaimPointers.maximumCount).contains(sources.count) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a place, or a list of at most \(ClaimPointers.maximumCount) of them")
        }
    }

    static var declaredSchema: JSONObject {
        let list: JSONObject = [
            "type": "array", "minItems": 1, "maxItems": .integer(ClaimPointers.maximumCount),
            "items": .object(ClaimSource.declaredSchema),
        ]
        return ["anyOf": [.object(ClaimSource.declaredSchema), .object(list)]]
    }

    /// The first string that is present and not empty.
    func text(in documents: ClaimDocuments) -> String? {
        sources.lazy.compactMap { documents[$0]?.string }.first { !$0.isEmpty }
    }
}

extension JSONValue {
    /// The value as an id: a string that is not empty, or an integer. A number with fraction or exponent is none.
    var identifier: String? {
        if let string { return string.isEmpty ? nil : string }
        return integer.map { String($0) }
    }
}
