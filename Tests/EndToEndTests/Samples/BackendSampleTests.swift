import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// The back ends of `Docs/AddSignIn.md`, which verify what apps send them.
@Suite("The documented back ends", .oneEngine("token libraries of back ends"), .timeLimit(.minutes(20)))
struct BackendSampleTests {
    @Test func `the API accepts an access token, and neither an ID token nor a changed one`() async throws {
        try await HostedBroker.run { broker in
            try await Self.withTokens(at: broker) { tokens, clientID in
                let program = try SampleProgram(
                    "api.py", environment: ["BROKER": broker.url, "CLIENT_ID": clientID])
                let python = try TestPython.path()
                let accessToken = try #require(tokens["access_token"]?.string)

                let good = try await program.run(python, "api.py", input: accessToken + "\n")
                let idToken = try await program.run(
                    python, "api.py", input: try #require(tokens["id_token"]?.string))
                let user = good.output.trimmingCharacters(in: .newlines)
                let changed = try await program.run(python, "api.py", input: String(accessToken.dropLast(4)) + "AAAA")

                let users = try await broker.document("users", "list")["users"]?.array
                #expect(good.exitCode == 0, "\(good)")
                #expect(users?.map { $0["localId"]?.string } == [user], "\(good)")
                #expect(idToken.exitCode == 1 && idToken.errors.contains("not an access token"), "\(idToken)")
                #expect(changed.exitCode == 1 && changed.output.isEmpty, "\(changed)")
            }
        }
    }

    @Test(arguments: ["strict", "firebase"], ["strict", "firebase"])
    func `a JWT library verifies the tokens of both settings, firebase-admin those of one`(
        preset: String, tokens: String
    ) async throws {
        try await HostedBroker.prepare { broker in
            var settings = try #require(try JSONValue(parsing: broker.folder.text(of: "broker.json")).object)
            settings["policy"] = ["preset": .string(preset), "tokens": .string(tokens)]
            try broker.folder.write(JSONValue.object(settings).serialized(), to: "broker.json")
            try await broker.serve { _ in
                let gitHub = broker.providers.gitHub
                let accessToken = gitHub.accessToken(
                    for: try #require(gitHub.person(login: "ada")), application: gitHub.defaultApplication)
                let session = try IdentityToolkitApp.Session(try await broker.client.signIn(accessToken: accessToken))
                let environment = ["BROKER": broker.url, "PROJECT": "my-app", "TOKENS": tokens]

                for (name, isGood) in [("verify-jwt.py", true), ("verify.py", tokens == "firebase")] {
                    let program = try SampleProgram(name, environment: environment)
                    let python = try TestPython.path()
                    let result = try await program.run(python, name, input: session.idToken)
                    let changed = try await program.run(
                        python, name, input: String(session.idToken.dropLast(4)) + "AAAA")

                    #expect(result.exitCode == (isGood ? 0 : 1), "\(name): \(result)")
                    #expect(result.output == (isGood ? session.localID + "\n" : ""), "\(name): \(result)")
                    #expect(changed.exitCode == 1 && changed.output.isEmpty, "\(name): \(changed)")
                }
            }
        }
    }

    /// Ada signs in to an app at GitHub; lends its tokens and its client's id to `body`.
    private static func withTokens(
        at broker: HostedBroker, _ body: (JSONValue, String) async throws -> Void
    ) async throws {
        try await WebApp.run(at: broker) { app in
            let attempt = app.attempt()
            let browser = FormBrowser()
            let consent = try await browser.follow("GitHub", on: try await browser.open(attempt.url))
            let ada = try #require(broker.providers.gitHub.person(login: "ada"))
            let page = try await browser.submit(("person", String(ada.id)), ("decision", "authorize"), on: consent)
            let code = try #require(page.url.firstMatch(of: /[?&]code=([^&]+)/), "\(page.url)").1
            let redeemed = try await app.redeem(String(code), of: attempt)
            try #require(redeemed.status == 200, "\(redeemed)")
            try await body(redeemed.body, app.clientID)
        }
    }
}
