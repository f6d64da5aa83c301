import Broker
import Foundation
import Generic
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("sign-ins with ID tokens of a provider that the broker has not asked before", .timeLimit(.minutes(20)))
struct FirstSignInsTests {
    private static func run(
        people: [OpenIDSimulator.Person]? = nil, _ test: (TestBroker, OpenIDSimulator) async throws -> Void
    ) async throws {
        let issuer = try await OpenIDSimulator.start(
            .init(clock: .stopped(at: TestClock().now), algorithm: .es256, people: people))
        let entry: JSONValue = [
            "id": "oidc.example", "use": "oidc", "allowInsecureLoopback": true,
            "options": [
                "algorithms": ["ES256"], "issuer": .string(issuer.url),
                "clientId": .string(issuer.defaultApplication.clientID),
                "clientSecret": .string(issuer.defaultApplication.clientSecret ?? ""),
            ],
        ]
        do {
            try await TestBroker.run(plugins: [.oidc], entries: { _ in [entry] }) { try await test($0, issuer) }
            await issuer.stop()
        } catch {
            await issuer.stop()
            throw error
        }
    }

    private static func signIn(_ token: String, at broker: TestBroker) async throws -> Answer {
        try await broker.signIn(postBody: [("id_token", token), ("providerId", "oidc.example")])
    }

    @Test func `500 at once make one discovery and one key-set request`() async throws {
        let people = (0..<500).map { OpenIDSimulator.Person(subject: "subject-\($0)") }
        try await Self.run(people: people) { broker, issuer in
            let tokens = people.map { issuer.idToken(for: $0, application: issuer.defaultApplication) }
            let users = try await withThrowingTaskGroup(of: Answer.self) { group in
                for token in tokens { group.addTask { try await Self.signIn(token, at: broker) } }
                return try await group.reduce(into: Set<String>()) { users, answer in
                    #expect(answer.status == 200, "\(answer.text)")
                    users.insert(answer["localId"]?.string ?? "")
                }
            }

            #expect(users.count == 500)
            #expect(issuer.hits(.discovery) == 1)
            #expect(issuer.hits(.keys) == 1)
        }
    }

    @Test func `an issuer at a port that no entry names is not connected to`() async throws {
        let stranger = try await ForbiddenListener.start()
        try await Self.run { broker, issuer in
            let person = issuer.people()[0]
            _ = try await Self.signIn(issuer.idToken(for: person, application: issuer.defaultApplication), at: broker)
            let before = (issuer.hits(.discovery), issuer.hits(.keys))
            issuer.replaceClaim("iss", with: .string(stranger.url))
            let foreign = issuer.idToken(for: person, application: issuer.defaultApplication)
            let parts = foreign.split(separator: ".").map(String.init)
            let header: JSONValue = [
                "alg": "ES256", "kid": "unknown", "jku": .string(stranger.url + "/keys"),
                "x5u": .string(stranger.url + "/certificates"),
            ]
            let named = [Base64URL.encode(Array(header.serialized().utf8)), parts[1], parts[2]].joined(separator: ".")

            for token in [foreign, named] {
                let answer = try await Self.signIn(token, at: broker)
                #expect(answer.code == "INVALID_IDP_RESPONSE", "\(answer.text)")
            }

            #expect(stranger.hits == 0)
            #expect(issuer.hits(.discovery) == before.0 && issuer.hits(.keys) == before.1)
        }
        await stranger.stop()
    }
}
