import Broker
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators

/// A user with an account at one of the providers, and new credentials for it.
struct TestPerson: Sendable {
    let provider: String
    /// The provider's subject.
    let subject: String
    /// What the provider's consent page calls the user.
    let account: String
    /// The fields of a `postBody` that prove who it is, each time anew.
    let credential: @Sendable () -> [(String, String)]
}

extension TestProviders {
    /// A new person at a provider, whose address it has verified or not.
    func person(at provider: String, email: String, isVerified: Bool = true) throws -> TestPerson {
        switch provider {
        case "github.com": gitHubPerson(email, isVerified)
        case "gitlab.com": gitLabPerson(email, isVerified)
        case "apple.com": applePerson(email, isVerified)
        case "1pass.dev": onePassPerson(email, isVerified)
        default: throw TestFailure("no provider \(provider)")
        }
    }

    private func gitHubPerson(_ email: String, _ isVerified: Bool) -> TestPerson {
        let person = gitHub.add(
            .init(login: RandomText.alphanumeric(12), emails: [.init(address: email, verified: isVerified)]))
        return TestPerson(provider: "github.com", subject: String(person.id), account: String(person.id)) { [gitHub] in
            [
                ("access_token", gitHub.accessToken(for: person, application: gitHub.defaultApplication)),
                ("providerId", "github.com"),
            ]
        }
    }

    private func gitLabPerson(_ email: String, _ isVerified: Bool) -> TestPerson {
        let person = gitLab.add(
            .init(
                username: RandomText.alphanumeric(12), email: email,
                confirmedAt: isVerified ? Date(timeIntervalSince1970: 1_500_000_000) : nil))
        return TestPerson(provider: "gitlab.com", subject: String(person.id), account: String(person.id)) { [gitLab] in
            [
                ("access_token", gitLab.accessToken(for: person, application: gitLab.defaultApplication)),
                ("providerId", "gitlab.com"),
            ]
        }
    }

    private func applePerson(_ email: String, _ isVerified: Bool) -> TestPerson {
        let person = apple.add(.init(givenName: "Ann", email: email, isEmailVerified: isVerified))
        return TestPerson(
            provider: "apple.com", subject: apple.subject(of: person, for: apple.nativeApplication), account: person.id
        ) { [apple] in
            let nonce = RandomText.alphanumeric(32)
            let native = apple.nativeCredential(for: person, application: apple.nativeApplication, rawNonce: nonce)
            return [("id_token", native.idToken), ("providerId", "apple.com"), ("nonce", nonce)]
        }
    }

    private func onePassPerson(_ email: String, _ isVerified: Bool) -> TestPerson {
        let person = onePass.add(.init(preferredName: "Ann", email: .init(email, verified: isVerified)))
        return TestPerson(provider: "1pass.dev", subject: person.subject, account: person.subject) { [onePass] in
            let nonce = RandomText.alphanumeric(32)
            let tokens = onePass.tokens(for: person, application: onePass.defaultApplication, nonce: nonce)
            return [
                ("id_token", tokens.idToken ?? ""), ("access_token", tokens.accessToken), ("nonce", nonce),
                ("providerId", "1pass.dev"),
            ]
        }
    }
}

extension TestBroker {
    /// Signs a user in, or with a session's `idToken` links them.
    func signIn(
        _ person: TestPerson, linkingTo session: Answer? = nil, createsUser: Bool = true
    ) async throws -> Answer {
        var extra = JSONObject()
        if let session { extra["idToken"] = .string(try session.string("idToken")) }
        if !createsUser { extra["autoCreate"] = false }
        return try await signIn(postBody: person.credential(), extra: extra)
    }
}
