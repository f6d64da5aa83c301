import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit

/// The one way a request's body is read: size, content type, strict JSON or form, and Google's field coercions
/// (contract §1.3): snake_case is camelCase, numbers serve as strings, `null` is absent.
struct RequestFields: Sendable {
    let fields: JSONObject

    static let maximumBody = 64 << 10

    init(_ fields: JSONObject) {
        self.fields = fields
    }

    /// Reads the body; with `acceptsForm` an `application/x-www-form-urlencoded` one will do as well.
    ///
    /// - Throws: ``WireError``.
    init(_ request: Request, acceptsForm: Bool = false) async throws {
        let type = try Self.contentType(request, acceptsForm: acceptsForm)
        let bytes = try await Self.body(of: request)
        guard !bytes.isEmpty else {
            fields = JSONObject()
            return
        }
        fields = try type == .form ? Self.form(bytes) : Self.object(bytes)
    }

    /// A string, or a number or boolean as its text.
    func string(_ name: String) throws(WireError) -> String? {
        switch fields[name] {
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
        switch fields[name] {
        case .none, .null: nil
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: throw WireError.field("/\(name)", "must be boolean")
        }
    }

    func contains(_ name: String) -> Bool {
        fields[name] != nil
    }

    private enum ContentType { case json, form }

    private static func contentType(_ request: Request, acceptsForm: Bool) throws(WireError) -> ContentType {
        guard request.headers[.contentEncoding] == nil else {
            throw .badRequest("Content-Encoding is not accepted: send the body as it is.")
        }
        let text = request.headers[.contentType] ?? "application/json"
        let type = text.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
        switch type {
        case "application/json", "": return .json
        case "application/x-www-form-urlencoded" where acceptsForm: return .form
        default:
            var error = WireError.badRequest("Invalid content-type: send application/json.")
            error.status = nil
            error.reason = "unknown"
            throw error
        }
    }

    private static func body(of request: Request) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBody {
            throw WireError.bodyTooLarge
        }
        do {
            return Array(buffer: try await request.body.collect(upTo: maximumBody))
        } catch is NIOTooManyBytesError {
            throw WireError.bodyTooLarge
        }
    }

    private static func object(_ bytes: [UInt8]) throws(WireError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .malformedJSON("\(error)")
        }
        guard case .object(let object) = camelCased(value) else { throw .malformedJSON("An object is expected.") }
        guard object.count == value.object?.count else { throw .malformedJSON("A field is named twice.") }
        return object
    }

    private static func form(_ bytes: [UInt8]) throws(WireError) -> JSONObject {
        guard let pairs = FormEncoding.decode(bytes) else { throw .badRequest("The form is malformed.") }
        var object = JSONObject()
        for (name, value) in pairs {
            let name = camelCase(name)
            guard object[name] == nil else { throw .badRequest("A form field is named twice.") }
            object[name] = .string(value)
        }
        return object
    }

    private static func camelCased(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for (name, member) in object { result[camelCase(name)] = camelCased(member) }
            return .object(result)
        case .array(let elements): return .array(elements.map(camelCased))
        default: return value
        }
    }

    private static func camelCase(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return name }
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
