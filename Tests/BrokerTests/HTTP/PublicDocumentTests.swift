import Broker
import BrokerStore
import NIOHTTP1
import Testing

@Suite("public documents")
struct PublicDocumentTests {
    private static let paths = [
        "/test-project/.well-known/jwks.json", "/test-project/.well-known/openid-configuration",
        "/.well-known/openid-configuration", "/oauth/jwks", "/openapi.json",
    ]

    @Test(arguments: paths)
    func `a reader that has the document is told so, and one with another gets it`(path: String) async throws {
        try await TestBroker.run { broker in
            let document = try await broker.get(path)
            let tag = try #require(document.headers.first(name: "ETag"))

            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await broker.get(path, headers: ["If-None-Match": known])
                #expect(answer.status == 304 && answer.text.isEmpty, "\(known)")
                #expect(answer.headers.first(name: "ETag") == tag)
                #expect(answer.headers.first(name: "Cache-Control") == document.headers.first(name: "Cache-Control"))
            }
            let answer = try await broker.get(path, headers: ["If-None-Match": "\"other\""])
            #expect(answer.status == 200 && answer.text == document.text)
        }
    }

    @Test func `a rotation of the keys changes their tag`() async throws {
        try await TestBroker.run { broker in
            let before = try await broker.get(Self.paths[0]).headers.first(name: "ETag")
            _ = try await broker.core.sessions.rotateSigningKeys([.es256], .published, origin: Origin(.admin))

            let after = try await broker.get(Self.paths[0], headers: ["If-None-Match": before ?? ""])

            #expect(after.status == 200 && after.headers.first(name: "ETag") != before)
        }
    }
}
