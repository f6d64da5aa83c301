import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// Asks a broker whether it still stands by what was promised since the last check.
struct PromiseCheck {
    private static let width = 8
    /// How long the parent of a refresh token may be used once more.
    private static let grace = Duration.seconds(10)

    let client: IdentityToolkitApp
    let process: BrokerProcess
    let broker: Installation
    /// When the last request may have left.
    let crash: ContinuousClock.Instant

    /// Finds every promise kept, and out what came of the requests without an answer.
    func callAsFunction(_ promises: Promises) async throws {
        let (users, strangers) = promises.takeUnchecked()
        try await each(users) { promises.settle(try await look(at: $0)) }
        try await each(strangers) { person in
            let answer = try await signIn(person)
            promises.settle(try KnownUser(answer, github: person))
        }
        try await each(Array(promises.visitors)) { subject, localID in
            let person = try #require(broker.github.people().first { $0.id == subject })
            #expect(try await signIn(person).body["localId"]?.string == localID, "person \(subject)")
        }
        #expect(promises.refusals.isEmpty, "\(promises.refusals)")
    }

    private func each<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, element) in elements.enumerated() {
                if number >= Self.width { try await group.next() }
                group.addTask { try await body(element) }
            }
            try await group.waitForAll()
        }
    }

    private func look(at user: KnownUser) async throws -> KnownUser {
        var user = user
        for number in user.sessions.indices where user.exists.value || !user.exists.isCertain {
            let answer = try await client.lookup(user.sessions[number].idToken)
            settle(&user, number, on: answer)
            guard user.exists.value else { break }
            try await refresh(&user, number)
        }
        if user.exists.value {
            try await usePendingToken(of: &user)
            try await reuse(&user)
        } else {
            try await expectGone(user)
        }
        return user
    }

    /// What a look with a session's ID token says about the user and the session.
    private func settle(_ user: inout KnownUser, _ number: Int, on answer: IdentityToolkitApp.Answer) {
        let exists = answer.errorCode != "USER_NOT_FOUND"
        #expect(user.exists.allows(exists), "\(answer)")
        user.exists.settle(on: exists)
        guard exists else { return }
        let isLive = answer.status == 200
        #expect(isLive || answer.errorCode == "TOKEN_EXPIRED", "\(answer)")
        #expect(user.sessions[number].isLive.allows(isLive), "\(answer)")
        user.sessions[number].isLive.settle(on: isLive)
        guard isLive else { return }
        let record = answer.body["users"]?.array?.first
        #expect(record?["localId"]?.string == user.localID, "\(answer)")
        let linked = record?["providerUserInfo"]?.array ?? []
        for provider in user.identities.keys {
            let subject = linked.first { $0["providerId"]?.string == provider }?["rawId"]?.string
            let person = subject.flatMap { subject in broker.github.people().first { String($0.id) == subject } }
            #expect(user.identities[provider]?.allows(person) == true, "\(provider): \(answer)")
            user.identities[provider]?.settle(on: person)
        }
    }

    /// The last refresh token that was answered works, unless its session is dead; then it does not.
    private func refresh(_ user: inout KnownUser, _ number: Int) async throws {
        var session = user.sessions[number]
        let known = session.generation
        let answer = try await client.refresh(session.refreshToken)
        if session.isLive.value, answer.status == 200 {
            try session.adopt(answer)
            #expect(session.generation.value == known.value + 1, "the successor was another one")
        } else {
            #expect(answer.errorCode == "TOKEN_EXPIRED", "\(answer)")
            // A client that gets the answer of a refresh too late has to sign in again.
            let isTooLate = !known.isCertain && ContinuousClock.now - crash >= Self.grace
            #expect(!session.isLive.value || isTooLate, "\(answer)")
            session.isLive.settle(on: false)
        }
        user.sessions[number] = session
    }

    /// A token that was used is not used again, whatever was heard of the first use.
    private func usePendingToken(of user: inout KnownUser) async throws {
        // It ends with the session it came with.
        guard let token = user.pendingToken, user.sessions.first?.isLive.value == true else { return }
        let first = try await client.signIn(pendingToken: token.text)
        let second = try await client.signIn(pendingToken: token.text)
        let wasUsed = first.status != 200
        #expect(!wasUsed || first.errorCode == "INVALID_PENDING_TOKEN", "\(first)")
        #expect(token.isUsed.allows(wasUsed), "\(first)")
        #expect(second.errorCode == "INVALID_PENDING_TOKEN", "\(second)")
        if !wasUsed { user.sessions.append(try KnownSession(first)) }
        user.pendingToken?.isUsed.settle(on: true)
    }

    /// Uses the grandparent token of one session, which revokes the session.
    private func reuse(_ user: inout KnownUser) async throws {
        guard let number = user.liveSessions.first(where: { user.sessions[$0].grandparent != nil }),
            let grandparent = user.sessions[number].grandparent
        else { return }
        // The parent would be good for some seconds more.
        let next = try await client.refresh(user.sessions[number].refreshToken)
        try user.sessions[number].adopt(next)
        let thief = try await client.refresh(grandparent)
        let owner = try await client.refresh(user.sessions[number].refreshToken)
        #expect(thief.errorCode == "TOKEN_EXPIRED", "\(thief)")
        #expect(owner.errorCode == "TOKEN_EXPIRED", "\(owner)")
        user.sessions[number].isLive.settle(on: false)
    }

    /// Nothing of a deleted user works any more.
    private func expectGone(_ user: KnownUser) async throws {
        for session in user.sessions {
            #expect(try await client.lookup(session.idToken).errorCode == "USER_NOT_FOUND")
            #expect(try await client.refresh(session.refreshToken).errorCode == "INVALID_REFRESH_TOKEN")
        }
    }

    private func signIn(_ person: GitHubSimulator.Person) async throws -> IdentityToolkitApp.Answer {
        let token = broker.github.accessToken(for: person, application: broker.github.defaultApplication)
        let answer = try await client.signIn(accessToken: token)
        #expect(answer.status == 200, "\(answer)\n\(problems)")
        return answer
    }

    /// The last that the broker has logged beside its requests.
    private var problems: String {
        process.log.text.split(separator: "\n").filter { !$0.contains(#""level":"info""#) }.suffix(5)
            .joined(separator: "\n")
    }
}
