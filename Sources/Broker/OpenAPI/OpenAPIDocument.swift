import HTTPTypes
import HummingbirdCore
import ProviderKit
import Synchronization

/// The OpenAPI 3.1 document of everything the broker answers: what its route table has, described by ``operations``.
struct OpenAPIDocument: Sendable {
    static let path = "/openapi.json"
    private static let own: [(HTTPRequest.Method, String)] = [
        (.get, path), (.head, path), (.get, OpenAPIPage.path),
    ]

    let json: JSONObject
    /// Methods and paths that are served and not described.
    private(set) var undescribed: [String] = []
    /// Operations that are described and not served.
    private(set) var unserved: [String] = []

    /// The description of what `table` has, and of itself.
    init(_ table: RouteTable, projectID: String, publicURL: String) {
        var table = table
        // The routes of the description itself come after the table that it is made of.
        for (method, path) in Self.own where table.match(path)?.operation(method) == nil {
            table.add(method, path, .immediate { _, _ in Response(status: .ok) })
        }
        let operations = Self.operations(projectID: projectID)
        let byKey = Dictionary(operations.map { (Self.key($0.method, $0.path), $0) }) { first, _ in first }
        var served: [String: [String]] = [:]
        for match in table.all.sorted(by: { $0.template < $1.template }) {
            for method in match.methods {
                let key = Self.key(method == .head ? .get : method, Self.plainPath(match.template))
                if byKey[key] == nil { undescribed.append("\(method.rawValue) \(match.template)") }
                served[Self.key(method, Self.plainPath(match.template)), default: []].append(match.template)
            }
        }
        var paths = JSONObject()
        for operation in operations.sorted(by: { $0.path < $1.path }) {
            guard let templates = served[Self.key(operation.method, operation.path)] else {
                unserved.append(Self.key(operation.method, operation.path))
                continue
            }
            var item = paths[operation.path]?.object ?? JSONObject()
            let aliases = templates.filter { $0 != operation.path }
            item[operation.method.rawValue.lowercased()] = operation.document(
                identifier: operation.id, aliases: aliases, tag: Self.tag(of: operation.path))
            if operation.method == .get, served[Self.key(.head, operation.path)] != nil {
                item["head"] = operation.with { ($0.method, $0.answer) = (.head, nil) }.document(
                    identifier: operation.id + "Head", aliases: aliases, tag: Self.tag(of: operation.path))
            }
            paths[operation.path] = .object(item)
        }
        json = [
            "openapi": "3.1.0",
            "info": [
                "title": "Broker", "version": .string(BrokerVersion.current),
                "description": .string(Self.introduction),
            ],
            "servers": [["url": .string(publicURL)]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(Schema.components), "responses": Self.responses, "securitySchemes": Self.schemes,
            ],
        ]
    }

    private static let introduction = """
        The federated part of Identity Toolkit v1 and Secure Token, and OpenID Connect. Each operation has one path; the \
        older spellings of Google's APIs are listed in \(OpenAPIOperation.aliases). JSON requests follow Google's mapping: \
        names may be in snake case, numbers and booleans may be text, 64-bit numbers are text in answers, null is the same \
        as an absent member, and unknown members are passed over.
        """

    private static func key(_ method: HTTPRequest.Method, _ path: String) -> String { "\(method.rawValue) \(path)" }

    /// The one path of an operation: without the host that unmodified SDKs put before it, and under today's name.
    private static func plainPath(_ template: String) -> String {
        var path = template[...]
        for host in ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com"] {
            path = path.trimmingPrefix(host)
        }
        if let today = otherPaths[String(path)] { return today }
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
            "headers": [
                "Retry-After": ["description": "The seconds to wait.", "schema": Schema.string]
            ],
            "content": [
                "text/plain": ["schema": Schema.string], "text/html": ["schema": Schema.string],
                "application/json": ["schema": Schema.anyObject],
            ],
        ],
        "Redirect": [
            "description": "The browser is redirected.",
            "headers": ["Location": ["description": "The address.", "schema": Schema.string]],
        ],
    ]

    private static func response(_ description: String, _ type: String, _ schema: JSONValue) -> JSONValue {
        ["description": .string(description), "content": [type: ["schema": schema]]]
    }

    private static let schemes: JSONValue = [
        "apiKey": scheme("apiKey", "in", "query", "The API key of an app, as `key` in the query.", name: "key"),
        "apiKeyHeader": scheme(
            "apiKey", "in", "header", "The same in the header `x-goog-api-key`.", name: "x-goog-api-key"),
        "administrator": scheme(
            "http", "scheme", "bearer", "An admin token, or an access token of a service account, with the scope."),
        "accessToken": scheme("http", "scheme", "bearer", "An access token of a user, from the token endpoint."),
        "client": scheme("http", "scheme", "basic", "The id and the secret of an OAuth client."),
    ]

    private static func scheme(
        _ type: String, _ member: String, _ value: String, _ text: String, name: String? = nil
    ) -> JSONValue {
        var scheme: JSONObject = ["type": .string(type), "description": .string(text)]
        scheme[member] = .string(value)
        scheme["name"] = name.map(JSONValue.string)
        return .object(scheme)
    }
}

extension OpenAPIDocument {
    /// Serves the description of what `hosted.routes` have so far, and of itself, as a document and as a page.
    static func add(to hosted: HostedRoutes, projectID: String, publicURL: String) {
        let (routes, renderer) = (hosted.routes, hosted.pages.renderer)
        let document = Made { [table = routes.table] in
            OpenAPIDocument(table, projectID: projectID, publicURL: publicURL).json
        }
        let text = Made { PublicDocument(document.value.serialized(), lifetime: 3600) }
        let html = Made { OpenAPIPage.html(of: document.value) }
        for method in [HTTPRequest.Method.get, .head] {
            routes.on(method, Self.path, pages: .any, counting: .none, takesLong: true) { request, _ in
                text.value.response(to: request)
            }
        }
        hosted.on(.get, OpenAPIPage.path, takesLong: true) { _, _ in
            renderer.response(ReferencePage(html: html.value), language: .english)
        }
    }

    /// A value that is made for the first caller: few brokers have one, and each start would wait for it.
    private final class Made<Value: Sendable>: Sendable {
        private let made = Mutex<Value?>(nil)
        private let make: @Sendable () -> Value

        init(_ make: @escaping @Sendable () -> Value) {
            self.make = make
        }

        var value: Value {
            made.withLock { made in
                if let made { return made }
                let value = make()
                made = value
                return value
            }
        }
    }
}
