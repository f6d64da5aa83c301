import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import Testing

/// `signInWithPopup` and `signInWithRedirect` at the emulator: the URLs that SDKs open, and the page with fictitious
/// accounts that the user sees.
@Suite("The emulator's accounts", .timeLimit(.minutes(20)))
struct EmulatorPopupTests {
    private static let form = [("Content-Type", "application/x-www-form-urlencoded")]

    /// The user's browser at the window that an SDK has opened, at one of the names of this machine.
    private struct Window {
        let emulator: EmulatorApp
        let site: IdentityToolkitApp
        /// What the handler page stores in the browser.
        let sessionID: String
        /// The page with the accounts, below ``site``.
        let accounts: String
        let page: String

        init(_ emulator: EmulatorApp, provider: String, at site: IdentityToolkitApp) async throws {
            let handler = try await site.get(
                "/emulator/auth/handler?"
                    + FormEncoding.encode([
                        ("apiKey", #"any"key</script>"#), ("appName", "[DEFAULT]"), ("authType", "signInViaPopup"),
                        ("redirectUrl", "http://localhost:3000/"), ("v", "12.0.0"), ("eventId", "event-1"),
                        ("providerId", provider), ("scopes", "profile,repo"), ("customParameters", #"{"a":"b"}"#),
                    ]))
            let data = try #require(
                handler.text.firstMatch(of: /<script type="application\/json" id="data">([^<]*)<\/script>/)?.1,
                "\(handler)")
            let work = try JSONValue(parsing: String(data))
            #expect(work["step"] == "begin" && work["request"]?["apiKey"] == #"any"key</script>"#, "\(work)")
            let authorizationURL = try #require(work["authorizationUrl"]?.string)
            #expect(authorizationURL.hasPrefix(site.url + "/"), "\(authorizationURL)")
            let accounts = String(authorizationURL.dropFirst(site.url.count))
            let page = try await site.get(accounts)
            #expect(page.status == 200 && page.text.contains("tests on this machine only"), "\(page)")
            self.emulator = emulator
            self.site = site
            self.accounts = accounts
            self.page = page.text
            sessionID = try #require(work["request"]?["sessionId"]?.string)
        }

        /// Sends a form of the page, and follows to the handler's page with the provider's answer.
        func send(_ fields: [(name: String, value: String)]) async throws -> String {
            let answer = try await site.send(
                "POST", accounts, headers: EmulatorPopupTests.form + [("Origin", site.url)],
                body: FormEncoding.encode(fields))
            let location = try #require(answer.headers.first(name: "Location"), "\(answer)")
            #expect(answer.status == 303 && location.hasPrefix("/oauth/callback/"), "\(answer) \(location)")
            let handler = try await site.get(location)
            #expect(handler.text.contains(#"{"step":"resume"}"#), "\(handler)")
            return site.url + location
        }

        /// What the SDK does with the outcome.
        func finish(_ url: String) async throws -> IdentityToolkitApp.Answer {
            try await emulator.client.post(
                "/v1/accounts:signInWithIdp",
                [
                    "requestUri": .string(url), "sessionId": .string(sessionID), "returnSecureToken": true,
                    "returnIdpCredential": true,
                ])
        }
    }

    @Test(arguments: ["127.0.0.1", "localhost"], ["google.com", "oidc.unheard-of"])
    func `a popup shows fictitious accounts and signs in with the chosen one`(
        host: String, provider: String
    ) async throws {
        try await EmulatorApp.run { emulator in
            let site = IdentityToolkitApp(
                url: emulator.root.url.replacing("127.0.0.1", with: host), apiKey: "any")
            let window = try await Window(emulator, provider: provider, at: site)
            let url = try await window.send([
                ("name", "Ada Ü"), ("email", "ada@example.com"), ("screenName", "ada"), ("picture", ""),
            ])
            let added = try await window.finish(url)
            let again = try await Window(emulator, provider: provider, at: site)
            let subject = try #require(added.body["rawUserInfo"]?.string.flatMap { try? JSONValue(parsing: $0) })
            let rawID = try #require((subject["sub"] ?? subject["id"])?.string)
            let chosen = try await again.finish(try await again.send([("account", rawID)]))

            #expect(added.status == 200 && added.body["isNewUser"] == true, "\(added)")
            #expect(added.body["email"] == "ada@example.com" && added.body["displayName"] == "Ada Ü")
            #expect(added.body["emailVerified"] == true && added.body["providerId"]?.string == provider)
            let idToken = try #require(added.body["oauthIdToken"]?.string)
            let claims = try JSONValue(
                parsing: try #require(Base64URL.decode(String(idToken.split(separator: ".")[1]))))
            #expect(claims["sub"]?.string == rawID && claims["name"] == "Ada Ü")
            #expect(!window.page.contains("Ada Ü") && again.page.contains("Ada Ü, ada@example.com"))
            #expect(chosen.body["localId"] == added.body["localId"] && chosen.body["isNewUser"] == nil, "\(chosen)")
        }
    }

    @Test func `a user who cancels is reported to the app`() async throws {
        try await EmulatorApp.run { emulator in
            let window = try await Window(emulator, provider: "github.com", at: emulator.root)
            let answer = try await window.finish(try await window.send([("cancel", "yes")]))

            #expect(answer.errorCode == "USER_CANCELLED", "\(answer)")
        }
    }

    @Test func `markup in an account is text, and an answer goes to this machine only`() async throws {
        try await EmulatorApp.run { emulator in
            let window = try await Window(emulator, provider: "github.com", at: emulator.root)
            let name = #"<script>alert("x")</script>"#
            _ = try await window.finish(try await window.send([("name", name), ("email", "x@example.com")]))
            let page = try await Window(emulator, provider: "github.com", at: emulator.root).page
            let path = try #require(window.accounts.split(separator: "?").first.map(String.init))
            for target in ["https://evil.example/cb", "javascript:alert(1)", "http://127.0.0.1.evil.example/"] {
                let answer = try await emulator.root.get(
                    path + "?" + FormEncoding.encode([("provider", "x"), ("state", "s"), ("redirect_uri", target)]))
                #expect(answer.status == 400, "\(target): \(answer)")
            }
            let long = try await emulator.root.send(
                "POST", window.accounts, headers: Self.form,
                body: FormEncoding.encode([("name", String(repeating: "x", count: 257))]))

            #expect(!page.contains("<script") && page.contains("&lt;script&gt;"))
            #expect(long.status == 400, "\(long)")
        }
    }

    @Test func `the frame of an app with any key is served`() async throws {
        try await EmulatorApp.run { emulator in
            let frame = try await emulator.root.get("/emulator/auth/iframe?apiKey=any&appName=%5BDEFAULT%5D")

            #expect(frame.status == 200 && frame.text.contains("getAuthEvent"), "\(frame)")
        }
    }
}
