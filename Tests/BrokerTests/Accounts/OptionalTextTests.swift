import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("values that a provider leaves out")
struct OptionalTextTests {
    /// What the text of an absent value looks like.
    private static let absent = ["Optional(", "\"nil\"", "\"null\"", "(null)", "<null>", "some(", "none)"]

    private static func expectNone(in text: String, _ what: String) {
        for word in absent { #expect(!text.contains(word), "\(what): \(word) in \(text)") }
        for part in text.split(whereSeparator: { ":/|.,\"".contains($0) }) {
            #expect(part != "nil" && part != "null" || text.contains(":null"), "\(what): \(part) in \(text)")
        }
    }

    @Test func `never become text of an identifier, in rows, records, tokens and audit`() async throws {
        try await TestProviders.run { broker, providers in
            let gitHub = providers.gitHub.add(.init(login: "bare", emails: []))
            let gitLab = try providers.person(at: "gitlab.com", email: "bare@example.com", isVerified: false)
            let apple = providers.apple.add(.init())
            let onePass = try providers.person(at: "1pass.dev", email: "bare1@example.com", isVerified: false)
            var sessions = [
                try await broker.signIn(gitHub), try await broker.signIn(gitLab),
                try await broker.signIn(postBody: AppleSignInTests.native(apple, providers)),
                try await broker.signIn(onePass), try await broker.signUp(),
            ]
            let anonymous = try await broker.signUp()
            let linked = try await broker.link(providers.gitHub.add(.init(login: "linked", emails: [])), to: anonymous)
            sessions.append(linked)
            for session in sessions {
                try #require(session.status == 200, "\(session.text)")
                let refreshed = try await broker.refresh(session.string("refreshToken"))
                Self.expectNone(in: session.text, "answer")
                Self.expectNone(in: refreshed.text, "refresh")
                Self.expectNone(
                    in: try broker.claims(of: session).serialized(), "claims")
                Self.expectNone(in: try await broker.record(session).serialized(), "record")
            }

            let call = AdminCall(broker.core.admin, origin: Origin(.admin, actor: "test"))
            let exported = try await ExportUserPage(after: nil, limit: 1000).run(for: call).users
            #expect(exported.count == sessions.count)
            for user in exported {
                let localID = try #require(user["localId"]?.string)
                Self.expectNone(in: JSONValue.object(user).serialized(), "export")
                for identity in user["providerUserInfo"]?.array ?? [] {
                    #expect(identity["rawId"]?.string?.isEmpty == false, "\(identity)")
                }
                try await broker.core.store.read { transaction in
                    for entry in try transaction.auditEntries(localID: localID, limit: 100) {
                        let parts = [
                            entry.event, entry.actor ?? "", entry.provider ?? "", entry.subjectHash ?? "",
                            entry.detail.text,
                        ]
                        Self.expectNone(in: parts.joined(separator: "|"), "audit")
                    }
                    for identity in try transaction.user(localID: localID)
                        .map({ try transaction.identities(of: $0.key) }) ?? []
                    {
                        Self.expectNone(
                            in: [identity.provider, identity.issuer, identity.subject].joined(separator: "|"),
                            "identity")
                    }
                }
            }
        }
    }
}
