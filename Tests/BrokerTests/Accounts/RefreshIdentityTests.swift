import Broker
import BrokerStore
import Crypto
import Foundation
import JOSE
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Identities that a provider changes while sessions last")
struct RefreshIdentityTests {
    /// A broker where two users have signed in with 1Pass by code, so that their grants can be refreshed.
    private struct Visit {
        let broker: TestBroker
        let providers: TestProviders
        let ada, ben: Answer

        var people: (ada: OnePassSimulator.Person, ben: OnePassSimulator.Person) {
            get throws { (try providers.onePass.named("ada"), try providers.onePass.named("ben")) }
        }

        static func run(
            autoMerge: Bool = true, options: JSONObject = JSONObject(),
            _ test: (Visit) async throws -> Void
        ) async throws {
            try await TestProviders.run(
                entries: { entry in
                    guard entry["id"] == "1pass.dev" else { return }
                    entry["autoMerge"] = .bool(autoMerge)
                    var members = entry["options"]?.object ?? JSONObject()
                    for (name, value) in options { members[name] = value }
                    entry["options"] = .object(members)
                },
                { broker, providers in
                    let ada = try await broker.signIn(providers.onePass.named("ada"), at: providers.onePass)
                    let ben = try await broker.signIn(providers.onePass.named("ben"), at: providers.onePass)
                    try await test(Visit(broker: broker, providers: providers, ada: ada, ben: ben))
                })
        }

        /// Lets the access tokens of all grants expire.
        func expireAccessTokens() {
            broker.clock.advance(seconds: 901)
            providers.clock.advance(by: 901)
        }
    }

    @Test func `a merge is applied by the refresh that finds it, and proven sessions go on`() async throws {
        try await Visit.run { visit in
            let (ada, ben) = try visit.people
            try await visit.providers.onePass.merge(ben, into: ada, via: .oneTimePassword)

            let early = try await visit.broker.refresh(visit.ada.string("refreshToken"))
            visit.expireAccessTokens()
            let refreshed = try await visit.broker.refresh(early.string("refresh_token"))
            let moved = try await visit.broker.refresh(visit.ben.string("refreshToken"))

            #expect(early["broker"] == nil, "the provider is not asked before the access token has expired")
            let gone = try visit.ben.string("localId")
            #expect(refreshed["broker"]?["mergedFrom"] == [.string(gone)], "\(refreshed.text)")
            #expect(refreshed["user_id"] == visit.ada["localId"] && moved["user_id"] == visit.ada["localId"])
        }
    }

    @Test func `a merge by an address ends the session of the user who goes`() async throws {
        try await Visit.run { visit in
            let (ada, ben) = try visit.people
            try await visit.providers.onePass.merge(ben, into: ada, via: .emailMatch)
            visit.expireAccessTokens()

            let refreshed = try await visit.broker.refresh(visit.ada.string("refreshToken"))

            #expect(refreshed["broker"]?["mergedFrom"]?.array?.count == 1, "\(refreshed.text)")
            #expect(try await visit.broker.refresh(visit.ben.string("refreshToken")).code == "INVALID_REFRESH_TOKEN")
        }
    }

    @Test func `without autoMerge the merge waits, and both users' sessions stay`() async throws {
        try await Visit.run(autoMerge: false) { visit in
            let (ada, ben) = try visit.people
            try await visit.providers.onePass.merge(ben, into: ada, via: .oneTimePassword)
            visit.expireAccessTokens()

            let answers = [
                try await visit.broker.refresh(visit.ada.string("refreshToken")),
                try await visit.broker.refresh(visit.ben.string("refreshToken")),
            ]

            #expect(answers.map(\.status) == [200, 200] && answers.allSatisfy { $0["broker"] == nil })
            #expect(answers[0]["user_id"] == visit.ada["localId"] && answers[1]["user_id"] == visit.ben["localId"])
            #expect(try await visit.broker.merges().count == 1)
        }
    }

    @Test func `a promotion is told by the refresh that finds it`() async throws {
        try await Visit.run(options: ["allowAnonymous": true]) { visit in
            let onePass = visit.providers.onePass
            let person = onePass.add(.init(preferredName: "dora", isAnonymous: true))
            let session = try await visit.broker.signIn(person, at: onePass)
            visit.expireAccessTokens()
            onePass.update(personID: person.id) { $0.isAnonymous = false }

            let refreshed = try await visit.broker.refresh(session.string("refreshToken"))
            let next = try await visit.broker.refresh(refreshed.string("refresh_token"))

            #expect(refreshed["broker"] == ["promoted": true], "\(refreshed.text)")
            #expect(next.status == 200 && next["broker"] == nil)
        }
    }

    @Test func `a provider that fails or hangs does not hold up the refresh, and is left alone for a while`()
        async throws
    {
        try await Visit.run { visit in
            let onePass = visit.providers.onePass
            visit.expireAccessTokens()
            onePass.fail(.token, with: .status(503))
            let first = try await visit.broker.refresh(visit.ada.string("refreshToken"))
            let asked = onePass.hits(.token)
            let second = try await visit.broker.refresh(visit.ben.string("refreshToken"))

            #expect(first.status == 200 && second.status == 200)
            #expect(onePass.hits(.token) == asked)
        }
        try await Visit.run { visit in
            let onePass = visit.providers.onePass
            let (ada, ben) = try visit.people
            try await onePass.merge(ben, into: ada, via: .oneTimePassword)
            visit.expireAccessTokens()
            let gate = SimulatorGate()
            onePass.fail(.userinfo, with: .hold(at: gate))

            let answer = try await visit.broker.refresh(visit.ada.string("refreshToken"))
            gate.open()

            #expect(answer.status == 200 && answer["broker"] == nil)
            let gone = try visit.ben.string("localId")
            while try await visit.broker.user(gone) != nil { await Task.yield() }
            #expect(try await visit.broker.refresh(answer.string("refresh_token"))["broker"] != nil)
        }
    }
}

extension OnePassSimulator {
    fileprivate func named(_ name: String) throws -> Person {
        guard let person = person(named: name) else { throw TestFailure("no person \(name)") }
        return person
    }
}

extension TestBroker {
    /// Signs a person in with a code of a simulated 1Pass.
    fileprivate func signIn(_ person: OnePassSimulator.Person, at onePass: OnePassSimulator) async throws -> Answer {
        let verifier = RandomText.secret()
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        let application = onePass.defaultApplication
        let code = onePass.authorizationCode(for: person, application: application, codeChallenge: challenge)
        return try await signIn(postBody: [
            ("code", code), ("code_verifier", verifier), ("redirect_uri", application.redirectURIs.first ?? ""),
            ("providerId", "1pass.dev"),
        ])
    }
}
