import ProviderKit
import ProviderSimulators
import Testing

/// One app under load: does one thing after the other for users of its own and keeps book of what it was promised.
struct RandomWalk {
    private enum Step: CaseIterable {
        case refresh, signInAgain, link, unlink, usePendingToken, signOut, signOutAll, delete
    }

    /// The broker's store does not answer: the request may have come to something or not.
    private struct Unavailable: Error {}
    private struct Refused: Error {}

    /// Refreshes are most frequent; revocations are rare, so that sessions remain at the crash.
    private static let steps: [Step] =
        Step.allCases + [.refresh, .refresh, .refresh, .refresh, .signInAgain, .link, .link, .unlink, .usePendingToken]

    private let client: IdentityToolkitApp
    private let broker: Installation
    private let visitors: [GitHubSimulator.Person]
    private let promises: Promises
    private var users: [KnownUser] = []
    /// The users with a request that had no response.
    private var retired: [KnownUser] = []

    init(
        at client: IdentityToolkitApp, of broker: Installation, visitors: [GitHubSimulator.Person], _ promises: Promises
    ) {
        (self.client, self.broker, self.visitors, self.promises) = (client, broker, visitors, promises)
    }

    /// Runs until the broker is stopped or no session is left, and calls `onAnswer` after each acknowledged write.
    mutating func run(onAnswer: @Sendable () -> Void = {}) async {
        while !promises.isOver {
            do {
                try await step()
                onAnswer()
            } catch is Unavailable {
                continue
            } catch is Refused {
                continue
            } catch {
                break
            }
        }
        promises.record(users + retired)
    }

    private mutating func step() async throws {
        switch Int.random(in: 0..<8) {
        case 0: users.append(try KnownUser(try granted(try await client.signUp())))
        case 1: try await visit()
        case 2: try await meet()
        default: try await go(on: users.indices.randomElement())
        }
    }

    /// Signs in with one of the shared accounts.
    private func visit() async throws {
        guard let person = visitors.randomElement() else { return }
        let answer = try granted(try await client.signIn(accessToken: accessToken(of: person)))
        promises.record(visit: person, as: try IdentityToolkitApp.Session(answer).localID)
    }

    /// Signs in with a new account.
    private mutating func meet() async throws {
        let person = newPerson()
        do {
            let answer = try granted(try await Bool.random() ? signIn(person) : signInWithCode(person))
            var user = try KnownUser(answer, github: person)
            user.pendingToken = answer.body["pendingToken"]?.string.map { KnownPendingToken(text: $0) }
            users.append(user)
        } catch {
            promises.record(stranger: person)
            throw error
        }
    }

    private mutating func go(on index: Int?) async throws {
        guard let index, let step = Self.steps.randomElement() else { return }
        var user = users.remove(at: index)
        do {
            try await take(step, for: &user)
            // A deleted user acts no more.
            if user.exists.value { users.append(user) } else { retired.append(user) }
        } catch {
            retired.append(user)
            throw error
        }
    }

    private func take(_ step: Step, for user: inout KnownUser) async throws {
        guard let number = user.liveSessions.randomElement() else { return try await signInAgain(&user) }
        switch step {
        case .refresh: try await refresh(&user.sessions[number])
        case .signInAgain: try await signInAgain(&user)
        case .link: try await link(&user, number)
        case .unlink: try await unlink(&user, number)
        case .usePendingToken: try await usePendingToken(&user)
        case .signOut:
            user.sessions[number].isLive.ask(for: false)
            if number == 0 { user.pendingToken = nil }
            _ = try granted(try await client.signOut(user.sessions[number].idToken))
            user.sessions[number].isLive.granted()
        case .signOutAll:
            for session in user.liveSessions { user.sessions[session].isLive.ask(for: false) }
            user.pendingToken = nil
            _ = try granted(try await client.signOutAll(user.sessions[number].idToken))
            for session in user.sessions.indices { user.sessions[session].isLive.granted() }
        case .delete:
            user.exists.ask(for: false)
            _ = try granted(try await client.delete(user.sessions[number].idToken))
            user.exists.granted()
        }
    }

    private func refresh(_ session: inout KnownSession) async throws {
        session.generation.ask(for: session.generation.value + 1)
        let answer = try granted(try await client.refresh(session.refreshToken))
        let expected = session.generation.value + 1
        try session.adopt(answer)
        #expect(session.generation.value == expected)
    }

    private func signInAgain(_ user: inout KnownUser) async throws {
        guard let person = user.person(at: "github.com") else { return }
        try add(try granted(try await signIn(person)), to: &user)
    }

    private func link(_ user: inout KnownUser, _ number: Int) async throws {
        let free = user.identities.keys.filter { user.person(at: $0) == nil }
        guard let provider = free.randomElement() else { return }
        let person = newPerson()
        user.identities[provider]?.ask(for: person)
        let answer = try granted(
            try await client.link(
                broker.accessToken(of: person, for: provider), provider: provider, to: user.sessions[number].idToken))
        user.identities[provider]?.granted()
        try add(answer, to: &user)
    }

    /// Takes one of two identities away; not the one a pending token stands for.
    private func unlink(_ user: inout KnownUser, _ number: Int) async throws {
        let linked = user.identities.keys.filter { user.person(at: $0) != nil }
        guard linked.count == 2, let provider = linked.randomElement(),
            user.pendingToken == nil || provider != "github.com"
        else { return }
        user.identities[provider]?.ask(for: nil)
        _ = try granted(try await client.unlink(provider, from: user.sessions[number].idToken))
        user.identities[provider]?.granted()
    }

    private func usePendingToken(_ user: inout KnownUser) async throws {
        guard let token = user.pendingToken, !token.isUsed.value else { return }
        user.pendingToken?.isUsed.ask(for: true)
        try add(try granted(try await client.signIn(pendingToken: token.text)), to: &user)
        user.pendingToken?.isUsed.granted()
    }

    private func add(_ answer: IdentityToolkitApp.Answer, to user: inout KnownUser) throws {
        #expect(answer.body["localId"]?.string == user.localID, "\(answer)")
        user.sessions.append(try KnownSession(answer))
    }

    /// - Throws: ``Unavailable`` or, after it was noted, ``Refused``.
    private func granted(_ answer: IdentityToolkitApp.Answer) throws -> IdentityToolkitApp.Answer {
        switch answer.status {
        case 200: promises.countAnswer()
        case 503: throw Unavailable()
        default:
            promises.record(refusal: "\(answer)")
            throw Refused()
        }
        return answer
    }

    // The simulator derives the account from the access token, so the name only has to be new.
    private func newPerson() -> GitHubSimulator.Person {
        let login = randomText(16)
        return broker.github.add(.init(login: login, emails: [.init(address: "\(login)@example.com")]))
    }

    private func accessToken(of person: GitHubSimulator.Person) -> String {
        broker.github.accessToken(for: person, application: broker.github.defaultApplication)
    }

    private func signIn(_ person: GitHubSimulator.Person) async throws -> IdentityToolkitApp.Answer {
        try await client.signIn(accessToken: accessToken(of: person))
    }

    /// The way of which a pending token comes.
    private func signInWithCode(_ person: GitHubSimulator.Person) async throws -> IdentityToolkitApp.Answer {
        let challenge = CodeChallenge()
        let application = broker.github.defaultApplication
        let code = broker.github.authorizationCode(
            for: person, application: application, codeChallenge: challenge.value)
        return try await client.signIn([
            ("code", code), ("code_verifier", challenge.verifier), ("redirect_uri", application.callbackURL),
        ])
    }
}
