import PostgreSQLTesting
import Testing

@testable import BrokerStore

@Suite("First-time profiles")
struct FirstTimeProfileTests {
    private static func profile(
        _ identity: IdentityKey, given: String? = nil, family: String? = nil, email: String? = nil,
        isVerified: Bool = false
    ) -> FirstTimeProfile {
        FirstTimeProfile(
            key: newKey(), identity: identity, givenName: given, familyName: family, email: email,
            isEmailVerified: isVerified, capturedAt: .noon)
    }

    @Test(arguments: TestEngine.allCases)
    func `a later profile adds claims and erases none`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = IdentityKey.sample(provider: "apple.com")
            let told = [
                Self.profile(identity, given: "Ann", email: "ann@example.com", isVerified: true),
                Self.profile(identity, family: "Example"), Self.profile(identity),
            ]

            let known = try await store.write { tx in
                for profile in told { try tx.keep(profile) }
                return try tx.firstTimeProfile(identity)
            }

            #expect(known?.givenName == "Ann" && known?.familyName == "Example")
            #expect(known?.email == "ann@example.com" && known?.isEmailVerified == true)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `another address comes with its own proof or none`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let identity = IdentityKey.sample()
            let told = [
                Self.profile(identity, email: "a@example.com", isVerified: true),
                Self.profile(identity, email: "b@example.com"),
            ]

            let known = try await store.write { tx in
                for profile in told { try tx.keep(profile) }
                return try tx.firstTimeProfile(identity)
            }

            #expect(known?.email == "b@example.com" && known?.isEmailVerified == false)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a user's are removed with the user, those of others stay`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let user = try await store.addUser()
            let (own, other) = (IdentityKey.sample(), IdentityKey.sample())
            let told = [Self.profile(own, given: "Ann"), Self.profile(other, given: "Ben")]

            let left = try await store.write { tx in
                for profile in told { try tx.keep(profile) }
                _ = try tx.insert(Identity.sample(of: user, own))
                try tx.removeFirstTimeProfiles(of: user.key)
                return [try tx.firstTimeProfile(own)?.givenName, try tx.firstTimeProfile(other)?.givenName]
            }

            #expect(left == [nil, "Ben"])
        }
    }
}
