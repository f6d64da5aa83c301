import HTTPTypes
import HummingbirdCore
import ProviderKit
import Synchronization

/// The OpenAPI 3.1 document of everything the broker answers: what its route table has, described by ``operations``.
struct OpenAPIDocument: Sendable {
    static let path = "/openapi.json"
    private static let methods = [HTTPRequest.Method.get, .head]

    let json: JSONObject
    /// Methods and paths that are served and not described.
    private(set) var undescribed: [String] = []
    /// Operations that are described and not served.
    private(set) var unserved: [String] = []

    /// The description of what `table` has, and of itself.
    init(_ table: RouteTable, projectID: String, publicURL: String) {
        var table = table
        if table.match(Self.path) == nil {
            for method in Self.methods { table.add(method, Self.path) { _, _ in Response(status: .ok) } }
        }
        let operations = Self.operations(projectID: projectID)
        let byKey = Dictionary(operations.map { (Self.key($0.method, $0.path), $0) }) { first, _ in first }
        var (paths, used, identifiers) = (JSONObject(), Set<String>(), [String: Int]())
        for match in table.all.sorted(by: { $0.template < $1.template }) {
            var item = JSONObject()
            for method in match.methods {
                let isHead = method == .head
                let key = Self.key(isHead ? .get : method, Self.plainPath(match.template))
                guard let operation = byKey[key] else {
                    undescribed.append("\(method.rawValue) \(match.template)")
                    continue
                }
                used.insert(key)
                let id = operation.id + (isHead ? "Head" : "")
                identifiers[id, default: 0] += 1
                let identifier = identifiers[id] == 1 ? id : "\(id)\(identifiers[id] ?? 0)"
                let shown = isHead ? operation.with { $0.answer = nil } : operation
                item[method.rawValue.lowercased()] = shown.document(
                    at: match.template, identifier: identifier, tag: Self.tag(of: match.template))
            }
            paths[match.template] = .object(item)
        }
        unserved = operations.map { Self.key($0.method, $0.path) }.filter { !used.contains($0) }
        json = [
            "openapi": "3.1.0",
            "info": [
                "title": "Broker", "version": .string(BrokerVersion.current),
                "description": "The federated part of Identity Toolkit v1 and Secure Token, and OpenID Connect.",
            ],
            "servers": [["url": .string(publicURL)]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(Schema.components), "responses": Self.responses, "securitySchemes": Self.schemes,
            ],
        ]
    }

    private static func key(_ method: HTTPRequest.Method, _ path: String) -> String { "\(method.rawValue) \(path)" }

    /// The path without the host that unmodified SDKs put before it; the legacy v3 name becomes today's.
    private static func plainPath(_ template: String) -> String {
        var path = template[...]
        for host in ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com"] {
            path = path.trimmingPrefix(host)
        }
        guard path.hasPrefix("/identitytoolkit/v3/relyingparty/") else { return String(path) }
        let name = path.split(separator: "/").last ?? ""
        return legacyPaths[String(name)] ?? String(path)
    }

    private static func tag(of template: String) -> String {
        if template.hasPrefix("/v1/broker/admin/") { return "Administration" }
        if template.hasPrefix("/v1/broker/") { return "Broker" }
        if template.hasPrefix("/oauth/") || template.hasPrefix("/.well-known/") { return "OpenID Connect" }
        let isAPI = ["/v1/", "/v2/", "/admin/"].contains { plainPath(template).hasPrefix($0) }
        return isAPI || template.contains("googleapis.com") ? "Identity Toolkit" : "Pages and documents"
    }

    private static let responses: JSONValue = [
        "Error": response("The request is refused.", "application/json", Schema.reference("Error")),
        "OAuthError": response("The request is refused.", "application/json", Schema.reference("OAuthError")),
        "Page": [
            "description": "A page says what is wrong. A malformed request for the pages of SDKs is refused in JSON.",
            "content": [
                "text/html": ["schema": Schema.string], "application/json": ["schema": Schema.reference("Error")],
            ],
        ],
        "Unavailable": [
            "description": "The broker cannot serve at present. Try again after the seconds in Retry-After.",
            "headers": ["Retry-After": ["schema": Schema.string]],
            "content": [
                "text/plain": ["schema": Schema.string], "text/html": ["schema": Schema.string],
                "application/json": ["schema": Schema.anyObject],
            ],
        ],
        "Redirect": [
            "description": "The browser is redirected.", "headers": ["Location": ["schema": Schema.string]],
        ],
    ]

    private static func response(_ description: String, _ type: String, _ schema: JSONValue) -> JSONValue {
        ["description": .string(description), "content": [type: ["schema": schema]]]
    }

    private static let schemes: JSONValue = [
        "apiKey": ["type": "apiKey", "in": "query", "name": "key"],
        "apiKeyHeader": ["type": "apiKey", "in": "header", "name": "x-goog-api-key"],
        "administrator": ["type": "http", "scheme": "bearer"],
        "accessToken": ["type": "http", "scheme": "bearer"],
        "client": ["type": "http", "scheme": "basic"],
    ]
}

extension OpenAPIDocument {
    /// Serves the description of what `routes` have so far, and of itself.
    static func add(to routes: Routes, projectID: String, publicURL: String) {
        let text = Text { [table = routes.table] in
            let document = OpenAPIDocument(table, projectID: projectID, publicURL: publicURL)
            return PublicDocument(document.json.serialized(), lifetime: 3600)
        }
        routes.document(Self.path, pages: .any, takesLong: true) { request, _ in text.value.response(to: request) }
    }

    /// The encoded document. It is made for the first caller: few brokers have one, and each start would wait for it.
    private final class Text: Sendable {
        private let made = Mutex<PublicDocument?>(nil)
        private let make: @Sendable () -> PublicDocument

        init(_ make: @escaping @Sendable () -> PublicDocument) {
            self.make = make
        }

        var value: PublicDocument {
            made.withLock { made in
                if let made { return made }
                let document = make()
                made = document
                return document
            }
        }
    }
}
