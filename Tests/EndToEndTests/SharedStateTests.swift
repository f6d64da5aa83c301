import ProviderKit
import ProviderSimulators
import Testing

@Suite("Two brokers agree", .timeLimit(.minutes(20)))
struct SharedStateTests {
    @Test(arguments: Deed.all)
    func `what one broker does the other knows at once`(deed: Deed) async throws {
        try await TwoBrokers.start { brokers in
            let person = brokers.person("ann")
            let user = Deed.User(
                person: person, session: try .init(try await brokers.signIn(person, at: brokers.one)),
                second: try .init(try await brokers.signIn(person, at: brokers.other)))
            // Whatever the other one may remember, it has seen both sessions alive.
            for session in [user.session, user.second] {
                #expect(try await brokers.other.lookup(session.idToken).status == 200)
            }

            try await deed.act(brokers, user)

            try await deed.check(brokers, user)
        }
    }

    @Test func `two running brokers follow a rotation and a revocation of keys by themselves`() async throws {
        try await TwoBrokers.start { brokers in
            let session = try IdentityToolkitApp.Session(try await brokers.one.signUp())
            let rotated = try await brokers.installation.document(
                "keys", "rotate", "--algorithm", "ES256", "--now", "--revoke", "--yes")
            let active = try #require(
                rotated["keys"]?.array?.first { $0["algorithm"] == "ES256" && $0["state"] == "active" }?["keyId"])

            for client in [brokers.one, brokers.other] {
                // Asking takes as long as it takes; the test's time limit is the only clock.
                while try await brokers.keyIDs(at: client) != [active] {}
                #expect(try await client.lookup(session.idToken).errorCode == "INVALID_ID_TOKEN")
                #expect(try await client.refresh(session.refreshToken).status == 200)
            }
        }
    }
}

extension TwoBrokers {
    /// The ids of the published keys on elliptic curves.
    fileprivate func keyIDs(at client: IdentityToolkitApp) async throws -> [JSONValue?] {
        let keys = try await client.get("/my-app/.well-known/jwks.json").body["keys"]?.array ?? []
        return keys.filter { $0["kty"] == "EC" }.map { $0["kid"] }
    }
}
