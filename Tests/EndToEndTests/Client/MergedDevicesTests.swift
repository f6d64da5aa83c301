import BrokerClient
import Foundation
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

/// One user with three devices: `BrokerClient` in a first-party app, the refresh token that Firebase's SDKs hold, and a
/// client that is no first-party one.
@Suite("A merge with three devices of one user", .timeLimit(.minutes(20 + CrashRounds.count / 4)))
struct MergedDevicesTests {
    /// Writes down the calls.
    final class Recorder: AccountDataHandler {
        private let state = Mutex<[String]>([])
        var calls: [String] { state.withLock { $0 } }

        func migrate(from oldUserID: String, to userID: String) async throws { note("migrate \(oldUserID)>\(userID)") }
        func absorb(_ subjects: [String], into userID: String) async throws { note("absorb \(subjects)>\(userID)") }
        func uploadAnonymousData(of userID: String) async throws { note("upload \(userID)") }
        func separate(_ other: String, from userID: String) async throws { note("separate \(other)|\(userID)") }

        private func note(_ call: String) { state.withLock { $0.append(call) } }
    }

    /// The accounts at the provider, and the users that they lead to.
    private struct People {
        let old, new: OnePassSimulator.Person
        let names: (old: String, new: String)

        init(_ onePass: OnePassSimulator) {
            names = ("old-\(randomText())", "new-\(randomText())")
            old = onePass.add(.init(preferredName: names.old))
            new = onePass.add(.init(preferredName: names.new))
        }
    }

    /// Lets the provider merge the accounts by a proof, another device report it, and an administrator approve it.
    private static func merge(_ people: People, _ app: NativeApp) async throws -> (survivor: String, merge: String) {
        let other = app.onAnotherDevice(as: people.names.new)
        let survivor = try await other.auth.signIn(with: .onePass).session.userID
        try await app.broker.providers.onePass.merge(people.old, into: people.new, via: .sessionToken)
        _ = try await other.auth.signIn(with: .onePass)
        let waiting = try await app.broker.document("merges", "list")["merges"]?.array
        let id = try #require(waiting?.first?["id"]?.string, "\(waiting ?? [])")
        _ = try await app.broker.document("merges", "approve", id, "--yes")
        return (survivor, id)
    }

    private static func signIn(_ person: OnePassSimulator.Person, _ broker: HostedBroker) async throws -> String {
        let onePass = broker.providers.onePass
        let token = onePass.accessToken(for: person, application: onePass.defaultApplication)
        let answer = try await broker.client.signIn([("access_token", token)], provider: ProviderID.onePass.rawValue)
        return try #require(answer.body["refreshToken"]?.string, "\(answer)")
    }

    @Test func `reaches each of them, once, and so does its undo`() async throws {
        let (first, plain, later) = (Recorder(), Recorder(), Recorder())
        try await NativeApp.run(accountData: first) { app in
            let people = People(app.broker.providers.onePass)
            app.user.will(.authorize(as: people.names.old))
            let absorbed = try await app.auth.signIn(with: .onePass).session.userID
            let firebase = try await Self.signIn(people.old, app.broker)
            let other = try await app.ofAnotherClient(as: people.names.old, accountData: plain)
            #expect(try await other.auth.signIn(with: .onePass).session.userID == absorbed)
            // A fourth one was signed out long before.
            let former = app.onAnotherDevice(as: people.names.old, accountData: later)
            _ = try await former.auth.signIn(with: .onePass)
            try await former.auth.signOut()

            let (survivor, id) = try await Self.merge(people, app)
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            let refreshed = try await app.broker.client.refresh(firebase).body
            let ended = await refusal { try await other.auth.accessToken(forcingRefresh: true) }
            for device in [other, former] {
                device.user.will(.authorize(as: people.names.new))
                _ = try await device.auth.signIn(with: .onePass)
            }

            #expect(await app.auth.session?.userID == survivor && survivor != absorbed)
            #expect(app.user.shown.count == 1, "without a login")
            #expect(refreshed["user_id"]?.string == survivor, "\(refreshed)")
            #expect(refreshed["broker"]?["mergedFrom"] == [.string(absorbed)], "\(refreshed)")
            #expect(ended == .signedOut)
            for device in [app.auth, other.auth, former.auth] {
                _ = try await device.accessToken(forcingRefresh: true)
                _ = try await device.restore()
            }
            for recorder in [first, plain, later] {
                #expect(recorder.calls == ["migrate \(absorbed)>\(survivor)"])
            }
            let deletion = await refusal { try await app.auth.deleteAccount() }
            #expect(deletion == .recentLoginRequired)

            _ = try await app.broker.document("merges", "undo", id, "--yes")
            #expect(await refusal { try await app.auth.accessToken(forcingRefresh: true) } == .signedOut)
            app.user.will(.authorize(as: people.names.new))
            #expect(try await app.auth.signIn(with: .onePass).session.userID == survivor)
            #expect(first.calls.last == "separate \(absorbed)|\(survivor)", "\(first.calls)")
        }
    }

    @Test func `loses no device when broker and apps are killed on the way`() async throws {
        let recorder = Recorder()
        try await NativeApp.prepare(accountData: recorder) { app in
            for round in 0..<CrashRounds.count * 2 {
                let before = recorder.calls.count
                let people = People(app.broker.providers.onePass)
                app.user.will(.authorize(as: people.names.old))
                let (absorbed, survivor) = try await app.broker.serve { process in
                    try? await app.restarted().signOut()
                    let absorbed = try await app.restarted().signIn(with: .onePass).session.userID
                    let (survivor, _) = try await Self.merge(people, app)
                    // A process of the app that is killed stores nothing any more; the broker may have committed.
                    async let lost: String? = try? await app.restarted(accountData: recorder)
                        .accessToken(forcingRefresh: true)
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
                    process.kill()
                    _ = try await process.exitCode()
                    _ = await lost
                    return (absorbed, survivor)
                }
                try await app.broker.serve { _ in
                    let auth = app.restarted(accountData: recorder)
                    _ = try await auth.accessToken(forcingRefresh: true)
                    _ = try await auth.restore()
                    #expect(await auth.session?.userID == survivor, "round \(round)")
                }
                #expect(Set(recorder.calls.dropFirst(before)) == ["migrate \(absorbed)>\(survivor)"], "round \(round)")
            }
            _ = try await app.broker.document("store", "verify")
        }
    }
}
