import Hummingbird
import ProviderKit

/// The fields that a PATCH changes: `updateMask`, comma-separated dotted paths (contract §7.7).
struct UpdateMask: Sendable {
    /// Nil names every field.
    private let paths: [[String]]?

    /// The parameter, and the spelling that the Firebase CLI has for it.
    static let parameters = [
        DeclaredParameter("updateMask", "The fields to change, as dotted paths between commas; all when absent."),
        DeclaredParameter("update_mask", "The same as `updateMask`."),
    ]

    /// The mask of a request.
    ///
    /// - Throws: ``WireError``.
    init(_ request: Request) throws(WireError) {
        let query = try QueryParameters.of(request)
        let names = (query[Self.parameters[0]] ?? query[Self.parameters[1]] ?? "").split(separator: ",")
        paths = names.isEmpty ? nil : names.map { $0.split(separator: ".").map(Self.camelCase) }
    }

    /// The mask of a request that creates a whole resource.
    static let everything = UpdateMask(paths: nil)

    private init(paths: [[String]]?) {
        self.paths = paths
    }

    var isEverything: Bool { paths == nil }

    /// Whether the mask names a field, or an object around it. A path that descends into the field does not.
    func covers(_ path: String) -> Bool {
        let path = path.split(separator: ".").map(String.init)
        return paths?.contains { path.starts(with: $0) } ?? true
    }

    /// Whether the mask names anything of an object, or an object around it.
    func touches(_ path: String) -> Bool {
        let path = path.split(separator: ".").map(String.init)
        return paths?.contains { $0.starts(with: path) || path.starts(with: $0) } ?? true
    }

    private static func camelCase(_ name: Substring) -> String {
        let parts = name.split(separator: "_")
        guard let first = parts.first else { return String(name) }
        return first + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension QueryParameters {
    /// The parameters of a request to an Identity Toolkit path.
    ///
    /// - Throws: ``WireError``.
    static func of(_ request: Request) throws(WireError) -> QueryParameters {
        do {
            return try QueryParameters(queryOf: request)
        } catch {
            throw .badRequest(error.text)
        }
    }
}

extension RequestFields {
    /// The fields of an object at a dotted path; empty where there is none.
    ///
    /// - Throws: ``WireError`` for what is no object.
    func object(at path: String) throws(WireError) -> RequestFields {
        var fields = self
        for name in path.split(separator: ".").map(String.init) {
            switch try fields.value(name) {
            case .none, .null: return RequestFields(JSONObject())
            case .object(let object): fields = RequestFields(object)
            default: throw .field("/\(path.replacing(".", with: "/"))", "must be object")
            }
        }
        return fields
    }
}
