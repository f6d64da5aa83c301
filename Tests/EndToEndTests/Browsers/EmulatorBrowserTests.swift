import BrowserTesting
import Foundation
import ProviderKit
import Testing

/// A popup at the emulator in a real browser, by the code of `Docs/AddSignIn-Firebase.md`.
@Suite("The emulator's popup in a browser", .timeLimit(.minutes(20)))
struct EmulatorBrowserTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a user adds a fictitious account, and the app gets the credential`(host: String) async throws {
        try await EmulatorApp.run { emulator in
            let url = emulator.root.url.replacing("127.0.0.1", with: host)
            try await LocalSite.run {
                Self.page(for: $0, at: url)
            } _: { site in
                try await Browser.run { browser in
                    try await browser.open("http://localhost:\(site.port)/")
                    let app = try await browser.window
                    try await browser.click(.button, "Sign in")
                    try await browser.switchToNewWindow(besides: [app])
                    try await browser.wait(forText: "tests on this machine only")
                    try await browser.click(.button, "Add the account and sign in")
                    try await browser.switchTo(app)
                    try await browser.wait(forText: "done ")

                    let text = try await browser.script("return document.getElementById('result').textContent")
                    let outcome = try JSONValue(parsing: String(try #require(text.string).dropFirst("done ".count)))
                    #expect(outcome["providerId"] == "oidc.unheard-of", "\(outcome.serialized())")
                    #expect(outcome["email"]?.string?.hasSuffix("@example.com") == true)
                    let token = try #require(outcome["pendingToken"]?.string)
                    let session = try await emulator.client.post(
                        "/v1/accounts:signInWithIdp",
                        ["requestUri": "http://localhost", "pendingToken": .string(token), "returnSecureToken": true])
                    #expect(session.status == 200 && session.body["isNewUser"] == true, "\(session)")
                }
            }
        }
    }

    private static func page(for visit: LocalSite.Visit, at emulator: String) -> LocalSite.Page {
        guard visit.path.hasSuffix(".js") else { return LocalSite.Page(html) }
        let code = (try? DocumentedCode.named(String(visit.path.dropFirst()), in: "Docs/AddSignIn-Firebase.md")) ?? ""
        let own = code.replacing(#""https://id.example""#, with: #""\#(emulator)""#)
        return LocalSite.Page(own, headers: ["Content-Type": "text/javascript"])
    }

    private static let html = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>An app</title></head>
        <body><button id="popup">Sign in</button><pre id="result"></pre>
        <script type="module">
        import { credentialFromPopup } from "/popup.js";
        const result = document.getElementById("result");
        document.getElementById("popup").onclick = () => credentialFromPopup("oidc.unheard-of").then(
          (outcome) => { result.textContent = "done " + JSON.stringify(outcome); },
          (error) => { result.textContent = "failed " + error.message; });
        </script></body></html>
        """
}
