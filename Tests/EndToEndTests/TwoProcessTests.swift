import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Two brokers on one store", .timeLimit(.minutes(30)))
struct TwoProcessTests {
    @Test(arguments: TestEngine.allCases)
    func `link one identity to two users at once: exactly one has it`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let person = brokers.person(login)
            let users = [
                try IdentityToolkitApp.Session(await brokers.one.signUp()),
                try IdentityToolkitApp.Session(await brokers.other.signUp()),
            ]

            let answers = try await brokers.both {
                try await brokers.link(person, to: users[0], at: $0)
            } _: {
                try await brokers.link(person, to: users[1], at: $0)
            }

            let winner = try #require(answers.firstIndex { $0.status == 200 }, "\(login): \(answers)")
            #expect(answers[1 - winner].errorCode == "FEDERATED_USER_ID_ALREADY_LINKED", "\(login): \(answers)")
            let owner = try await brokers.signIn(person, at: brokers.other)
            #expect(owner.body["localId"]?.string == users[winner].localID, "\(login)")
            #expect(try await brokers.providers(of: users[1 - winner], at: brokers.one).isEmpty, "\(login)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `link and delete a user at once: no identity stays behind, no token stays valid`(
        on engine: TestEngine
    ) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let person = brokers.person(login)
            let user = try IdentityToolkitApp.Session(await brokers.one.signUp())

            let answers = try await brokers.both {
                try await brokers.link(person, to: user, at: $0)
            } _: {
                try await $0.delete(user.idToken)
            }

            #expect(answers[1].status == 200, "\(login): \(answers)")
            var dead = [user]
            if answers[0].status == 200 {
                dead.append(try IdentityToolkitApp.Session(answers[0]))
            } else {
                #expect(answers[0].errorCode == "USER_NOT_FOUND", "\(login): \(answers)")
            }
            for session in dead {
                #expect(try await brokers.one.lookup(session.idToken).errorCode == "USER_NOT_FOUND", "\(login)")
                let refreshed = try await brokers.one.refresh(session.refreshToken)
                #expect(refreshed.errorCode == "INVALID_REFRESH_TOKEN", "\(login): \(refreshed)")
            }
            var again = try await brokers.signIn(person, at: brokers.one)
            // The deletion's withdrawal ends all of the user's tokens, also one that the broker has not checked yet.
            if again.errorCode?.hasPrefix("INVALID_IDP_RESPONSE") ?? false {
                again = try await brokers.signIn(person, at: brokers.one)
            }
            #expect(again.body["isNewUser"] == true, "\(login): \(again)")
            #expect(again.body["localId"]?.string != user.localID, "\(login): \(again)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `unlink both identities of a user at once: one way in is left`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let person = brokers.person(login)
            let user = try IdentityToolkitApp.Session(await brokers.signIn(person, at: brokers.one))
            let linked = try await brokers.link(
                person, provider: TwoBrokers.secondProvider, to: user, at: brokers.other)
            try #require(linked.status == 200, "\(login): \(linked)")

            let answers = try await brokers.both {
                try await $0.unlink("github.com", from: user.idToken)
            } _: {
                try await $0.unlink(TwoBrokers.secondProvider, from: user.idToken)
            }

            #expect(answers.count { $0.status == 200 } == 1, "\(login): \(answers)")
            #expect(answers.count { $0.errorCode == "LAST_SIGN_IN_METHOD" } == 1, "\(login): \(answers)")
            let left = try await brokers.providers(of: user, at: brokers.one)
            let provider = try #require(left.first, "\(login)")
            #expect(left.count == 1, "\(login): \(left)")
            let again = try await brokers.signIn(person, provider: provider, at: brokers.other)
            #expect(again.body["localId"]?.string == user.localID, "\(login): \(again)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `first sign-ins with one identity at both: one user`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let person = brokers.person(login)

            let answers = try await brokers.both {
                try await brokers.signIn(person, at: $0)
            } _: {
                try await brokers.signIn(person, at: $0)
            }

            #expect(answers.allSatisfy { $0.status == 200 }, "\(login): \(answers)")
            #expect(answers[0].body["localId"] == answers[1].body["localId"], "\(login): \(answers)")
            #expect(answers.count { $0.body["isNewUser"] == true } == 1, "\(login): \(answers)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `consume a pending token at both: it is single-use`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let challenge = CodeChallenge()
            let application = brokers.installation.github.defaultApplication
            let code = brokers.installation.github.authorizationCode(
                for: brokers.person(login), application: application, codeChallenge: challenge.value)
            let signedIn = try await brokers.one.signIn([
                ("code", code), ("code_verifier", challenge.verifier), ("redirect_uri", application.callbackURL),
            ])
            let pending = try #require(signedIn.body["pendingToken"]?.string, "\(login): \(signedIn)")

            let answers = try await brokers.both {
                try await $0.signIn(pendingToken: pending)
            } _: {
                try await $0.signIn(pendingToken: pending)
            }

            let winner = try #require(answers.firstIndex { $0.status == 200 }, "\(login): \(answers)")
            #expect(answers[winner].body["localId"] == signedIn.body["localId"], "\(login): \(answers)")
            #expect(answers[1 - winner].errorCode == "INVALID_PENDING_TOKEN", "\(login): \(answers)")
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `sign out everywhere at one: the other knows in the next request`(on engine: TestEngine) async throws {
        try await TwoBrokers.race(on: engine) { brokers, login in
            let person = brokers.person(login)
            let sessions = [
                try IdentityToolkitApp.Session(await brokers.signIn(person, at: brokers.one)),
                try IdentityToolkitApp.Session(await brokers.signIn(person, at: brokers.other)),
            ]
            #expect(try await brokers.other.lookup(sessions[0].idToken).status == 200, "\(login)")

            let answer = try await brokers.one.signOutAll(sessions[0].idToken)

            #expect(answer.status == 200, "\(login): \(answer)")
            for session in sessions {
                #expect(try await brokers.other.lookup(session.idToken).errorCode == "TOKEN_EXPIRED", "\(login)")
                let refreshed = try await brokers.other.refresh(session.refreshToken)
                #expect(refreshed.errorCode == "TOKEN_EXPIRED", "\(login): \(refreshed)")
            }
            let again = try IdentityToolkitApp.Session(await brokers.signIn(person, at: brokers.other))
            #expect(try await brokers.one.lookup(again.idToken).status == 200, "\(login)")
        }
    }
}
