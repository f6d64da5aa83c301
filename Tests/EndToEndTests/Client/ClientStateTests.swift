import BrokerClient
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import StrictJSON
import Testing

@Suite("BrokerClient knows its user", .oneEngine("BrokerClient"), .timeLimit(.minutes(20)))
struct ClientStateTests {
    @Test func `from the token answer: claims, record, provider and state, also after a restart`() async throws {
        try await NativeApp.run { app in
            var states = app.auth.states.makeAsyncIterator()
            #expect(await states.next() == .restoring)
            #expect(await states.next() == .signedOut)

            let result = try await app.auth.signIn(with: .gitHub)
            #expect(await states.next() == .signedIn(result.session))
            #expect(result.account?.identities.map(\.provider) == [.gitHub])
            let claims = result.session.claims
            #expect(claims["idp"]?.string == "github.com" && claims["sub"]?.string == result.session.userID)
            let restarted = app.restarted()
            #expect(try await restarted.restore() == result.session)
            #expect(restarted.lastKnownSession == result.session)
            try await restarted.signOut()
            #expect(await restarted.lastProvider == .gitHub)
        }
    }

    @Test func `and what becomes of a grant after the deletion of the account`() async throws {
        try await NativeApp.run { app in
            _ = try await app.auth.signIn(with: .gitHub)
            let receipt = try #require(try await app.auth.deleteAccount().first)

            let outcome = try await app.auth.outcome(of: receipt)

            #expect(receipt.state == "queued" && outcome.receipt == receipt.receipt && outcome.provider == .gitHub)
            #expect(["queued", "done"].contains(outcome.state))
            #expect(await app.auth.lastProvider == nil)
        }
    }

    @Test func `by the secret of its device, before there is an account`() async throws {
        try await NativeApp.prepare { app in
            try app.broker.signsDevicesIn()
            try await app.broker.serve { _ in
                let first = try await app.auth.bootstrapDevice()
                let again = try await app.restarted().bootstrapDevice()
                let linked = try await app.restarted().link(.gitHub)

                #expect(first.session.isAnonymous && first.isNewUser && first.provider == .onePass)
                #expect(again.session.userID == first.session.userID && !again.isNewUser)
                #expect(again.session.sessionID != first.session.sessionID)
                #expect(linked.session.userID == first.session.userID && !linked.session.isAnonymous)
                #expect(try await app.restarted().account().identities.count == 2)
            }
        }
    }

    @Test func `by a second login for sensitive calls, beside the session`() async throws {
        try await NativeApp.run { app in
            let session = try await app.auth.signIn(with: .gitLab).session
            let own = try await app.auth.accessToken()

            let token = try await app.auth.highAssuranceToken(reason: "Pay", with: .gitLab)
            let again = try await app.auth.highAssuranceToken(reason: "Pay", with: .gitLab)

            #expect(token != own && again == token && app.user.shown.count == 2)
            #expect(await app.auth.session == session, "the session goes on")
            #expect(try await app.auth.sessions().filter { $0.clientID != nil }.count == 2)
            try await app.auth.signOut()
            _ = try await app.auth.signIn(with: .gitLab)
            #expect(try await app.auth.sessions().filter { $0.clientID != nil }.count == 1, "both have ended")
        }
    }

    @Test func `whose two accounts become one, and two again`() async throws {
        try await NativeApp.run { app in
            let ada = try await app.auth.signIn(with: .gitHub).session.userID
            app.user.will(.authorize(as: "Ben"))
            let other = try await app.auth.signInToOtherAccount(with: .gitLab)
            #expect(await app.auth.session?.userID == ada && other.userID != ada)

            let preview = try await app.auth.previewMerge(with: other)
            #expect(preview.users.map(\.userID) == [ada, other.userID])
            #expect(preview.choices.allSatisfy { $0.refusal == nil })
            let merge = try await app.auth.merge(with: other, keeping: other.userID)
            #expect(merge.absorbedUserID == ada && merge.survivor.userID == other.userID)
            #expect(await app.auth.session?.userID == other.userID, "the session continues as the other user's")

            _ = try await app.auth.signIn(with: .gitLab)
            #expect(try await app.auth.merges().map(\.id) == [merge.id])
            app.user.will(.authorize(as: "Ada"))
            let proof = try await app.auth.signInToOtherAccount(with: .gitHub)
            try await app.auth.undoMerge(merge.id, with: proof)

            #expect(await app.auth.session == nil)
            #expect(try await app.auth.signIn(with: .gitHub).session.userID == ada)
        }
    }
}
