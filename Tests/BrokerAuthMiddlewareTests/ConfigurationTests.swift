import BrokerAuthMiddleware
import Foundation
import Testing

@Suite("The configuration of accepted tokens")
struct ConfigurationTests {
    @Test(arguments: [
        "https://id.example.com", "https://id.example.com:8443", "http://localhost:9099", "http://127.0.0.1:9099",
        "http://[::1]:9099",
    ])
    func `an issuer is an origin`(issuer: String) throws {
        _ = try BrokerTokens(issuer: issuer, clientIDs: ["c"])
    }

    @Test(arguments: [
        "http://id.example.com", "https://id.example.com/", "https://id.example.com/path", "https://", "id.example.com",
        "https://user@id.example.com", "https://id.example.com?x", "ftp://id.example.com", "http+unix://x",
        "http://127.0.0.1.example.com", "http://localhost.example.com", "https://id.example.com\n", "",
        "https://例.example", "http://1270001",
    ])
    func `any other text is refused`(issuer: String) {
        #expect(throws: BrokerTokensError.self) { try BrokerTokens(issuer: issuer, clientIDs: ["c"]) }
    }

    @Test func `each accepted kind needs its audience`() throws {
        let issuer = "https://id.example.com"
        #expect(throws: BrokerTokensError.self) { try BrokerTokens(issuer: issuer) }
        #expect(throws: BrokerTokensError.self) {
            try BrokerTokens(issuer: issuer, clientIDs: ["c"], accepting: [.identityToolkitIDToken])
        }
        #expect(throws: BrokerTokensError.self) {
            try BrokerTokens(issuer: issuer, projectID: "p", accepting: [.accessToken])
        }
        #expect(throws: BrokerTokensError.self) { try BrokerTokens(issuer: issuer, projectID: "p", accepting: []) }
        #expect(throws: BrokerTokensError.self) {
            try BrokerTokens(issuer: issuer, clientIDs: ["c"], sessionCookie: "s")
        }
        #expect(throws: BrokerTokensError.self) { try BrokerTokens(issuer: issuer, projectID: "../x") }
        #expect(throws: BrokerTokensError.self) {
            try BrokerTokens(issuer: issuer, projectID: "p", sessionCookie: "a;b")
        }
        _ = try BrokerTokens(issuer: issuer, projectID: "p", sessionCookie: "__Host-s", accepting: [.sessionCookie])
    }

    @Test func `a credential that cannot be for this broker is refused, and none is shown`() throws {
        let credential = BrokerCredential.client(id: "c", secret: "s3cr3t")
        var text = "\(credential)"
        dump(credential, to: &text)

        #expect(!text.contains("s3cr3t"))
        #expect(throws: BrokerTokensError.self) {
            try BrokerTokens(
                issuer: "https://id.example.com", clientIDs: ["c"], introspection: .client(id: "c", secret: ""))
        }
        #expect(throws: BrokerTokensError.self) {
            try BrokerCredential.serviceAccount(keyFile: URL(filePath: "/nonexistent/key.json"))
        }
    }
}
