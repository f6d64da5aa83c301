import BrokerClient
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("BrokerClient manages the own account", .oneEngine("BrokerClient"), .timeLimit(.minutes(20)))
struct ClientAccountTests {
    @Test func `sessions are listed, and one ends another`() async throws {
        try await NativeApp.run { app in
            let first = try await app.auth.signIn(with: .gitHub)
            let other = app.onAnotherDevice(as: "Ada")
            _ = try await other.auth.signIn(with: .gitHub)
            var events = other.auth.events.makeAsyncIterator()

            let sessions = try await app.auth.sessions().filter { $0.clientID != nil }
            #expect(sessions.filter(\.isCurrent).map(\.id) == [first.session.sessionID])
            let another = try #require(sessions.first { !$0.isCurrent })
            #expect(another.createdAt != nil && another.signInProvider == .gitHub)
            try await app.auth.signOut(sessionID: another.id)

            #expect(await refusal { try await other.auth.accessToken(forcingRefresh: true) } == .signedOut)
            #expect(await events.next() == .signedOut(.endedByBroker))
            let unknown = await refusal { try await app.auth.signOut(sessionID: another.id + "x") }
            #expect(unknown == .sessionNotFound)
        }
    }

    @Test func `signing out everywhere ends every session`() async throws {
        try await NativeApp.run { app in
            _ = try await app.auth.signIn(with: .gitHub)
            let other = app.onAnotherDevice(as: "Ada")
            _ = try await other.auth.signIn(with: .gitHub)

            try await app.auth.signOutEverywhere()

            #expect(await app.auth.session == nil)
            #expect(await refusal { try await other.auth.accessToken(forcingRefresh: true) } == .signedOut)
        }
    }

    @Test func `the profile is changed, and the next ID token says so`() async throws {
        try await NativeApp.run { app in
            _ = try await app.auth.signIn(with: .gitHub)

            let changed = try await app.auth.updateAccount(displayName: "Countess")
            _ = try await app.auth.idToken(forcingRefresh: true)

            #expect(changed.displayName == "Countess")
            #expect(await app.auth.session?.name == "Countess")
            let removed = try await app.auth.updateAccount(removing: [.displayName])
            #expect(removed.displayName == nil)
        }
    }

    @Test func `two processes refresh with one token between them`() async throws {
        try await NativeApp.run { app in
            _ = try await app.auth.signIn(with: .gitHub)
            let other = app.restarted()
            _ = try await other.restore()

            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        try await (number.isMultiple(of: 2) ? app.auth : other).accessToken(forcingRefresh: true)
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }

            #expect(!tokens.isEmpty && tokens.count <= 2)
            #expect(try await app.auth.account().userID == other.account().userID)
        }
    }

    @Test func `a user of Apple is deleted with a code, and the deletion without one is refused`() async throws {
        try await NativeApp.run { app in
            _ = try await app.auth.signIn(with: app.appleCredential(for: "Ada", withCode: false))
            let refused = await refusal { try await app.auth.deleteAccount(appleAuthorizationCode: "c.used") }
            #expect(refused == .tokenCreationFailed("APPLE_CODE_EXPIRED"))
            #expect(await app.auth.session != nil)
            let apple = app.broker.providers.apple
            let code = apple.nativeCredential(
                for: try #require(apple.person(givenName: "Ada")), application: apple.nativeApplication
            ).authorizationCode

            let withdrawals = try await app.auth.deleteAccount(appleAuthorizationCode: code)

            #expect(withdrawals.map(\.provider) == [.apple] && withdrawals.map(\.state) == ["queued"])
            #expect(await app.auth.session == nil)
            #expect(try await app.restarted().restore() == nil)
            #expect(try await app.broker.document("users", "list")["users"]?.array?.isEmpty ?? true)
        }
    }

    /// Writes down the calls.
    private final class Recorder: AccountDataHandler {
        private let state = Mutex<[String]>([])
        var calls: [String] { state.withLock { $0 } }

        func migrate(from oldUserID: String, to userID: String) async throws { note("migrate \(oldUserID)>\(userID)") }
        func absorb(_ subjects: [String], into userID: String) async throws { note("absorb \(subjects)>\(userID)") }
        func uploadAnonymousData(of userID: String) async throws { note("upload \(userID)") }

        private func note(_ call: String) { state.withLock { $0.append(call) } }
    }

    @Test func `users that 1Pass merges become one on this device too`() async throws {
        let recorder = Recorder()
        try await NativeApp.run(accountData: recorder) { app in
            let onePass = app.broker.providers.onePass
            let names = (old: "old-\(randomText())", new: "new-\(randomText())")
            let old = onePass.add(.init(preferredName: names.old))
            let new = onePass.add(.init(preferredName: names.new))
            app.user.will(.authorize(as: names.old))
            let absorbed = try await app.auth.signIn(with: .onePass).session.userID
            let other = app.onAnotherDevice(as: names.new)
            let survivor = try await other.auth.signIn(with: .onePass).session.userID
            try await onePass.merge(old, into: new)
            _ = try await other.auth.signIn(with: .onePass)
            let waiting = try await app.broker.document("merges", "list")["merges"]?.array
            _ = try await app.broker.document(
                "merges", "approve", try #require(waiting?.first?["id"]?.string), "--yes")
            var events = app.auth.events.makeAsyncIterator()

            // No credential has proven this merge, so the sessions of the absorbed user have ended.
            let ended = await refusal { try await app.auth.accessToken(forcingRefresh: true) }
            app.user.will(.authorize(as: names.new))
            let session = try await app.auth.signIn(with: .onePass).session

            #expect(ended == .signedOut && session.userID == survivor && survivor != absorbed)
            #expect(recorder.calls == ["migrate \(absorbed)>\(survivor)"])
            #expect(await events.next() == .signedOut(.endedByBroker))
            #expect(await events.next() == .merged(from: absorbed, into: survivor))
            #expect(await events.next() == .signedIn(session))
        }
    }
}
