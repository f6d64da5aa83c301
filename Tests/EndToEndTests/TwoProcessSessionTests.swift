import PostgreSQLTesting
import ProviderKit
import Testing

@Suite("Two brokers and one session", .timeLimit(.minutes(30)))
struct TwoProcessSessionTests {
    /// What a session's refresh came to.
    private static func renewed(_ answer: IdentityToolkitApp.Answer, of session: IdentityToolkitApp.Session) throws
        -> IdentityToolkitApp.Session
    {
        try #require(answer.status == 200, "\(answer)")
        return IdentityToolkitApp.Session(
            localID: session.localID, idToken: try #require(answer.body["id_token"]?.string),
            refreshToken: try #require(answer.body["refresh_token"]?.string))
    }

    private static func isDead(_ session: IdentityToolkitApp.Session, at client: IdentityToolkitApp) async throws
        -> Bool
    {
        let found = try await client.lookup(session.idToken)
        let refreshed = try await client.refresh(session.refreshToken)
        return found.errorCode == "TOKEN_EXPIRED" && refreshed.errorCode == "TOKEN_EXPIRED"
    }

    @Test(arguments: TestEngine.allCases)
    func `refresh with one token at both: it has one successor`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let session = try IdentityToolkitApp.Session(await brokers.one.signUp())

            let answers = try await brokers.both {
                try await $0.refresh(session.refreshToken)
            } _: {
                try await $0.refresh(session.refreshToken)
            }

            let renewed = try answers.map { try Self.renewed($0, of: session) }
            #expect(renewed[0].refreshToken == renewed[1].refreshToken, "\(login)")
            #expect(renewed[0].refreshToken != session.refreshToken, "\(login)")
            let next = try await brokers.other.refresh(renewed[0].refreshToken)
            #expect(next.status == 200, "\(login): \(next)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a stolen ancestor at one while the other refreshes: the session is revoked at both`(
        on engine: TestEngine
    ) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let first = try IdentityToolkitApp.Session(await brokers.one.signUp())
            let second = try Self.renewed(await brokers.one.refresh(first.refreshToken), of: first)
            let third = try Self.renewed(await brokers.other.refresh(second.refreshToken), of: first)

            let answers = try await brokers.both {
                try await $0.refresh(first.refreshToken)
            } _: {
                try await $0.refresh(third.refreshToken)
            }

            #expect(answers[0].errorCode == "TOKEN_EXPIRED", "\(login): \(answers)")
            var sessions = [second, third]
            if answers[1].status == 200 { sessions.append(try Self.renewed(answers[1], of: first)) }
            for session in sessions {
                #expect(try await Self.isDead(session, at: brokers.one), "\(login)")
                #expect(try await Self.isDead(session, at: brokers.other), "\(login)")
            }
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `refresh and sign out everywhere at once: no token stays valid`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let session = try IdentityToolkitApp.Session(await brokers.one.signUp())

            let answers = try await brokers.both {
                try await $0.refresh(session.refreshToken)
            } _: {
                try await $0.signOutAll(session.idToken)
            }

            #expect(answers[1].status == 200, "\(login): \(answers)")
            var sessions = [session]
            if answers[0].status == 200 { sessions.append(try Self.renewed(answers[0], of: session)) }
            for session in sessions {
                #expect(try await Self.isDead(session, at: brokers.one), "\(login)")
                #expect(try await Self.isDead(session, at: brokers.other), "\(login)")
            }
        }
    }
}
