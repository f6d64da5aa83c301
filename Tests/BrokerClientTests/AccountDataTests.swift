import BrokerClient
import Foundation
import StrictJSON
import Synchronization
import Testing

@Suite("Merged and promoted users", .timeLimit(.minutes(2)))
struct AccountDataTests {
    /// Writes down the calls, and fails as a test says.
    private final class Recorder: AccountDataHandler {
        struct Failure: Error {}

        private let state = Mutex<(calls: [String], failing: Set<String>)>(([], []))
        let storage = MemoryStorage()

        var calls: [String] { state.withLock { $0.calls } }
        func fail(_ names: Set<String>) { state.withLock { $0.failing = names } }

        func migrate(from oldUserID: String, to userID: String) async throws {
            try note("migrate", "\(oldUserID)>\(userID)")
        }
        func absorb(_ subjects: [String], into userID: String) async throws {
            try note("absorb", "\(subjects.joined(separator: ","))>\(userID)")
        }
        func uploadAnonymousData(of userID: String) async throws { try note("upload", userID) }

        private func note(_ name: String, _ detail: String) throws {
            let fails = state.withLock { state in
                state.calls.append("\(name) \(detail)")
                return state.failing.contains(name)
            }
            if fails { throw Failure() }
        }
    }

    private static func merged(_ broker: StandInBroker, _ clock: TestClock) throws -> JSONObject {
        var tokens = try broker.tokens(of: "survivor", at: clock.now)
        tokens["broker"] = ["mergedFrom": ["anonymous-1", "third"], "promoted": true]
        return tokens
    }

    /// An anonymous user that the next refresh merges into another user.
    private static func run(_ body: (TestApp, Recorder) async throws -> Void) async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try TestApp(broker, storage: recorder.storage, accountData: recorder)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                return call.form["grant_type"] == "refresh_token"
                    ? .json(try merged(broker, app.clock)) : .json(try broker.tokens(of: "anonymous-1"))
            }
            let result = try await app.auth.signInAnonymously()
            #expect(result.session.isAnonymous && result.isNewUser && recorder.calls.isEmpty)
            try await body(app, recorder)
        }
    }

    private static let order = ["migrate anonymous-1>survivor", "absorb third>survivor", "upload survivor"]

    @Test func `data is migrated, absorbed and uploaded in this order, once`() async throws {
        try await Self.run { app, recorder in
            var events = app.auth.events.makeAsyncIterator()

            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            _ = try await app.auth.restore()

            #expect(recorder.calls == Self.order)
            let session = try #require(await app.auth.session)
            #expect(session.userID == "survivor" && !session.isAnonymous)
            #expect(await events.next() == .refreshed(session))
            #expect(await events.next() == .merged(from: "anonymous-1", into: "survivor"))
            #expect(await events.next() == .merged(from: "third", into: "survivor"))
        }
    }

    @Test(arguments: [("migrate", 1), ("absorb", 2), ("upload", 3)])
    func `what failed is repeated at the next start, and nothing before it`(step: String, calls: Int) async throws {
        try await Self.run { app, recorder in
            recorder.fail([step])
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            let before = recorder.calls.count

            // Another process: all it knows is the storage.
            recorder.fail([])
            let next = try TestApp(app.broker, storage: recorder.storage, accountData: recorder)
            let session = try await next.auth.restore()

            let (done, failed) = (recorder.calls[..<(calls - 1)], recorder.calls[(calls - 1)..<before])
            #expect(Array(done) == Array(Self.order[..<(calls - 1)]))
            #expect(!failed.isEmpty && failed.allSatisfy { $0 == Self.order[calls - 1] })
            #expect(Array(recorder.calls[before...]) == Array(Self.order[(calls - 1)...]))
            #expect(session?.userID == "survivor")
        }
    }

    @Test func `the mark of anonymous data is cleared after the upload only`() async throws {
        try await Self.run { app, recorder in
            recorder.fail(["upload"])
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            let pending = recorder.storage.text
            recorder.fail([])
            _ = try await app.auth.restore()

            #expect(pending.contains(#""hasAnonymousData":true"#))
            #expect(recorder.storage.text.contains(#""hasAnonymousData":false"#))
        }
    }

    @Test func `an anonymous user who signs in brings the data along`() async throws {
        try await Self.run { app, recorder in
            app.broker.answer { call in
                call.path == "/oauth/token" ? .json(try app.broker.tokens(of: "known-user")) : nil
            }

            let result = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))

            #expect(recorder.calls == ["migrate anonymous-1>known-user", "upload known-user"])
            #expect(result.session.userID == "known-user")
            #expect(app.broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-1"])
        }
    }

    @Test func `another user who signs in does not inherit the data`() async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try await TestApp.signedIn(broker, storage: recorder.storage, accountData: recorder)
            broker.answer { call in call.path == "/oauth/token" ? .json(try broker.tokens(of: "user-2")) : nil }

            _ = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))

            #expect(recorder.calls.isEmpty)
            #expect(await app.auth.session?.userID == "user-2")
        }
    }

    @Test func `another user does not inherit what a former anonymous user has still to upload`() async throws {
        try await Self.run { app, recorder in
            recorder.fail(["upload"])
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            recorder.fail([])
            let before = recorder.calls.count
            app.broker.answer { call in
                call.path == "/oauth/token" ? .json(try app.broker.tokens(of: "user-2")) : nil
            }

            _ = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))

            #expect(recorder.calls.dropFirst(before).isEmpty, "\(recorder.calls)")
            #expect(await app.auth.session?.userID == "user-2")
        }
    }

    @Test func `the same user who signs in again goes on with what is left to do`() async throws {
        try await Self.run { app, recorder in
            recorder.fail(["migrate"])
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            recorder.fail([])
            let before = recorder.calls.count
            app.broker.answer { call in
                call.path == "/oauth/token" ? .json(try app.broker.tokens(of: "survivor")) : nil
            }

            _ = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))

            #expect(Array(recorder.calls.dropFirst(before)) == Self.order)
        }
    }

    @Test func `a link keeps refresh token and user, and promotes an anonymous one`() async throws {
        try await Self.run { app, recorder in
            app.broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                var tokens = try app.broker.tokens(of: "anonymous-1")
                tokens["refresh_token"] = nil
                return .json(tokens)
            }

            let result = try await app.auth.link(.idToken("t", of: .gitLab, nonce: SignInNonce()))

            let form = try #require(app.broker.calls(of: "/oauth/token").last?.form)
            #expect(form["prompt"] == "link" && form["actor_token"] == "access-1")
            #expect(result.session.userID == "anonymous-1" && !result.session.isAnonymous && !result.isNewUser)
            #expect(recorder.calls == ["upload anonymous-1"])
            #expect(recorder.storage.text.contains("refresh-1"))
        }
    }

    @Test func `a reauthentication of another user changes nothing`() async throws {
        try await Self.run { app, recorder in
            app.broker.answer { call in
                call.path == "/oauth/token" ? .json(try app.broker.tokens(of: "another")) : nil
            }

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.reauthenticate(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            }

            #expect(thrown == .server(code: "USER_MISMATCH", message: "Another user authenticated."))
            #expect(await app.auth.session?.userID == "anonymous-1" && recorder.calls.isEmpty)
            #expect(app.broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-2"])
        }
    }
}
