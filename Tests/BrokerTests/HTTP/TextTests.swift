import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

/// U+0000, which PostgreSQL does not store, and halves of surrogate pairs, which are no text, are refused by the few
/// decoders of requests. Everything else is stored byte for byte.
@Suite("text in requests")
struct TextTests {
    private struct Request {
        let path: String
        var method = HTTPMethod.POST
        var type = "application/json"
        /// `@` stands for the text.
        var body: String?
        var authorization: String?
    }

    private static let form = "application/x-www-form-urlencoded"

    /// A bearer token that may do everything.
    private static func administrator(_ broker: TestBroker) async throws -> String {
        let (_, token) = try await broker.core.sessions.adminCredentials.create(
            named: "Test", scopes: [.admin], lifetime: nil, origin: Origin(.admin, actor: "test"))
        return "Bearer \(token.text)"
    }

    private static func jsonRequests(_ key: String, _ idToken: String, _ admin: String, _ project: String) -> [Request]
    {
        let own = [
            ("accounts:lookup", #"{"idToken":"@"}"#), ("accounts:signUp", #"{"displayName":"@"}"#),
            ("accounts:update", #"{"idToken":"\#(idToken)","displayName":"@"}"#),
            ("accounts:update", #"{"idToken":"\#(idToken)","deleteProvider":["@"]}"#),
            ("accounts:createAuthUri", #"{"identifier":"@","continueUri":"http://localhost"}"#),
            ("accounts:createAuthUri", #"{"providerId":"@","continueUri":"http://localhost"}"#),
            ("accounts:signInWithIdp", #"{"requestUri":"http://localhost","postBody":"@"}"#),
            ("accounts:signInWithIdp", #"{"requestUri":"http://localhost","pendingToken":"@"}"#),
            ("accounts:signInWithCustomToken", #"{"token":"@"}"#), ("token", #"{"refresh_token":"@"}"#),
            ("broker/sessions:signOut", #"{"idToken":"@"}"#), ("accounts:lookup", #"{"@":1}"#),
            // A form within JSON.
            ("accounts:signInWithIdp", #"{"requestUri":"http://localhost","postBody":"providerId=%00"}"#),
            ("accounts:signInWithIdp", #"{"requestUri":"http://localhost","postBody":"providerId=%ED%A0%80"}"#),
        ].map { Request(path: "/v1/\($0.0)?key=\(key)", body: $0.1) }
        let administrators = [
            ("accounts:lookup", #"{"localId":["@"]}"#), ("accounts:lookup", #"{"email":["@"]}"#),
            ("accounts:lookup", #"{"federatedUserId":[{"providerId":"github.com","rawId":"@"}]}"#),
            ("accounts", #"{"localId":"@"}"#), ("accounts", #"{"displayName":"@"}"#),
            ("accounts:update", #"{"localId":"@"}"#), ("accounts:delete", #"{"localId":"@"}"#),
            ("accounts:batchDelete", #"{"localIds":["@"]}"#), ("accounts:batchCreate", #"{"users":[{"localId":"@"}]}"#),
            ("accounts:query", #"{"expression":[{"userId":"@"}]}"#),
        ].map { Request(path: "/v1/projects/\(project)/\($0.0)", body: $0.1, authorization: admin) }
        let operations = [
            ("users.show", #"{"user":"@"}"#), ("users.import", #"{"users":[{"localId":"@"}]}"#),
            ("audit.list", #"{"actor":"@"}"#),
        ].map { Request(path: "/v1/broker/admin/\($0.0)", body: $0.1, authorization: admin) }
        return own + administrators + operations
    }

    private static func encodedRequests(_ key: String, _ admin: String, _ project: String) -> [Request] {
        [
            Request(path: "/v1/accounts:lookup?key=@", body: "{}"),
            Request(
                path: "/v1/projects/\(project)/accounts:batchGet?nextPageToken=@", method: .GET, authorization: admin),
            Request(path: "/v1/broker/users/@/providers/github.com:token", body: "{}", authorization: admin),
            Request(path: "/v2/projects/\(project)/oauthIdpConfigs/@", method: .GET, authorization: admin),
            Request(path: "/oauth/authorize?client_id=@", method: .GET),
            Request(path: "/oauth/authorize?state=@", method: .GET),
            Request(path: "/oauth/callback/github.com?code=x&state=@", method: .GET),
            Request(path: "/oauth/callback/@?code=x&state=y", method: .GET),
            Request(path: "/device?user_code=@", method: .GET),
            Request(path: "/@", method: .GET),
            Request(path: "/v1/token?key=\(key)", type: form, body: "grant_type=refresh_token&refresh_token=@"),
            Request(path: "/oauth/token", type: form, body: "grant_type=refresh_token&client_id=@&refresh_token=x"),
            Request(path: "/oauth/token", type: form, body: "grant_type=@&client_id=x"),
            Request(path: "/oauth/revoke", type: form, body: "client_id=x&token=@"),
            Request(path: "/oauth/par", type: form, body: "client_id=x&state=@"),
            Request(path: "/oauth/device_authorization", type: form, body: "client_id=@"),
            Request(path: "/oauth/token", type: form, body: "@=x"),
        ]
    }

    /// The bytes of a request: client libraries send another path where they cannot read one as text.
    private static func text(of request: Request, with text: String) -> String {
        let body = (request.body ?? "").replacing("@", with: text)
        let authorization = request.authorization.map { "Authorization: \($0)\r\n" } ?? ""
        let type = request.body == nil ? "" : "Content-Type: \(request.type)\r\n"
        return "\(request.method.rawValue) \(request.path.replacing("@", with: text)) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + "\(type)\(authorization)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func send(_ request: Request, _ text: String, to broker: TestBroker) async throws -> Answer {
        var headers: HTTPHeaders = [:]
        if request.body != nil { headers.add(name: "Content-Type", value: request.type) }
        if let authorization = request.authorization { headers.add(name: "Authorization", value: authorization) }
        return try await broker.send(
            request.method, request.path.replacing("@", with: text), headers: headers,
            body: request.body.map { Array($0.replacing("@", with: text).utf8) })
    }

    @Test(arguments: [#"\u0000"#, #"a\u0000b"#, #"\ud800"#, #"\udc00\ud800"#])
    func `NUL and half a surrogate pair in JSON are 400`(text: String) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signUp()
            let requests = Self.jsonRequests(
                broker.apiKey, try session.string("idToken"), try await Self.administrator(broker),
                broker.core.configuration.project.id)
            for request in requests {
                let answer = try await Self.send(request, text, to: broker)
                #expect(answer.status == 400, "\(request.path) \(request.body ?? ""): \(answer.text)")
            }
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test(arguments: ["%00", "a%00b", "%ED%A0%80", "%FF"])
    func `NUL and bytes that are no UTF-8 in queries, forms and paths are 400`(text: String) async throws {
        try await TestBroker.run { broker in
            let requests = Self.encodedRequests(
                broker.apiKey, try await Self.administrator(broker), broker.core.configuration.project.id)
            for request in requests {
                let status = try await RawHTTP.status(broker.url, Self.text(of: request, with: text))
                #expect(status == 400, "\(request.path) \(request.body ?? "")")
            }
            // A client that authenticates with such an id is none.
            let basic = Data("\(text):secret".utf8).base64EncodedString()
            let answer = try await broker.send(
                .POST, "/oauth/token", headers: ["Authorization": "Basic \(basic)", "Content-Type": Self.form],
                body: Array("grant_type=refresh_token&refresh_token=x".utf8))
            #expect(answer.status == 401 && answer["error"] == "invalid_client", "\(answer.text)")
        }
    }

    @Test(arguments: [
        "𝒳😀名", "e\u{301}é", "a\u{202E}b\u{2066}c", "\u{FFFD}\u{FEFF}x", "a\u{2028}b", "\u{10FFFF}\u{E000}",
    ])
    func `every other text is stored byte for byte`(text: String) async throws {
        try await TestBroker.run { broker in
            let admin = try await Self.administrator(broker)
            let session = try await broker.signIn(broker.person("ada"))
            let project = broker.core.configuration.project.id
            let claims = JSONValue.object(["text": .string(text)]).serialized()
            func post(_ method: String, _ body: JSONValue) async throws -> Answer {
                try await broker.send(
                    .POST, "/v1/projects/\(project)/accounts:\(method)",
                    headers: ["Authorization": admin, "Content-Type": "application/json"],
                    body: Array(body.serialized().utf8))
            }

            let own = try await broker.update(session, ["displayName": .string(text)])
            let imported = try await post(
                "batchCreate",
                [
                    "users": [
                        [
                            "localId": "imported", "displayName": .string(text), "customAttributes": .string(claims),
                            "createdAt": "1",
                        ]
                    ]
                ])

            #expect(own.status == 200 && imported["error"] == [], "\(own.text) \(imported.text)")
            let found = try await post(
                "lookup", ["localId": [.string("imported"), .string(try session.string("localId"))]])
            let users = try #require(found["users"]?.array)
            #expect(users.count == 2)
            for user in users {
                #expect(user["displayName"]?.string.map { Array($0.utf8) } == Array(text.utf8), "\(user)")
            }
            let stored = users.first { $0["localId"] == "imported" }?["customAttributes"]?.string
            #expect(stored.map { Array($0.utf8) } == Array(claims.utf8))
        }
    }
}
