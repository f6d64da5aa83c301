import BrokerClient
import Foundation
import StrictJSON
import Synchronization
import Testing

@Suite("Merged and promoted users", .timeLimit(.minutes(20)))
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
        func separate(_ otherUserID: String, from userID: String) async throws {
            try note("separate", "\(otherUserID)|\(userID)")
        }

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

    private static func anonymous(_ broker: StandInBroker) throws -> JSONObject {
        var tokens = try broker.tokens(of: "anonymous-1")
        (tokens["is_new_user"], tokens["provider"]) = (true, "anonymous")
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
                    ? .json(try merged(broker, app.clock)) : .json(try anonymous(broker))
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

    /// Tokens of a user, with what the broker says about merges.
    private static func tokens(
        of user: String, _ broker: StandInBroker, _ clock: TestClock, mergedFrom: [String] = [], unmerged: [String] = []
    ) throws -> JSONObject {
        var tokens = try broker.tokens(of: user, at: clock.now)
        tokens["broker"] = [
            "mergedFrom": .array(mergedFrom.map(JSONValue.string)), "unmerged": .array(unmerged.map(JSONValue.string)),
        ]
        return tokens
    }

    @Test func `a session goes on with a merge token, and the data of this device moves`() async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try await TestApp.signedIn(broker, storage: recorder.storage, accountData: recorder)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                switch call.form["grant_type"] {
                case "refresh_token":
                    return .json(["error": "invalid_grant", "merge_token": "mt1_once"], status: 400)
                case "urn:broker:oauth:grant-type:merge":
                    return .json(try Self.tokens(of: "survivor", broker, app.clock, mergedFrom: ["user-1"]))
                default: return nil
                }
            }

            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()

            let forms = broker.calls(of: "/oauth/token").map(\.form).suffix(2)
            #expect(forms.first?["accept_merge"] == "true" && forms.last?["merge_token"] == "mt1_once")
            #expect(await app.auth.session?.userID == "survivor")
            #expect(recorder.calls == ["migrate user-1>survivor"])
        }
    }

    @Test func `a merge token that the broker refuses ends the session`() async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try await TestApp.signedIn(broker, storage: recorder.storage, accountData: recorder)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                var refusal: JSONObject = ["error": "invalid_grant"]
                if call.form["grant_type"] == "refresh_token" { refusal["merge_token"] = "mt1_once" }
                return .json(refusal, status: 400)
            }

            let ended = await failure { () async throws(BrokerAuthError) in
                try await app.auth.accessToken(forcingRefresh: true)
            }

            #expect(ended == .signedOut && recorder.calls.isEmpty)
        }
    }

    @Test func `data is migrated at the next sign-in after the session has ended`() async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try await TestApp.signedIn(broker, storage: recorder.storage, accountData: recorder)
            try await app.auth.signOut()
            broker.answer { call in
                call.path == "/oauth/token"
                    ? .json(try Self.tokens(of: "survivor", broker, app.clock, mergedFrom: ["user-1", "other"])) : nil
            }

            // Another process, long after: all it knows is the storage.
            let later = try TestApp(broker, storage: recorder.storage, accountData: recorder)
            _ = try await later.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            _ = try await later.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))

            #expect(recorder.calls == ["migrate user-1>survivor", "absorb other>survivor"])
        }
    }

    @Test func `what the broker names in each answer is done once`() async throws {
        try await Self.run { app, recorder in
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            for _ in 1...3 {
                _ = try await app.auth.accessToken(forcingRefresh: true)
                _ = try await app.auth.restore()
            }

            // The stand-in names a promotion in each answer too, which a broker does once.
            #expect(recorder.calls.filter { !$0.hasPrefix("upload") } == Array(Self.order.dropLast()))
        }
    }

    @Test func `an undone merge is told to a device that has moved data, and merging again moves it again`()
        async throws
    {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try await TestApp.signedIn(broker, storage: recorder.storage, accountData: recorder)
            func signIn(_ user: String, mergedFrom: [String] = [], unmerged: [String] = []) async throws {
                broker.answer { call in
                    call.path == "/oauth/token"
                        ? .json(
                            try Self.tokens(of: user, broker, app.clock, mergedFrom: mergedFrom, unmerged: unmerged))
                        : nil
                }
                _ = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            }

            try await signIn("survivor", mergedFrom: ["user-1"])
            try await signIn("survivor", unmerged: ["user-1", "never-here"])
            try await signIn("user-1", unmerged: ["survivor"])
            try await signIn("survivor", mergedFrom: ["user-1"])

            #expect(
                recorder.calls == [
                    "migrate user-1>survivor", "separate user-1|survivor", "separate survivor|user-1",
                    "migrate user-1>survivor",
                ])
        }
    }

    @Test func `an item of an earlier version of the library keeps what is left to do`() async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try TestApp(broker, storage: recorder.storage, accountData: recorder)
            let item = #"""
                {"userID":"survivor","refreshToken":"r","isEmailVerified":false,"scopes":[],"isAnonymous":false,
                "localUserID":"user-1","toAbsorb":["third"],"hasAnonymousData":true}
                """#
            recorder.storage.put(
                StoredItem(key: .session(of: app.auth.configuration), content: Data(item.utf8)))

            _ = try await app.auth.restore()
            _ = try await app.auth.restore()

            #expect(recorder.calls == ["migrate user-1>survivor", "absorb third>survivor", "upload survivor"])
        }
    }

    @Test func `a process that ends between data and session moves nothing twice and loses nothing`() async throws {
        try await StandInBroker.run { broker in
            let recorder = Recorder()
            let app = try await TestApp.signedIn(broker, storage: recorder.storage, accountData: recorder)
            let session = try #require(recorder.storage.items.first)
            broker.answer { call in
                call.path == "/oauth/token"
                    ? .json(try Self.tokens(of: "survivor", broker, app.clock, mergedFrom: ["user-1"])) : nil
            }
            recorder.fail(["migrate"])
            _ = try await app.auth.accessToken(forcingRefresh: true)
            _ = try await app.auth.restore()
            recorder.fail([])
            let before = recorder.calls.count

            // The data was stored, the session was not.
            recorder.storage.put(session)
            let next = try TestApp(broker, storage: recorder.storage, accountData: recorder)
            _ = try await next.auth.restore()
            #expect(recorder.calls.count == before, "the session is still the absorbed user's")
            _ = try await next.auth.accessToken(forcingRefresh: true)
            _ = try await next.auth.restore()

            #expect(recorder.calls.dropFirst(before) == ["migrate user-1>survivor"])
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

            #expect(thrown == .userMismatch)
            #expect(await app.auth.session?.userID == "anonymous-1" && recorder.calls.isEmpty)
            #expect(app.broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-2"])
        }
    }
}
