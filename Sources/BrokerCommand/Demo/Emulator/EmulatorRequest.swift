import HTTPTypes
import ProviderKit

/// A request to the emulator, taken apart so that it can be changed.
struct EmulatorRequest: Sendable {
    var method: HTTPRequest.Method
    /// Without the query.
    var path: String
    var query: [(name: String, value: String)]
    var headers: HTTPFields
    /// The host and port by which the client names the emulator.
    let authority: String?
    var body: Body

    enum Body: Sendable {
        case json(JSONObject)
        case form([(name: String, value: String)])
        /// Anything else, passed on as it is.
        case bytes([UInt8])
    }

    init(
        method: HTTPRequest.Method, target: String, headers: HTTPFields, authority: String? = nil, body bytes: [UInt8]
    ) {
        self.method = method
        self.authority = authority
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count == 2 ? FormEncoding.decode(parts[1].utf8) ?? [] : []
        self.headers = headers
        let type = headers[.contentType]?.lowercased() ?? ""
        if let object = (try? JSONValue(parsing: bytes))?.object {
            body = .json(object)
        } else if type.hasPrefix("application/x-www-form-urlencoded"), let fields = FormEncoding.decode(bytes) {
            body = .form(fields)
        } else {
            body = .bytes(bytes)
        }
    }

    /// The text of a field, by its camel case or snake case name (contract §1.3).
    subscript(_ names: String...) -> String? {
        switch body {
        case .json(let object): names.lazy.compactMap { object[$0]?.string }.first
        case .form(let fields): names.lazy.compactMap { name in fields.first { $0.name == name }?.value }.first
        case .bytes: nil
        }
    }

    /// Changes the texts of fields with these names.
    mutating func change(_ names: String..., by change: (String) throws -> String?) rethrows {
        for name in names {
            guard let text = self[name], let changed = try change(text) else { continue }
            switch body {
            case .json(var object):
                object[name] = .string(changed)
                body = .json(object)
            case .form(var fields):
                for index in fields.indices where fields[index].name == name { fields[index].value = changed }
                body = .form(fields)
            case .bytes: break
            }
        }
    }

    /// The project that the path names.
    var projectID: String? {
        guard let range = path.firstRange(of: "/projects/") else { return nil }
        let id = path[range.upperBound...].prefix { $0 != "/" && $0 != ":" }
        return id.isEmpty ? nil : String(id)
    }

    /// The provider ids that the query, the body or a form in the body names.
    var providerIDs: Set<String> {
        var ids = Set(query.filter { ["provider", "providerId"].contains($0.name) }.map(\.value))
        switch body {
        case .json(let object): Self.collectProviderIDs(in: .object(object), into: &ids)
        case .form(let fields): ids.formUnion(fields.filter { $0.name == "provider" }.map(\.value))
        case .bytes: break
        }
        return ids
    }

    private static func collectProviderIDs(in value: JSONValue, into ids: inout Set<String>) {
        switch value {
        case .array(let values): for value in values { collectProviderIDs(in: value, into: &ids) }
        case .object(let object):
            for (name, value) in object {
                if ["providerId", "provider_id"].contains(name), let id = value.string { ids.insert(id) }
                collectProviderIDs(in: value, into: &ids)
            }
        default: break
        }
    }

    var bodyBytes: [UInt8] {
        switch body {
        case .json(let object): object.serializedBytes()
        case .form(let fields): Array(FormEncoding.encode(fields).utf8)
        case .bytes(let bytes): bytes
        }
    }

    var target: String { query.isEmpty ? path : path + "?" + FormEncoding.encode(query) }
}
