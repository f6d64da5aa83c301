import Foundation
import ProviderKit

/// A request as the handlers of a simulator read it.
struct SimulatorRequest: Sendable {
    let recorded: RecordedRequest
    /// The variable parts of the route's path, percent-decoded.
    let pathParameters: [String: String]

    func header(_ name: String) -> String? { recorded.header(name) }

    /// The query's fields.
    func queryFields() throws(Refusal) -> FormFields {
        try fields(of: recorded.query)
    }

    /// Query and body together, the body winning; the body may be a form or a JSON object.
    func parameters() throws(Refusal) -> FormFields {
        try queryFields().overridden(by: isJSON ? jsonFields() : fields(of: recorded.text))
    }

    /// The body, decoded from JSON.
    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONValueDecoder().decode(type, from: JSONValue(parsing: recorded.body))
    }

    /// The credentials of `Authorization: Basic` (RFC 7617).
    var basicCredentials: (user: String, password: String)? {
        guard let encoded = authorization(scheme: "basic"), let bytes = Data(base64Encoded: encoded),
            let text = String(validating: bytes, as: UTF8.self),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
    }

    /// The credentials after `scheme` (lower case) in the `Authorization` field.
    func authorization(scheme: String) -> String? {
        guard let parts = header("authorization")?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == scheme
        else { return nil }
        return String(parts[1])
    }

    /// The media types of the `Accept` field, in order, without their parameters.
    var acceptedTypes: [String] {
        (header("accept") ?? "").lowercased().split(separator: ",").map { type in
            type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        }
    }

    /// A cookie's value.
    func cookie(_ name: String) -> String? {
        for part in (header("cookie") ?? "").split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces) == name else { continue }
            return pair[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    var isJSON: Bool { header("content-type")?.lowercased().hasPrefix("application/json") ?? false }

    private func jsonFields() throws(Refusal) -> FormFields {
        guard let members = (try? JSONValue(parsing: recorded.body))?.object else {
            throw Refusal(.json(["message": "Problems parsing JSON", "status": "400"], status: 400))
        }
        var fields = FormFields([:])
        for (name, value) in members {
            if let text = value.text { fields.append(name, text) }
        }
        return fields
    }

    private func fields(of text: String) throws(Refusal) -> FormFields {
        do {
            return try FormFields(decoding: text)
        } catch {
            throw Refusal(.text("Bad Request", status: 400))
        }
    }
}
