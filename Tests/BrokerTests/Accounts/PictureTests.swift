import Broker
import BrokerStore
import JOSE
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("pictures of users", .oneEngine("the URLs of pictures"))
struct PictureTests {
    @Test(arguments: [
        ("http://p.example/1", false), ("https://p.example/2?s=64#f", true), ("HTTPS://p.example:8443/A", true),
        ("https://user@p.example/3", false), ("https://p.example/\u{E9} a|b\"<x>", false), ("http://[::1]:8080", false),
    ])
    func `an http or https URL comes back as it was, and tokens have https in plain characters only`(
        url: String, isClaim: Bool
    ) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))

            let answer = try await broker.update(session, ["photoUrl": .string(url)])
            let refreshed = try await broker.refresh(session.string("refreshToken"))

            #expect(answer.status == 200 && answer["photoUrl"]?.string == url, "\(answer.text)")
            #expect(try await broker.record(session)["photoUrl"]?.string == url)
            let picture = try CompactJWS(parsing: refreshed.string("id_token")).unverifiedClaims()["picture"]
            #expect(picture?.string == (isClaim ? url : nil))
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:image/png;base64,AA", "ftp://p.example/1", "//p.example/1", "/1.png", "https://",
        "http:///1", "https://:443/", " https://p.example/1", "https://p.example/\n", "https://p.example/\u{85}",
        "https://p.example/\u{0}", "https://user@/1", "https://p.example/" + String(repeating: "x", count: 2031),
    ])
    func `another scheme, a control character and a long text are refused with their code`(url: String) async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let before = try await broker.record(session)

            let answer = try await broker.update(session, ["photoUrl": .string(url), "displayName": "Mallory"])

            // A NUL is refused at the door of the API, whatever field it is in.
            if !url.utf8.contains(0) {
                #expect(answer.message?.hasPrefix("INVALID_PHOTO_URL : photoUrl must be") == true, "\(answer.text)")
                #expect(answer["error"]?["status"] == nil)
            }
            #expect(answer.status == 400)
            #expect(try await broker.record(session) == before)
        }
    }

    @Test func `an import keeps pictures, and names the records whose picture is none by index`() async throws {
        try await TestBroker.run { broker in
            let backend = try await TestBackend(broker)
            func record(_ id: String, _ picture: String, identity: String? = nil) -> JSONValue {
                var record: JSONObject = ["localId": .string(id), "photoUrl": .string(picture)]
                if let identity {
                    record["providerUserInfo"] = [
                        ["providerId": "github.com", "rawId": "900", "photoUrl": .string(identity)]
                    ]
                }
                return .object(record)
            }

            let answer = try await backend.send(
                .POST, "/v1/projects/test-project/accounts:batchCreate",
                [
                    "users": [
                        record("a", "http://p.example/a"), record("b", "javascript:alert(1)"),
                        record("c", "https://p.example/c", identity: "http://p.example/gh"),
                        record("d", "https://p.example/d", identity: "/relative.png"),
                    ]
                ])
            let found = try await backend.send(
                .POST, "/v1/projects/test-project/accounts:lookup", ["localId": ["a", "b", "c", "d"]])

            let errors = answer["error"]?.array ?? []
            #expect(errors.map { $0["index"] } == [1, 3], "\(answer.text)")
            for error in errors {
                #expect(error["message"]?.string?.hasPrefix("INVALID_PHOTO_URL : photoUrl must be") == true)
            }
            let users = found["users"]?.array ?? []
            #expect(users.map { $0["photoUrl"] } == ["http://p.example/a", "https://p.example/c"], "\(found.text)")
            #expect(users.last?["providerUserInfo"]?.array?.first?["photoUrl"] == "http://p.example/gh")
        }
    }
}
