import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

/// The table of what each scope opens, read from this page and not from the code.
@Suite("every operation, every scope and every kind of caller", .oneEngine("the routes and their scopes"))
struct AdminScopeTests {
    /// The operations below `/v1/broker/admin/`, by the scope that opens them; `admin` opens all.
    private static let operations: [String: String] = [
        "": "admin.whoami",
        "admin": """
        admin.token.create admin.token.list admin.token.revoke admin.service-account.create \
        admin.service-account.list admin.service-account.rotate-key admin.service-account.revoke keys.list keys.rotate \
        console.administrators.list console.administrators.set-role console.administrators.remove
        """,
        "users:read": """
        users.list users.search users.show users.find users.export decisions.explain sessions.list merges.list \
        merges.show withdrawals.list withdrawals.show tokens.inspect
        """,
        "users:write": """
        users.create users.update users.set-claims users.disable users.enable users.delete users.unlink users.import \
        sessions.revoke sessions.revoke-all merges.approve merges.dismiss merges.undo withdrawals.create \
        withdrawals.retry withdrawals.retry-parked withdrawals.drop
        """,
        "configuration:read": """
        clients.list clients.show clients.check clients.plist providers.list providers.catalogue providers.show \
        providers.check status.show statistics.show refusals.list
        """,
        "configuration:write": """
        clients.add clients.update clients.rotate clients.remove providers.update providers.enable \
        providers.disable providers.resume-probes
        """,
        "providers:trust": "providers.add providers.remove providers.try.start providers.try.finish",
        "audit:read": "audit.list audit.follow audit.verify users.timeline",
        "events:read": "webhooks.list events.list",
        "events:write": """
        webhooks.add webhooks.remove webhooks.rotate-secret webhooks.enable webhooks.disable webhooks.test \
        events.replay events.drop
        """,
    ]

    /// The other paths for administrators.
    private static let paths: [String: [String]] = [
        "users:read": [
            "POST /v1/projects/{project}/accounts:lookup", "GET /v1/projects/{project}/accounts:batchGet",
            "POST /identitytoolkit/v3/relyingparty/downloadAccount", "POST /v1/projects/{project}/accounts:query",
            "POST /v1/projects/{project}:queryAccounts", "GET /v1/projects/{project}/tenants/{tenant}/{resource}",
        ],
        "users:write": [
            "POST /v1/projects/{project}/accounts", "POST /v1/projects/{project}/accounts:update",
            "POST /v1/projects/{project}/accounts:delete", "POST /v1/projects/{project}/accounts:batchCreate",
            "POST /v1/projects/{project}/accounts:batchDelete", "POST /v1/projects/{project}:createSessionCookie",
            "POST /identitytoolkit/v3/relyingparty/uploadAccount", "POST /v1/projects/{project}/accounts:sendOobCode",
            "POST /v1/projects/{project}/tenants/{tenant}", "POST /v1/projects/{project}/tenants/{tenant}/{resource}",
            "POST /v1/accounts:signUp", "POST /identitytoolkit/v3/relyingparty/signupNewUser",
        ],
        "tokens:introspect": ["POST /oauth/introspect"],
        "provider-tokens:read": ["POST /v1/broker/users/{localId}/providers/{providerId}:token"],
        "configuration:read": [
            "GET /v2/projects/{project}/config", "GET /admin/v2/projects/{project}/config",
            "GET /v2/projects/{project}/oauthIdpConfigs", "GET /v2/projects/{project}/oauthIdpConfigs/{id}",
            "GET /v2/projects/{project}/defaultSupportedIdpConfigs",
            "GET /v2/projects/{project}/defaultSupportedIdpConfigs/{id}",
            "GET /v2/projects/{project}/inboundSamlConfigs", "GET /v2/projects/{project}/inboundSamlConfigs/{id}",
            "GET /v2/projects/{project}/tenants", "GET /v2/projects/{project}/tenants/{tenant}",
            "GET /v2/projects/{project}/tenants/{tenant}/{resource}",
            "GET /v2/projects/{project}/tenants/{tenant}/{resource}/{id}",
        ],
        "configuration:write": [
            "PATCH /v2/projects/{project}/config", "PATCH /admin/v2/projects/{project}/config",
            "PATCH /v2/projects/{project}/oauthIdpConfigs/{id}",
            "PATCH /v2/projects/{project}/defaultSupportedIdpConfigs/{id}",
            "POST /v2/projects/{project}/identityPlatform:initializeAuth",
            "POST /v2/projects/{project}/inboundSamlConfigs", "PATCH /v2/projects/{project}/inboundSamlConfigs/{id}",
            "DELETE /v2/projects/{project}/inboundSamlConfigs/{id}", "POST /v2/projects/{project}/tenants",
            "POST /v2/projects/{project}/tenants/{tenant}", "PATCH /v2/projects/{project}/tenants/{tenant}",
            "DELETE /v2/projects/{project}/tenants/{tenant}", "POST /v2/projects/{project}/tenants/{tenant}/{resource}",
            "PATCH /v2/projects/{project}/tenants/{tenant}/{resource}",
            "DELETE /v2/projects/{project}/tenants/{tenant}/{resource}",
            "POST /v2/projects/{project}/tenants/{tenant}/{resource}/{id}",
            "PATCH /v2/projects/{project}/tenants/{tenant}/{resource}/{id}",
            "DELETE /v2/projects/{project}/tenants/{tenant}/{resource}/{id}",
        ],
        "providers:trust": [
            "POST /v2/projects/{project}/oauthIdpConfigs", "DELETE /v2/projects/{project}/oauthIdpConfigs/{id}",
            "POST /v2/projects/{project}/defaultSupportedIdpConfigs",
            "DELETE /v2/projects/{project}/defaultSupportedIdpConfigs/{id}",
        ],
    ]

    /// The paths that an API key opens as well, for apps.
    private static let ofAppsToo: Set<String> = [
        "/v1/accounts:signUp", "/identitytoolkit/v3/relyingparty/signupNewUser",
    ]

    /// A method and path with the scope that it needs; nil for one that every credential opens.
    private struct Door {
        let method: String
        let template: String
        let scope: String?

        /// The path for a request, in the project of ``TestBroker``.
        var path: String {
            template.replacing("{project}", with: "test-project").replacing("{localId}", with: "nobody")
                .replacing("{providerId}", with: "github.com").replacing("{id}", with: "oidc.none")
                .replacing("{tenant}", with: "none").replacing("{resource}", with: "none")
        }

        func isOpen(to scope: AdminScope) -> Bool {
            self.scope == nil || scope == .admin || scope.rawValue == self.scope
        }
    }

    private static let doors: [Door] = {
        var doors: [Door] = []
        for (scope, names) in operations {
            for name in names.split(separator: " ") {
                let template = "/v1/broker/admin/\(name)"
                doors.append(Door(method: "POST", template: template, scope: scope.isEmpty ? nil : scope))
            }
        }
        for (scope, paths) in paths {
            for path in paths {
                let parts = path.split(separator: " ").map(String.init)
                doors.append(Door(method: parts[0], template: parts[1], scope: scope))
            }
        }
        return doors
    }()

    /// The statuses of all doors for one caller.
    private static func statuses(
        _ broker: TestBroker, _ headers: HTTPHeaders, query: String = ""
    ) async throws -> [(door: Door, status: Int, message: String)] {
        var statuses: [(Door, Int, String)] = []
        for door in doors {
            var headers = headers
            headers.add(name: "Content-Type", value: "application/json")
            // A parameter that no operation has, so that none is run.
            let isOperation = door.template.hasPrefix("/v1/broker/admin/")
            let body: JSONValue = isOperation ? ["noSuchParameter": true] : ["localId": "nobody"]
            let answer = try await broker.send(
                HTTPMethod(rawValue: door.method), door.path + query, headers: headers,
                body: door.method == "GET" || door.method == "DELETE" ? nil : Array(body.serialized().utf8))
            statuses.append((door, answer.status, answer.text))
        }
        return statuses
    }

    private static func bearer(_ token: String) -> HTTPHeaders { ["Authorization": "Bearer \(token)"] }

    @Test func `the table has every operation of the OpenAPI document, and no other`() async throws {
        try await TestBroker.run { broker in
            let json = try BrokerServer(broker.core).openAPIDocument().json
            var described: Set<String> = []
            for (path, item) in json["paths"]?.object ?? [:] {
                for (method, operation) in item.object ?? [:] where method != "head" {
                    guard let security = operation["security"]?.array,
                        security.contains(where: { $0["administrator"] != nil })
                    else { continue }
                    let aliases = (operation["x-aliases"]?.array ?? []).compactMap(\.string)
                    for path in [path] + aliases where !path.contains("googleapis.com") {
                        described.insert("\(method.uppercased()) \(path)")
                    }
                }
            }
            let listed = Self.doors.map { "\($0.method) \($0.template)" }
            #expect(described.symmetricDifference(listed) == [])
        }
    }

    @Test(arguments: AdminScope.allCases)
    func `a scope opens what it is listed for and nothing else, for both kinds of credentials`(
        scope: AdminScope
    ) async throws {
        try await TestBroker.run { broker in
            let token = try await broker.core.sessions.adminCredentials.create(
                named: "Test", scopes: [scope], lifetime: nil, origin: Origin(.admin, actor: "test")
            ).token.text
            let accountToken = try await Self.serviceAccountToken(scope, at: broker)
            for bearer in [token, accountToken] {
                for (door, status, message) in try await Self.statuses(broker, Self.bearer(bearer)) {
                    let isOpen = door.isOpen(to: scope)
                    #expect(
                        status != 401 && (status != 403) == isOpen, "\(door.method) \(door.path) \(status) \(message)")
                    // RFC 6750 names it in a header.
                    guard !isOpen, let needed = door.scope, !door.path.hasPrefix("/oauth/") else { continue }
                    #expect(message.contains(needed), "\(message)")
                }
            }
        }
    }

    @Test func `no scope opens what apps, users and strangers may not`() async throws {
        try await TestBroker.run { broker in
            let user = try await broker.signIn(broker.person("ada"))
            let callers: [(headers: HTTPHeaders, query: String)] = [
                ([:], ""), ([:], "?key=\(broker.apiKey)"),
                (Self.bearer("bat1_" + String(repeating: "a", count: 43)), ""),
                (Self.bearer(try user.string("idToken")), ""), (Self.bearer(try user.string("refreshToken")), ""),
            ]
            for (headers, query) in callers {
                for (door, status, message) in try await Self.statuses(broker, headers, query: query)
                where query.isEmpty || !Self.ofAppsToo.contains(door.template) {
                    #expect([400, 401, 403].contains(status), "\(door.method) \(door.path) \(status) \(message)")
                    // An API key names an app, which the project's paths refuse with a code.
                    let isApp = message.contains("INSUFFICIENT_PERMISSION") || door.path.hasPrefix("/oauth/")
                    #expect(status != 400 || isApp, "\(door.path) \(message)")
                }
            }
        }
    }

    /// The access token of a service account with one scope.
    private static func serviceAccountToken(_ scope: AdminScope, at broker: TestBroker) async throws -> String {
        let (record, file) = try await broker.core.sessions.serviceAccounts.create(
            named: "backend", scopes: [scope], origin: Origin(.admin, actor: "test"))
        let pem = try #require(file.document["private_key"]?.string)
        let base64 = pem.split(separator: "\n").dropFirst().dropLast().joined()
        let bytes = Array(try #require(Data(base64Encoded: base64)))
        let key = try PrivateSigningKey(algorithm: .rs256, derRepresentation: bytes)
        let seconds = Int64(broker.clock.now.timeIntervalSince1970)
        let assertion = try ServiceAccountFixture(key: key).token(
            [
                "iat": .integer(seconds), "exp": .integer(seconds + 3600), "iss": .string(record.account.email),
                "aud": "https://oauth2.googleapis.com/token",
                "scope": "https://www.googleapis.com/auth/identitytoolkit",
            ], header: ["alg": "RS256", "typ": "JWT", "kid": file.document["private_key_id"] ?? .null])
        return try await broker.post(
            "/oauth/service-accounts/token",
            form: [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", assertion)]
        ).string("access_token")
    }
}
