import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("reading GitHub's tokens")
struct GitHubTokenTests {
    private struct Scene {
        let broker: TestBroker
        let backend: TokenBackend
        let application: GitHubSimulator.Application
        let person: GitHubSimulator.Person

        var gitHub: GitHubSimulator { broker.simulator }

        func signIn() async throws -> String {
            let verifier = RandomText.alphanumeric(64)
            let code = gitHub.authorizationCode(
                for: person, application: application, codeChallenge: CodeChallenge(of: verifier).text)
            return try await broker.signIn(postBody: [
                ("code", code), ("code_verifier", verifier), ("redirect_uri", application.callbackURL),
                ("providerId", "github.com"),
            ]).string("localId")
        }

        func advance(hours: Int) {
            broker.clock.advance(seconds: TimeInterval(hours * 3600))
            gitHub.clock.advance(by: TimeInterval(hours * 3600))
        }
    }

    private static func run(
        _ kind: GitHubSimulator.Application.Kind, _ test: (Scene) async throws -> Void
    ) async throws {
        try await TestBroker.run(entries: { gitHub in
            let application = gitHub.register(.init(kind: kind, callbackURL: "http://127.0.0.1/cb", name: "tested"))
            return [TestBroker.gitHub(gitHub, application: application)]
        }) { broker in
            let application = try #require(broker.simulator.applications().first { $0.name == "tested" })
            try await test(
                Scene(
                    broker: broker, backend: try await TokenBackend(of: broker), application: application,
                    person: try broker.person("ada")))
        }
    }

    @Test func `a GitHub App's token lives eight hours and is then replaced once`() async throws {
        try await Self.run(.gitHubApp()) { scene in
            let localID = try await scene.signIn()
            let first = try await scene.backend.read(localID, "github.com", at: scene.broker)
            scene.advance(hours: 8)
            let hits = scene.gitHub.hits(.accessToken)
            try await scene.broker.withSecondBroker { other in
                let answers = try await scene.backend.readAtOnce(localID, "github.com", at: [scene.broker, other])

                let tokens = Set(answers.map { $0["accessToken"]?.string ?? $0.text })
                #expect(tokens.count == 1 && tokens.allSatisfy(scene.gitHub.isLive), "\(tokens)")
                #expect(try !tokens.contains(first.string("accessToken")))
                #expect(scene.gitHub.hits(.accessToken) == hits + 1)
            }
            scene.advance(hours: 8)
            #expect(try await scene.backend.read(localID, "github.com", at: scene.broker).status == 200)
        }
    }

    @Test func `an OAuth app's token, which never expires, is checked once an hour`() async throws {
        try await Self.run(.oauthApp) { scene in
            let localID = try await scene.signIn()
            let first = try await scene.backend.read(localID, "github.com", scopes: ["user:email"], at: scene.broker)
            let unchecked = scene.gitHub.hits(.checkToken)
            scene.advance(hours: 1)
            let checked = try await scene.backend.read(localID, "github.com", at: scene.broker)
            let again = try await scene.backend.read(localID, "github.com", at: scene.broker)

            #expect(first.status == 200 && first["expiresAt"] == nil, "\(first.text)")
            #expect(checked["accessToken"] == first["accessToken"] && again.status == 200, "\(checked.text)")
            #expect(unchecked == 0 && scene.gitHub.hits(.checkToken) == 1)

            scene.gitHub.revokeGrant(of: scene.person, application: scene.application)
            scene.advance(hours: 1)
            let revoked = try await scene.backend.read(localID, "github.com", at: scene.broker)

            #expect(revoked.code == "REVOKED", "\(revoked.text)")
            #expect(try await scene.broker.auditEvents(of: localID).contains("grant.refused"))
        }
    }
}
