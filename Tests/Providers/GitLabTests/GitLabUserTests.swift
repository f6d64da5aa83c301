import Foundation
import GitLab
import ProviderKit
import ProviderSimulators
import Testing

@Suite("GitLab: users, addresses and installations")
struct GitLabUserTests {
    @Test func `an unconfirmed primary address is unverified`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let token = installation.gitlab.accessToken(for: ada, application: installation.application)
            installation.gitlab.update(personID: ada.id) { $0.confirmedAt = nil }
            let identity = try await installation.provider.verify(Credential(.accessToken(token)))
            #expect(identity.email == .init("ada@example.com", isVerified: false))
        }
    }

    @Test func `the primary address is used, not the public one`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            installation.gitlab.update(personID: ada.id) { $0.publicEmail = "shown@example.test" }
            let identity = try await installation.provider.verify(installation.code())
            #expect(identity.email?.address == "ada@example.com")
        }
    }

    @Test(arguments: GitLabSimulator.Person.State.allCases.filter { $0 != .active })
    func `an unusable account does not sign in`(state: GitLabSimulator.Person.State) async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let token = installation.gitlab.accessToken(for: ada, application: installation.application)
            let identityOnly = installation.gitlab.accessToken(
                for: ada, application: installation.application, scopes: ["openid"])
            installation.gitlab.update(personID: ada.id) { $0.state = state }

            for token in [token, identityOnly] {
                #expect(await installation.refusal(of: Credential(.accessToken(token)))?.fault == .credential)
            }
        }
    }

    @Test(arguments: [#""state":"blocked""#, #""state":"active","locked":true"#, #""locked":false"#])
    func `a profile that does not call the account active is refused`(outcome: String) async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let token = installation.gitlab.accessToken(for: ada, application: installation.application)
            let profile = #"{"id":\#(ada.id),"username":"ada",\#(outcome)}"#
            installation.gitlab.fail(.user, with: .status(200, body: profile, contentType: "application/json"))
            #expect(await installation.refusal(of: Credential(.accessToken(token))) != nil)
        }
    }

    @Test func `a locked account does not sign in`() async throws {
        try await Installation.running { installation in
            let code = try installation.code()
            installation.gitlab.update(personID: try installation.ada.id) { $0.isLocked = true }
            #expect(await installation.refusal(of: code)?.fault == .credential)
        }
    }

    @Test func `a renamed user keeps the subject`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let before = try await installation.provider.verify(installation.code())
            let token = installation.gitlab.accessToken(for: ada, application: installation.application)
            installation.gitlab.update(personID: ada.id) { $0.username = "countess" }
            let after = try await installation.provider.verify(Credential(.accessToken(token)))
            #expect(after.subject == before.subject && after.screenName == "countess")
        }
    }

    @Test func `one number at two installations is two users, and tokens are not interchangeable`() async throws {
        let ada = GitLabSimulator.Person(id: 42, username: "ada", email: "ada@example.com")
        let eve = GitLabSimulator.Person(id: 42, username: "eve", email: "eve@example.com")
        // The operator of the second installation may even register a client of the same name.
        let application = GitLabSimulator.Application()
        try await Installation.running(.init(application: application, people: [ada])) { first in
            try await Installation.running(.init(pathPrefix: "/gitlab", application: application, people: [eve])) {
                second in
                let here = first.gitlab.accessToken(for: ada, application: application)
                let there = second.gitlab.accessToken(for: eve, application: application)
                let left = try await first.provider.verify(Credential(.accessToken(here)))
                let right = try await second.provider.verify(Credential(.accessToken(there)))

                #expect(left.subject == "42" && right.subject == "42")
                #expect(first.provider.instance != second.provider.instance)
                #expect(second.provider.instance.hasSuffix("/gitlab"))
                #expect(await first.refusal(of: Credential(.accessToken(there)))?.fault == .credential)
                let foreign = second.gitlab.idToken(for: eve, application: application)
                #expect(await first.refusal(of: Credential(.idToken(.init(token: foreign))))?.fault == .credential)
            }
        }
    }

    @Test func `an installation below a path signs users in`() async throws {
        try await Installation.running(.init(pathPrefix: "/gitlab")) { installation in
            let identity = try await installation.provider.verify(installation.code())
            #expect(identity.email?.isVerified == true)
        }
    }

    @Test func `a picture that names no host is at the installation`() async throws {
        try await Installation.running(.init(pathPrefix: "/gitlab")) { installation in
            let ada = try installation.ada
            installation.gitlab.update(personID: ada.id) { $0.avatarURL = "/gitlab/uploads/ada.png" }
            let identity = try await installation.provider.verify(installation.code())
            #expect(identity.pictureURL == installation.gitlab.url + "/uploads/ada.png")
        }
    }
}
