import Foundation
import ProviderSimulators
import Testing

@Suite("1Pass simulator: userinfo")
struct OnePassUserinfoTests {
    @Test(arguments: ["/oauth/userinfo", "/api/v1/oauth/userinfo"])
    func `userinfo answers at both addresses by scope`(path: String) async throws {
        try await OnePassSimulator.running { onePass in
            let ada = try onePass.named("ada")
            let full = onePass.accessToken(
                for: ada, application: onePass.defaultApplication,
                scopes: ["openid", "profile:basic", "email", "identity:level"])
            let bare = onePass.accessToken(for: ada, application: onePass.defaultApplication, scopes: ["openid"])
            let person = try await onePass.userinfo(full, path: path).json
            let subject = try await onePass.userinfo(bare, path: path).json

            #expect(person["sub"] as? String == ada.subject && person["canonical_sub"] as? String == ada.subject)
            #expect(person["is_canonical"] as? Bool == true && person["anonymous"] as? Bool == false)
            #expect(person["preferred_name"] as? String == "ada" && person["full_name"] as? String == "Ada Example")
            #expect(person["email"] as? String == "ada@example.com" && person["email_verified"] as? Bool == true)
            #expect(person["identity_verified_level"] as? Int == 2)
            #expect(subject["sub"] as? String == ada.subject)
            #expect(subject["email"] == nil && subject["preferred_name"] == nil)
        }
    }

    @Test func `dead tokens are unauthorized`() async throws {
        let clock = SimulatorClock.stopped(at: .epoch)
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let ada = try onePass.named("ada")
            let revoked = onePass.accessToken(for: ada, application: onePass.defaultApplication)
            onePass.revoke(token: revoked, of: onePass.defaultApplication)
            let old = onePass.accessToken(for: ada, application: onePass.defaultApplication)
            clock.advance(by: 900)
            let closed = onePass.accessToken(for: try onePass.named("ben"), application: onePass.defaultApplication)
            onePass.remove(personID: try onePass.named("ben").id)
            let idToken = onePass.idToken(for: ada, application: onePass.defaultApplication)

            for token in [revoked, old, closed, idToken, onePass.personalKey(for: ada), "nonsense"] {
                let answer = try await onePass.userinfo(token)
                #expect(answer.status == 401)
                #expect(answer.header("www-authenticate")?.contains("invalid_token") == true)
            }
        }
    }

    @Test func `a user without an address has a synthetic one`() async throws {
        try await OnePassSimulator.running { onePass in
            let ben = try await onePass.userinfo(
                onePass.accessToken(for: onePass.named("ben"), application: onePass.defaultApplication)
            ).json
            let nobody = try await onePass.userinfo(
                onePass.accessToken(for: onePass.nobody, application: onePass.defaultApplication)
            ).json

            #expect((ben["email"] as? String)?.wholeMatch(of: /apple\+[0-9a-f]{16}@1pass\.internal/) != nil)
            #expect((nobody["email"] as? String)?.wholeMatch(of: /anon\+[0-9a-f]{16}@1pass\.internal/) != nil)
            #expect(nobody["anonymous"] as? Bool == true && nobody["previously_anonymous"] as? Bool == true)
        }
    }

    @Test func `an anonymous user becomes known`() async throws {
        try await OnePassSimulator.running { onePass in
            let person = try onePass.nobody
            onePass.update(personID: person.id) {
                $0.isAnonymous = false
                $0.preferredName = "dora"
            }

            let claims = try await onePass.userinfo(
                onePass.accessToken(for: onePass.named("dora"), application: onePass.defaultApplication)
            ).json

            #expect(claims["anonymous"] as? Bool == false && claims["previously_anonymous"] as? Bool == true)
            #expect(claims["sub"] as? String == person.subject)
        }
    }
}
