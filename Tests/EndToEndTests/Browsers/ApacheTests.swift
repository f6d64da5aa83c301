import BrowserTesting
import PostgreSQLTesting
import ProviderKit
import Testing

/// The built broker and Debian's `mod_auth_openidc`, in a real browser.
@Suite("Apache signs users in", .oneEngine("Apache's OpenID Connect client"), .timeLimit(.minutes(20)))
struct ApacheTests {
    @Test(arguments: ["github.com", "apple.com"])
    func `its members' page opens for signed-in users, and closes at logout`(
        provider: String
    ) async throws {
        try await HostedBroker.run { broker in
            try await ApacheServer.run { url, redirectURI in
                let client = try await broker.document(
                    "clients", "add", "--type", "confidential", "--name", "Members", "--redirect-uri", redirectURI,
                    "--post-logout-redirect-uri", url + "/farewell.html")
                return ApacheServer.Client(
                    issuer: broker.url, id: try #require(client["client"]?["clientId"]?.string, "\(client)"),
                    secret: try #require(client["clientSecret"]?.string), parameters: "provider=\(provider)")
            } _: { apache in
                try await Browser.run { browser in
                    try await browser.open(apache.membersURL)
                    try await browser.consent(as: "Ada Example")
                    try await browser.wait(forText: "Welcome")
                    let user = try await browser.element("#user").text
                    let claims = [try await browser.element("#email").text, try await browser.element("#iss").text]
                    try await browser.open(apache.logoutURL)
                    try await browser.wait(forText: "Come again")
                    try await browser.open(apache.membersURL)
                    let isAskedAgain = try await browser.element(.button, "Authorize").text

                    let users = try await broker.document("users", "list")["users"]?.array ?? []
                    #expect(users.compactMap { $0["localId"]?.string } == [user])
                    #expect(claims == ["ada@example.com", broker.url])
                    #expect(isAskedAgain == "Authorize", "the session at the broker has ended as well")
                }
            }
        }
    }
}
