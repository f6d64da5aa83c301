import Broker
import BrokerStore
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("hostile input")
struct HostileInputTests {
    @Test(arguments: [
        #"{"idToken":"#, #"{"idToken":"a","idToken":"b"}"#, #"{"idToken":"a","id_token":"b"}"#, "[]", "null", "1",
        "{\"idToken\":\"\u{0}\"}", #"{"idToken":"\ud800"}"#, #"{"idToken":1e999999}x"#, "\u{FEFF}{}",
        String(repeating: "[", count: 10_000), String(repeating: #"{"a":"#, count: 5_000),
    ])
    func `a malformed body is refused in the envelope and the broker goes on`(body: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.send(
                .POST, "/v1/accounts:lookup?key=\(broker.apiKey)", headers: ["Content-Type": "application/json"],
                body: Array(body.utf8))

            #expect(answer.status == 400)
            #expect(answer["error"]?["status"] == "INVALID_ARGUMENT")
            #expect(try await broker.get("/healthz").status == 200)
        }
    }

    @Test(arguments: [
        (#"{"idToken":{}}"#, "/idToken must be string"), (#"{"idToken":[]}"#, "/idToken must be string"),
        (#"{"id_token":[1]}"#, "/idToken must be string"),
    ])
    func `a field of the wrong type is named`(body: String, text: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.send(
                .POST, "/v1/accounts:lookup?key=\(broker.apiKey)", headers: ["Content-Type": "application/json"],
                body: Array(body.utf8))
            #expect(answer.message == "Invalid JSON payload received. " + text)
        }
    }

    @Test func `a body over the limit, a coded one and one of another type are refused`() async throws {
        try await TestBroker.run { broker in
            let path = "/v1/accounts:lookup?key=\(broker.apiKey)"
            let big = [UInt8](repeating: UInt8(ascii: " "), count: 70_000)

            let tooLarge = try await broker.send(.POST, path, body: big)
            let coded = try await broker.send(
                .POST, path, headers: ["Content-Type": "application/json", "Content-Encoding": "identity"],
                body: Array("{}".utf8))
            let text = try await broker.send(.POST, path, headers: ["Content-Type": "text/plain"], body: [1, 2])

            #expect(tooLarge.status == 413 && tooLarge["error"]?["code"]?.integer == 413)
            #expect(coded.status == 400 && coded.message?.contains("Content-Encoding") == true)
            #expect(text.status == 400)
            #expect(text.message?.hasPrefix("Invalid content-type") == true)
        }
    }

    @Test(arguments: [nil, "", "; charset=utf-8"])
    func `a body that does not say it is JSON is refused`(type: String?) async throws {
        try await TestBroker.run { broker in
            let headers = HTTPHeaders(type.map { [("Content-Type", $0)] } ?? [])

            let answer = try await broker.send(
                .POST, "/v1/accounts:signUp?key=\(broker.apiKey)", headers: headers, body: Array("{}".utf8))

            #expect(answer.status == 400)
            #expect(answer.message?.hasPrefix("Invalid content-type") == true)
        }
    }

    @Test func `an empty body is an empty object`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.send(.POST, "/v1/accounts:lookup?key=\(broker.apiKey)")
            #expect(answer.code == "MISSING_ID_TOKEN")
        }
    }

    @Test func `hostile ID tokens are refused without ending the process`() async throws {
        try await TestBroker.run { broker in
            let genuine = try await broker.signUp().string("idToken")
            let parts = genuine.split(separator: ".").map(String.init)
            let keyID = try CompactJWS(parsing: genuine).header.keyID ?? ""
            func token(_ header: JSONValue, _ payload: JSONValue? = nil, signature: String? = nil) -> String {
                let body = payload.map { Base64URL.encode(Array($0.serialized().utf8)) } ?? parts[1]
                return [Base64URL.encode(Array(header.serialized().utf8)), body, signature ?? parts[2]]
                    .joined(separator: ".")
            }
            let hostile = [
                "", ".", "..", "a.b.c", genuine + ".", genuine + "=", parts[0] + "." + parts[1] + ".",
                token(["alg": "none"], signature: ""), token(["alg": "none", "kid": .string(keyID)]),
                token(["alg": "ES256"]), token(["alg": "ES256", "kid": "unknown"]),
                token(["alg": "HS256", "kid": .string(keyID)]), token(["alg": "RS256", "kid": .string(keyID)]),
                token(["alg": "ES256", "kid": .string(keyID), "crit": ["b64"], "b64": false]),
                token(["alg": "ES256", "kid": .string(keyID), "jwk": [:]]),
                token(["alg": "ES256", "kid": .string(keyID)], ["aud": []]),
                token(["alg": "ES256", "kid": .string(keyID)], ["aud": [], "exp": "1e308"]),
                String(repeating: "a", count: 20_000), "é.é.é",
            ]

            for text in hostile {
                let answer = try await broker.lookup(text)
                #expect(["INVALID_ID_TOKEN", "MISSING_ID_TOKEN"].contains(answer.code), "\(text.prefix(80))")
            }
            #expect(try await broker.lookup(genuine).status == 200)
        }
    }

    @Test func `a token signed by our own key for another issuer, audience or user is refused`() async throws {
        try await TestBroker.run { broker in
            let genuine = try await broker.signUp().string("idToken")
            let claims = try CompactJWS(parsing: genuine).verified(
                with: broker.core.sessions.signingKeys.verification, algorithms: [.es256])
            let signer = try #require(broker.core.sessions.signingKeys.published.first { $0.algorithm == .es256 })
                .signer

            for (name, value) in [
                ("iss", JSONValue.string("https://securetoken.google.com/test-project")), ("aud", "another"),
                ("aud", []), ("aud", ["test-project", "another"]), ("broker", nil), ("broker", "x"), ("sub", "nobody"),
                ("broker", ["sid": claims["broker"]?["sid"] ?? .null, "epoch": 7]), ("broker", ["epoch": 0]),
                ("iat", 4_000_000_000), ("exp", "soon"),
            ] {
                var changed = try #require(claims.object)
                changed[name] = value == .null ? nil : value
                let answer = try await broker.lookup(signer.token(claims: changed))
                #expect(answer.status == 400, "\(name)")
                #expect(answer["users"] == nil)
            }
        }
    }

    @Test func `a developer's sid and epoch never stand in for the claim broker`() async throws {
        try await TestBroker.run { broker in
            let genuine = try await broker.signUp().string("idToken")
            let claims = try CompactJWS(parsing: genuine).unverifiedClaims()
            let signer = try #require(broker.core.sessions.signingKeys.published.first { $0.algorithm == .es256 })
                .signer
            var changed = claims
            changed["broker"] = nil
            changed["sid"] = claims["broker"]?["sid"]
            changed["epoch"] = claims["broker"]?["epoch"]

            #expect(claims["sid"] == nil && claims["epoch"] == nil)
            #expect(try await broker.lookup(signer.token(claims: changed)).code == "INVALID_ID_TOKEN")
        }
    }

    @Test func `a doubled or foreign Host, odd bytes and method overrides are refused`() async throws {
        try await TestBroker.run { broker in
            for headers: HTTPHeaders in [
                ["Host": "evil.example"], ["X-HTTP-Method-Override": "DELETE"], ["X-Anything": "\u{E9}"],
            ] {
                let answer = try await broker.send(.GET, "/v1/projects?key=\(broker.apiKey)", headers: headers)
                #expect(answer.status == 400, "\(headers)")
            }
            for head in ["Host: 127.0.0.1\r\nHost: evil.example\r\n", ""] {
                let status = try await RawHTTP.status(broker.url, "GET /v1/projects HTTP/1.1\r\n\(head)\r\n")
                #expect(status == 400)
            }
        }
    }

    @Test func `a Host with another port than the broker's is refused`() async throws {
        try await TestBroker.run { broker in
            func status(_ host: String) async throws -> Int? {
                try await RawHTTP.status(
                    broker.url, "GET /v1/projects?key=\(broker.apiKey) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            }
            let port = try #require(URL(string: broker.url)?.port)

            for own in ["127.0.0.1", "127.0.0.1:9099", "localhost:\(port)", "[::1]:\(port)"] {
                #expect(try await status(own) == 200, "\(own)")
            }
            for odd in [
                "127.0.0.1:1", "127.0.0.1:", "127.0.0.1:+\(port)", "127.0.0.1:x@evil.example", "127.0.0.1:99999999999",
                "127.0.0.1:\(port):\(port)", "[::1]\(port)", "127.0.0.1:\(port)@evil.example",
            ] {
                #expect(try await status(odd) == 400, "\(odd)")
            }
        }
    }

    @Test func `an absolute request target is for this broker or refused`() async throws {
        try await TestBroker.run { broker in
            func status(_ target: String) async throws -> Int? {
                try await RawHTTP.status(
                    broker.url,
                    "GET http://\(target)/v1/projects?key=\(broker.apiKey) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            }
            let own = try await status("127.0.0.1:9099")
            #expect(own == 200)
            for foreign in ["evil.example", "127.0.0.1:1", "127.0.0.1@evil.example", ""] {
                let refused = try await status(foreign)
                #expect(refused == 400, "\(foreign)")
            }
        }
    }

    @Test func `too many header fields or bytes end the request`() async throws {
        try await TestBroker.run { broker in
            let many = (0..<200).map { "X-\($0): a\r\n" }.joined()
            let long = "X-Long: \(String(repeating: "a", count: 20_000))\r\n"
            for extra in [many, long] {
                let status = try await RawHTTP.status(
                    broker.url, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\(extra)\r\n")
                #expect(status == nil || (400..<500).contains(status ?? 0))
            }
            #expect(try await broker.get("/healthz").status == 200)
        }
    }

    @Test(arguments: [
        SimulatorFault.emptyBody, .htmlInsteadOfJSON, .truncatedBody, .hugeBody(bytes: 2 << 20),
        .status(500, body: "{}"), .status(200, body: #"{"id":"1"}"#), .status(200, body: #"{"id":1.5,"login":"x"}"#),
        .status(200, body: #"{"id":0,"login":"x"}"#), .status(200, body: "[]"), .closeConnection,
        .status(200, body: #"{"id":7,"login":"x","name":"a\u0000b"}"#),
        .status(200, body: #"{"id":7,"login":"x","name":"\udc00"}"#),
        .redirect(to: "http://127.0.0.1:1/"),
    ])
    func `whatever GitHub answers, the caller gets a clear refusal and nothing is written`(
        fault: SimulatorFault
    ) async throws {
        try await TestBroker.run { broker in
            broker.simulator.fail(.user, with: fault)

            let answer = try await broker.signIn(try broker.person("ada"))

            #expect(answer.status == 400, "\(answer.text)")
            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(try await broker.core.store.read { try $0.users(after: nil, limit: 1) }.isEmpty)
            broker.simulator.clearFaults()
            #expect(try await broker.signIn(try broker.person("ada")).status == 200)
        }
    }
}
