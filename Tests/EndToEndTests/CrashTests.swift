import Foundation
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("A broker that is killed", .timeLimit(.minutes(10)))
struct CrashTests {
    /// `BROKER_TEST_ROUNDS` raises the number for a soak run.
    private static let rounds =
        ProcessInfo.processInfo.environment["BROKER_TEST_ROUNDS"].flatMap { Int($0) } ?? 4
    private static let clients = 8

    @Test func `loses no user it has told somebody about`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            let people = (0..<40).map { number in
                let email = GitHubSimulator.Person.Email(address: "person\(number)@example.com")
                return broker.github.add(.init(login: "person\(number)", emails: [email]))
            }
            let acknowledged = Acknowledgements()
            for _ in 0..<Self.rounds {
                try await broker.serve { process, client in
                    await Self.load(process, client, broker, people, acknowledged)
                    _ = try await process.exitCode()
                }
                try await Self.check(acknowledged, in: broker)
            }
            #expect(acknowledged.count >= Self.rounds * Self.clients)
        }
    }

    /// Signs people up and in until the broker dies at a random moment of it.
    private static func load(
        _ process: BrokerProcess, _ client: BrokerClient, _ broker: Installation,
        _ people: [GitHubSimulator.Person], _ acknowledged: Acknowledgements
    ) async {
        let fatalCount = acknowledged.count + Int.random(in: clients...clients * 12)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<clients {
                group.addTask {
                    // Ends with the connection, when the broker is gone.
                    while let (subject, answer) = try? await Self.enter(number, client, broker, people) {
                        acknowledged.record(answer, subject: subject)
                        if acknowledged.count >= fatalCount { process.kill() }
                    }
                }
            }
        }
    }

    /// Half of the clients sign up anonymously, the others as random people who may be users already.
    private static func enter(
        _ number: Int, _ client: BrokerClient, _ broker: Installation, _ people: [GitHubSimulator.Person]
    ) async throws -> (subject: Int64?, BrokerClient.Answer) {
        guard number.isMultiple(of: 2), let person = people.randomElement() else {
            return (nil, try await client.signUp())
        }
        let token = broker.github.accessToken(for: person, application: broker.github.defaultApplication)
        return (person.id, try await client.signIn(accessToken: token))
    }

    /// Every user is there, signs in with what it was given, and is there once.
    private static func check(_ acknowledged: Acknowledgements, in broker: Installation) async throws {
        #expect(acknowledged.refusals.isEmpty, "\(acknowledged.refusals)")
        try await broker.serve { _, client in
            for (localID, session) in acknowledged.takeUnchecked() {
                let refreshed = try await client.refresh(session.refreshToken)
                #expect(refreshed.body["user_id"]?.string == localID, "\(refreshed)")
                let found = try await client.lookup(session.idToken)
                #expect(found.body["users"]?.array?.first?["localId"]?.string == localID, "\(found)")
            }
        }
        var subjects: [String: String] = [:]
        for user in try await broker.allUsers() {
            let localID = try #require(user["localId"]?.string)
            for identity in user["providerUserInfo"]?.array ?? [] {
                let subject = try #require(identity["rawId"]?.string)
                #expect(subjects.updateValue(localID, forKey: subject) == nil, "two users for one person")
            }
        }
        for (subject, localID) in acknowledged.bySubject { #expect(subjects[String(subject)] == localID) }
    }
}

/// What a broker has promised: users and sessions it answered 200 with.
private final class Acknowledgements: Sendable {
    private struct State {
        var count = 0
        var bySubject: [Int64: String] = [:]
        var unchecked: [String: BrokerClient.Session] = [:]
        var refusals: [String] = []
    }

    private let state = Mutex(State())

    /// How many answers there were so far.
    var count: Int { state.withLock { $0.count } }
    /// Who became which user.
    var bySubject: [Int64: String] { state.withLock { $0.bySubject } }
    /// Answers that should not have been, such as one person becoming two users.
    var refusals: [String] { state.withLock { $0.refusals } }

    func record(_ answer: BrokerClient.Answer, subject: Int64?) {
        state.withLock { state in
            guard let session = try? BrokerClient.Session(answer) else { return state.refusals.append("\(answer)") }
            state.count += 1
            state.unchecked[session.localID] = session
            guard let subject else { return }
            if let known = state.bySubject.updateValue(session.localID, forKey: subject), known != session.localID {
                state.refusals.append("person \(subject) was \(known) and became \(session.localID)")
            }
        }
    }

    /// The sessions that have not been tried since their sign-in.
    func takeUnchecked() -> [String: BrokerClient.Session] {
        state.withLock { state in
            defer { state.unchecked = [:] }
            return state.unchecked
        }
    }
}

extension Installation {
    /// Every user of the store, through as many pages as it takes.
    fileprivate func allUsers() async throws -> [JSONValue] {
        var users: [JSONValue] = []
        while true {
            let after = users.last?["localId"]?.string.map { ["--after", $0] } ?? []
            let page = try await CommandResult.broker(
                ["users", "list", "--json", "--limit", "1000"] + after, in: folder)
            try #require(page.exitCode == 0, "\(page)")
            let found = try JSONValue(parsing: page.output)["users"]?.array ?? []
            guard !found.isEmpty else { return users }
            users += found
        }
    }
}
