import ProviderKit

/// A field of a request's JSON body, declared once: its reading with Google's coercions (contract §1.3) and its schema
/// follow.
struct BodyField<Root: Sendable>: Sendable {
    /// In camel case; clients may write it in snake case.
    let name: String
    /// What it is, for the OpenAPI document.
    let text: String
    /// Of its values as clients are to send them, in JSON Schema; nil for a field that the document leaves out, because it
    /// is refused or only checked with others.
    let schema: JSONObject?
    /// Whether a request without it is refused.
    var isRequired = false
    var example: JSONValue?
    /// The spelling in the document; the name where it is nil.
    var documentedName: String?

    let read: @Sendable (RequestFields, inout Root) throws(WireError) -> Void
}

/// The JSON body of a request, by its declared fields.
struct DeclaredBody<Root: Sendable>: Sendable {
    /// In the order in which they are read, which is the order of the errors.
    let fields: [BodyField<Root>]

    init(_ parts: [BodyField<Root>]...) {
        fields = parts.flatMap(\.self)
    }

    /// Reads the fields of a request.
    ///
    /// - Throws: ``WireError`` of the first field that is refused.
    func read(_ fields: RequestFields, into root: inout Root) throws(WireError) {
        for field in self.fields { try field.read(fields, &root) }
    }

    /// JSON Schema of the body. Unknown fields are passed over.
    var schema: JSONValue {
        let described = fields.compactMap { field in field.schema.map { (field: field, schema: $0) } }
        var properties = JSONObject()
        for (field, schema) in described {
            var property = schema
            property["description"] = .string(field.text)
            properties[field.documentedName ?? field.name] = .object(property)
        }
        var object: JSONObject = ["type": "object", "properties": .object(properties)]
        let required = described.filter(\.field.isRequired).map { $0.field.documentedName ?? $0.field.name }
        if !required.isEmpty { object["required"] = .array(required.map(JSONValue.string)) }
        return .object(object)
    }

    /// A body that is accepted: the examples of the fields.
    var example: JSONValue {
        .object(
            JSONObject(fields.compactMap { field in field.example.map { (field.documentedName ?? field.name, $0) } }))
    }

    /// The fields of a part of `Whole`.
    func of<Whole: Sendable>(_ part: any WritableKeyPath<Whole, Root> & Sendable) -> [BodyField<Whole>] {
        fields.map { field in
            BodyField<Whole>(
                name: field.name, text: field.text, schema: field.schema, isRequired: field.isRequired,
                example: field.example, documentedName: field.documentedName
            ) { (fields, whole) throws(WireError) in try field.read(fields, &whole[keyPath: part]) }
        }
    }
}

/// A value that is read of a request's body.
protocol DeclaredRequest: Sendable {
    static var body: DeclaredBody<Self> { get }

    /// What a request without any field says.
    init()
}

extension DeclaredRequest {
    /// Reads a request.
    ///
    /// - Throws: ``WireError`` of the first field that is refused.
    init(_ fields: RequestFields) throws(WireError) {
        self.init()
        try Self.body.read(fields, into: &self)
    }
}

extension BodyField {
    /// A text; numbers and booleans serve as one, and the empty one is absent.
    ///
    /// - Parameters:
    ///   - name: The field.
    ///   - limit: The maximum number of bytes; nil for the limit of the body.
    ///   - text: What it is.
    ///   - set: Takes the text.
    /// - Returns: The field.
    static func text(
        _ name: String, upTo limit: Int? = nil, _ text: String,
        set: @escaping @Sendable (inout Root, String?) throws(WireError) -> Void
    ) -> BodyField {
        BodyField(name: name, text: text, schema: schema(ofTextUpTo: limit)) { (fields, root) throws(WireError) in
            let value = try fields.nonEmpty(name)
            if let limit, let value, value.utf8.count > limit {
                throw .field("/\(name)", "must be at most \(limit) bytes")
            }
            try set(&root, value)
        }
    }

    /// A text without which the request is refused.
    static func text(
        _ name: String, orThrow missing: WireError, _ text: String,
        set: @escaping @Sendable (inout Root, String) throws(WireError) -> Void
    ) -> BodyField {
        var field = BodyField(name: name, text: text, schema: ["type": "string"]) { (fields, root) throws(WireError) in
            guard let value = try fields.nonEmpty(name) else { throw missing }
            try set(&root, value)
        }
        field.isRequired = true
        return field
    }

    /// A text whose empty value has a meaning of its own.
    static func emptyableText(
        _ name: String, _ text: String, set: @escaping @Sendable (inout Root, String?) throws(WireError) -> Void
    ) -> BodyField {
        BodyField(name: name, text: text, schema: ["type": "string"]) { (fields, root) throws(WireError) in
            try set(&root, try fields.string(name))
        }
    }

    /// `true` or `false`, which may stand as text.
    static func flag(
        _ name: String, _ text: String, set: @escaping @Sendable (inout Root, Bool?) throws(WireError) -> Void
    ) -> BodyField {
        BodyField(name: name, text: text, schema: ["type": "boolean"]) { (fields, root) throws(WireError) in
            try set(&root, try fields.bool(name))
        }
    }

    /// A whole number, which may stand as text.
    static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ text: String,
        set: @escaping @Sendable (inout Root, Int?) throws(WireError) -> Void
    ) -> BodyField {
        var schema: JSONObject = ["type": "integer", "minimum": .integer(range.lowerBound)]
        if range.upperBound < Int.max { schema["maximum"] = .integer(range.upperBound) }
        return BodyField(name: name, text: text, schema: schema) { (fields, root) throws(WireError) in
            try set(&root, try fields.number(name, in: range))
        }
    }

    /// A list of texts; an absent one is empty.
    static func texts(
        _ name: String, atMost limit: Int? = nil, _ text: String,
        set: @escaping @Sendable (inout Root, [String]) throws(WireError) -> Void
    ) -> BodyField {
        var schema: JSONObject = ["type": "array", "items": ["type": "string"]]
        schema["maxItems"] = limit.map { .integer($0) }
        return BodyField(name: name, text: text, schema: schema) { (fields, root) throws(WireError) in
            let texts = try fields.strings(name)
            if let limit, texts.count > limit { throw .field("/\(name)", "must have at most \(limit) members") }
            try set(&root, texts)
        }
    }

    /// A name of an enumeration, which may stand as its number.
    static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, of type: Choice.Type, _ text: String,
        set: @escaping @Sendable (inout Root, Choice?) throws(WireError) -> Void
    ) -> BodyField {
        let schema: JSONObject = ["type": "string", "enum": Self.names(of: type)]
        return BodyField(name: name, text: text, schema: schema) { (fields, root) throws(WireError) in
            try set(&root, try fields.choice(name, of: type))
        }
    }

    /// A list of names of an enumeration, which may stand as their numbers; the document leaves out those that are
    /// refused.
    static func choices<Choice: CaseIterable & RawRepresentable<String> & Hashable & Sendable>(
        _ name: String, of type: Choice.Type, refusing refused: Set<Choice> = [], _ text: String,
        set: @escaping @Sendable (inout Root, Set<Choice>) throws(WireError) -> Void
    ) -> BodyField {
        let offered = type.allCases.filter { !refused.contains($0) }.map { JSONValue.string($0.rawValue) }
        let schema: JSONObject = ["type": "array", "items": ["type": "string", "enum": .array(offered)]]
        return BodyField(name: name, text: text, schema: schema) { (fields, root) throws(WireError) in
            try set(&root, try fields.enumeration(name, of: type))
        }
    }

    /// A field with a reading of its own.
    static func value(
        _ name: String, schema: JSONObject, _ text: String,
        read: @escaping @Sendable (RequestFields, inout Root) throws(WireError) -> Void
    ) -> BodyField {
        BodyField(name: name, text: text, schema: schema, read: read)
    }

    /// A field that SDKs send and nothing reads.
    static func unread(_ name: String, schema: JSONObject, _ text: String) -> BodyField {
        BodyField(name: name, text: text, schema: schema) { (_, _) throws(WireError) in }
    }

    /// Fields of Identity Toolkit that are refused when they have a value.
    static func refused(_ names: [String], _ error: @escaping @Sendable (String) -> WireError) -> BodyField {
        check { (fields, _) throws(WireError) in
            for name in names where try fields.hasValue(name) { throw error(name) }
        }
    }

    /// A check of several fields, between those before and after it.
    static func check(
        _ read: @escaping @Sendable (RequestFields, inout Root) throws(WireError) -> Void
    ) -> BodyField {
        BodyField(name: "", text: "", schema: nil, read: read)
    }

    /// For a field whose absence is refused where it is used.
    func required() -> BodyField { with { $0.isRequired = true } }

    func example(_ value: JSONValue) -> BodyField { with { $0.example = value } }

    /// Shows the field in the document under another spelling, such as that of a standard.
    func documented(as name: String) -> BodyField { with { $0.documentedName = name } }

    private func with(_ change: (inout BodyField) -> Void) -> BodyField {
        var copy = self
        change(&copy)
        return copy
    }

    private static func schema(ofTextUpTo limit: Int?) -> JSONObject {
        var schema: JSONObject = ["type": "string"]
        schema["maxLength"] = limit.map { .integer($0) }
        return schema
    }

    private static func names<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> JSONValue {
        .array(type.allCases.map { .string($0.rawValue) })
    }
}
