import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit

/// The one way a request's body is read: size, content type, strict JSON or form, and Google's field coercions
/// (contract §1.3): snake_case is camelCase, numbers serve as strings, `null` is absent.
struct RequestFields: Sendable {
    let fields: JSONObject
    /// Whether a field may have the protocol's other spelling.
    private let hasSnakeCase: Bool

    static let maximumBody = 64 << 10

    init(_ fields: JSONObject) {
        self.fields = fields
        hasSnakeCase = fields.contains { $0.name.utf8.contains(UInt8(ascii: "_")) }
    }

    /// The limit for pages of users from administrators. It is asked for only after the caller is authenticated.
    static let maximumUserPage = 16 << 20

    /// Reads the body; with `acceptsForm` an `application/x-www-form-urlencoded` one will do as well.
    ///
    /// - Throws: ``WireError``.
    init(_ request: Request, acceptsForm: Bool = false, maximumBody: Int = Self.maximumBody) async throws {
        let type = try Self.contentType(request, acceptsForm: acceptsForm)
        let bytes = try await Self.body(of: request, maximum: maximumBody)
        guard !bytes.isEmpty else {
            self.init(JSONObject())
            return
        }
        // What pages of other sites may send without a preflight arrives without a type, or with another one.
        guard let type else { throw Self.invalidContentType }
        self.init(try type == .form ? Self.form(bytes) : Self.object(bytes))
    }

    /// A string, or a number or boolean as its text.
    func string(_ name: String) throws(WireError) -> String? {
        switch try value(name) {
        case .none, .null: nil
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let value): value ? "true" : "false"
        case .array, .object: throw WireError.field("/\(name)", "must be string")
        }
    }

    /// The string, unless it is empty.
    func nonEmpty(_ name: String) throws(WireError) -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        return text
    }

    func bool(_ name: String) throws(WireError) -> Bool? {
        switch try value(name) {
        case .none, .null: nil
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: throw WireError.field("/\(name)", "must be boolean")
        }
    }

    /// A field under either of its names.
    func value(_ name: String) throws(WireError) -> JSONValue? {
        let camel = fields[name]
        guard hasSnakeCase else { return camel }
        guard let other = fields.first(where: { Self.isSnakeCase($0.name, of: name) }) else { return camel }
        guard camel == nil else { throw .malformedJSON("\(name) is named twice.") }
        return other.value
    }

    private enum ContentType { case json, form }

    /// - Returns: `nil` where the request does not say.
    private static func contentType(_ request: Request, acceptsForm: Bool) throws(WireError) -> ContentType? {
        guard !request.headers.contains(.contentEncoding) else {
            throw .badRequest("Content-Encoding is not accepted: send the body as it is.")
        }
        guard let text = request.headers.value(of: .contentType) else { return nil }
        // What nearly every client sends, without the work of taking it apart.
        if text == "application/json" { return .json }
        if acceptsForm, text == "application/x-www-form-urlencoded" { return .form }
        let type = text.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
        switch type {
        case "application/json": return .json
        case "application/x-www-form-urlencoded" where acceptsForm: return .form
        default: throw invalidContentType
        }
    }

    private static var invalidContentType: WireError {
        var error = WireError.badRequest("Invalid content-type: send application/json.")
        error.status = nil
        error.reason = "unknown"
        return error
    }

    /// The body as it was sent, of at most `maximum` bytes.
    static func body(of request: Request, maximum: Int = Self.maximumBody) async throws -> [UInt8] {
        do {
            return try await request.body(upTo: maximum)
        } catch is NIOTooManyBytesError {
            throw WireError.bodyTooLarge(maximum)
        }
    }

    private static func object(_ bytes: [UInt8]) throws(WireError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: JSONLimits(maximumBytes: max(bytes.count, 1)))
        } catch {
            throw .malformedJSON("\(error)")
        }
        guard case .object(let object) = value else { throw .malformedJSON("An object is expected.") }
        return object
    }

    private static func form(_ bytes: [UInt8]) throws(WireError) -> JSONObject {
        guard let pairs = FormEncoding.decode(bytes) else { throw .badRequest("The form is malformed.") }
        var object = JSONObject()
        for (name, value) in pairs {
            guard object[name] == nil else { throw .badRequest("A form field is named twice.") }
            object[name] = .string(value)
        }
        return object
    }

    /// Whether this is the protocol's other spelling of a field's name that has one. Members of data, such as custom
    /// parameters, keep theirs.
    private static func isSnakeCase(_ other: String, of name: String) -> Bool {
        guard other.utf8.count > name.utf8.count else { return false }
        var rest = other.utf8.makeIterator()
        for byte in name.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isCapital, rest.next() != UInt8(ascii: "_") { return false }
            guard rest.next() == (isCapital ? byte | 0x20 : byte) else { return false }
        }
        return rest.next() == nil
    }
}

extension RequestFields {
    /// Whether a field is there with a value; `null` is none.
    func hasValue(_ name: String) throws(WireError) -> Bool {
        try value(name).map { !$0.isNull } ?? false
    }

    /// Whether a field is there with a value that is not the empty string either.
    func nonEmptyValue(_ name: String) throws(WireError) -> Bool {
        guard let value = try value(name) else { return false }
        return !value.isNull && value.string?.isEmpty != true
    }

    /// An object, whose members are read by the same rules.
    func object(_ name: String) throws(WireError) -> RequestFields? {
        switch try value(name) {
        case .none, .null: nil
        case .object(let object): RequestFields(object)
        default: throw WireError.field("/\(name)", "must be object")
        }
    }

    /// An array of objects; an absent one is empty.
    func objects(_ name: String, limit: Int? = nil) throws(WireError) -> [RequestFields] {
        let values = try array(name)
        if let limit, values.count > limit { throw WireError.field("/\(name)", "must have at most \(limit) members") }
        return try values.enumerated().map { index, value throws(WireError) in
            guard let object = value.object else { throw WireError.field("/\(name)/\(index)", "must be object") }
            return RequestFields(object)
        }
    }

    /// An array of strings; an absent one is empty.
    func strings(_ name: String) throws(WireError) -> [String] {
        try array(name).enumerated().map { index, value throws(WireError) in
            guard let text = value.string else { throw WireError.field("/\(name)/\(index)", "must be string") }
            return text
        }
    }

    /// An array of names of an enumeration, which may stand as their numbers.
    func enumeration<Choice: CaseIterable & RawRepresentable<String> & Hashable>(
        _ name: String, of type: Choice.Type
    ) throws(WireError) -> Set<Choice> {
        let choices = Array(type.allCases)
        var result: Set<Choice> = []
        for (index, value) in try array(name).enumerated() {
            let number = value.integer.flatMap { Int(exactly: $0) }
            let named = value.string.flatMap { text in choices.firstIndex { $0.rawValue.hasSameBytes(as: text) } }
            guard let position = number ?? named, choices.indices.contains(position) else {
                let names = choices.map(\.rawValue).joined(separator: ", ")
                throw WireError.field("/\(name)/\(index)", "must be one of \(names)")
            }
            result.insert(choices[position])
        }
        return result
    }

    /// A name of an enumeration, which may stand as its number.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: Choice.Type
    ) throws(WireError) -> Choice? {
        guard let text = try nonEmpty(name) else { return nil }
        let choices = Array(type.allCases)
        if let number = Int(text), choices.indices.contains(number) { return choices[number] }
        guard let choice = Choice(rawValue: text) else {
            throw WireError.field("/\(name)", "must be one of \(choices.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    /// A whole number, which may stand as a string.
    ///
    /// - Throws: ``WireError`` for anything else, and for a number out of range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(WireError) -> Int? {
        guard let text = try nonEmpty(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WireError.field("/\(name)", "must be integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func array(_ name: String) throws(WireError) -> [JSONValue] {
        switch try value(name) {
        case .none, .null: []
        case .array(let values): values
        default: throw WireError.field("/\(name)", "must be array")
        }
    }
}
