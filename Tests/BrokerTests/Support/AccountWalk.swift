import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit
import ProviderSimulators

/// A random sequence of what clients and an administrator do, against a broker and its model at once.
struct AccountWalk {
    static let providers = ["github.com", "github.other"]

    let broker: TestBroker
    private let people: [GitHubSimulator.Person]
    private(set) var model: AccountModel
    private var random: SeededGenerator
    /// How each ID token, and each session's refresh tokens, were expected to be refused when they were tried last.
    private var triedTokens: [Int: String?] = [:]
    private var triedSessions: [Int: String] = [:]
    /// What was done, latest last, for the message of a failure.
    private(set) var steps: [String] = []

    /// Two users share an address, which one of them never proved; another has none.
    init(_ broker: TestBroker, _ policy: Policy, seed: UInt64) {
        self.broker = broker
        model = AccountModel(policy: policy)
        random = SeededGenerator(seed: seed)
        let name = RandomText.alphanumeric(8).lowercased()
        let emails: [[GitHubSimulator.Person.Email]] = [
            [.init(address: "\(name)@example.com")], [.init(address: "\(name)@example.com", verified: false)],
            [.init(address: "\(name).second@example.com")], [],
        ]
        people = emails.enumerated().map {
            broker.simulator.add(.init(login: "\(name)-\($0)", emails: $1))
        }
    }

    private var now: Date { broker.clock.now }

    /// Does something, and compares the answer with the model's.
    mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<22: try await signIn()
        case 22..<28: try await signUp()
        case 28..<52: try await link()
        case 52..<66: try await unlink()
        case 66..<78: try await refresh()
        case 78..<82: try await signOut(everywhere: false)
        case 82..<85: try await signOut(everywhere: true)
        case 85..<89: try await delete()
        case 89..<94: try await disable()
        default:
            let seconds = [1, 6, 11, 150, 301].randomElement(using: &random) ?? 1
            steps.append("\(seconds) s pass")
            broker.clock.advance(seconds: TimeInterval(seconds))
        }
    }

    private mutating func evidence() -> AccountModel.Evidence {
        let person = Int.random(in: people.indices, using: &random)
        let provider = Self.providers.randomElement(using: &random) ?? "github.com"
        let email = people[person].emails.first
        return .init(
            provider: provider, person: person, email: email?.address, isVerified: email?.verified ?? false)
    }

    /// Mostly one that counts: what is refused at the door shows nothing of the house.
    private mutating func idToken() -> AccountModel.IDToken? {
        let live = model.idTokens.filter { model.refusal(of: $0, at: now) == nil }
        let choice = Int.random(in: 0..<5, using: &random) == 0 ? model.idTokens : live
        return choice.randomElement(using: &random)
    }

    private mutating func signUp() async throws {
        steps.append("sign up")
        let expected = model.signUp(at: now)
        try settle(try await broker.signUp(), expected)
    }

    private mutating func signIn() async throws {
        let evidence = evidence()
        steps.append("sign in person \(evidence.person) at \(evidence.provider)")
        let expected = model.signIn(evidence, at: now)
        try settle(try await broker.signIn(people[evidence.person], provider: evidence.provider), expected)
    }

    private mutating func link() async throws {
        guard let token = idToken() else { return }
        let evidence = evidence()
        steps.append("link person \(evidence.person) at \(evidence.provider) to \(name(of: token))")
        let expected = model.link(evidence, with: token, at: now)
        let accessToken = broker.simulator.accessToken(
            for: people[evidence.person], application: broker.simulator.application(of: evidence.provider))
        let answer = try await broker.signIn(
            postBody: [("access_token", accessToken), ("providerId", evidence.provider)],
            extra: ["idToken": .string(token.text)])
        try settle(answer, expected)
    }

    private mutating func unlink() async throws {
        guard let token = idToken() else { return }
        let provider = Self.providers.randomElement(using: &random) ?? "github.com"
        steps.append("unlink \(provider) from \(name(of: token))")
        let expected = model.unlink(provider, with: token, at: now)
        let answer = try await broker.post(
            "/v1/accounts:update", ["idToken": .string(token.text), "deleteProvider": [.string(provider)]])
        try settle(answer, expected)
        guard expected == .done else { return }
        let left = answer["providerUserInfo"]?.array?.compactMap { $0["providerId"]?.string } ?? []
        try require(
            Set(left) == Set(model.users[model.sessions[token.session].user].people.keys), "\(left) are left")
    }

    private mutating func delete() async throws {
        guard let token = idToken() else { return }
        steps.append("delete \(name(of: token))")
        let expected = model.delete(with: token, at: now)
        try settle(try await broker.post("/v1/accounts:delete", ["idToken": .string(token.text)]), expected)
    }

    private mutating func signOut(everywhere: Bool) async throws {
        guard let token = idToken() else { return }
        steps.append("sign \(name(of: token)) out\(everywhere ? " everywhere" : "")")
        let expected = model.signOut(with: token, everywhere: everywhere, at: now)
        let path = everywhere ? "/v1/broker/sessions:signOutAll" : "/v1/broker/sessions:signOut"
        try settle(try await broker.post(path, ["idToken": .string(token.text)]), expected)
    }

    private mutating func refresh() async throws {
        let live = model.sessions.indices.filter { model.refusal(ofSession: $0) == nil }
        guard let session = live.randomElement(using: &random) else { return }
        let latest = model.sessions[session].refreshTokens.count - 1
        let age = Int.random(in: 0..<10, using: &random)
        try await refresh(session, generation: max(0, latest - (age < 7 ? 0 : age - 6)))
    }

    private mutating func refresh(_ session: Int, generation: Int) async throws {
        steps.append("refresh session \(session) with generation \(generation)")
        let token = model.sessions[session].refreshTokens[generation]
        let expected = model.refresh(session: session, generation: generation, at: now)
        try settle(try await broker.refresh(token), expected)
    }

    /// Enables disabled users, so that not every user is disabled in the end.
    private mutating func disable() async throws {
        let users = model.users.indices.filter { !model.users[$0].isDeleted }
        let disabled = users.filter { model.users[$0].isDisabled }
        guard let user = (disabled.isEmpty ? users : disabled).randomElement(using: &random) else { return }
        model.users[user].isDisabled.toggle()
        let isDisabled = model.users[user].isDisabled
        steps.append("\(isDisabled ? "disable" : "enable") user \(user)")
        _ = try await broker.core.accounts.disableUser(
            isDisabled, localID: model.users[user].localID, origin: Origin(.admin, actor: "test"))
    }

    private func name(of token: AccountModel.IDToken) -> String {
        "user \(model.sessions[token.session].user), session \(token.session)"
    }
}

extension AccountWalk {
    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        guard condition else { throw TestFailure("\(text())\nafter:\n" + steps.joined(separator: "\n")) }
    }

    /// Compares an answer with what the model expects, and keeps the tokens in it.
    private mutating func settle(_ answer: Answer, _ expected: AccountModel.Outcome) throws {
        func describe() -> String { "expected \(expected), got \(answer.status) \(answer.text)" }
        switch expected {
        case .refused(let code): try require(answer.status == 400 && answer.code == code, describe())
        case .done: try require(answer.status == 200, describe())
        case .confirmation(let disclosed):
            let isRight =
                answer["needConfirmation"] == true && answer["idToken"] == nil
                && answer["localId"]?.string == disclosed.map { model.users[$0].localID }
            try require(isRight, describe())
        case .session(let session, let isNewUser):
            let user = model.sessions[session].user
            let localID = answer["localId"]?.string ?? answer["user_id"]?.string ?? ""
            if model.users[user].localID.isEmpty { model.users[user].localID = localID }
            try require(
                answer.status == 200 && localID == model.users[user].localID && !localID.isEmpty, describe())
            let isSignUp = answer["kind"]?.string?.contains("SignupNewUser") ?? false
            try require(isSignUp || (answer["isNewUser"] == true) == isNewUser, describe())
            try keep(answer, session)
        }
    }

    private mutating func keep(_ answer: Answer, _ session: Int) throws {
        let isRefresh = answer["id_token"] != nil
        let refreshToken = try answer.string(isRefresh ? "refresh_token" : "refreshToken")
        if model.sessions[session].refreshTokens.last != refreshToken {
            model.sessions[session].refreshTokens.append(refreshToken)
        }
        let text = try answer.string(isRefresh ? "id_token" : "idToken")
        model.idTokens.append(.init(text: text, session: session, expires: now.addingTimeInterval(3600)))
    }

    /// Checks the invariants of the store: no two users share an identity or a proven address, no user who ever had a
    /// way in has none under strict, and the users are as the model has them.
    func checkUsers() async throws {
        var owners: [IdentityKey: String] = [:]
        var proven: [String: String] = [:]
        for (index, expected) in model.users.enumerated() {
            let localID = expected.localID
            let record = try await broker.core.store.read { store in
                try store.user(localID: localID).map {
                    UserRecord(user: $0, identities: try store.identities(of: $0.key))
                }
            }
            try require((record == nil) == expected.isDeleted, "user \(index) deleted: \(expected.isDeleted)")
            guard let record else { continue }
            for identity in record.identities {
                let earlier = owners.updateValue(localID, forKey: identity.identity)
                try require(earlier == nil, "one identity on two users")
            }
            if record.user.isEmailVerified, let email = record.user.emailCanonical {
                try require(proven.updateValue(localID, forKey: email) == nil, "\(email) proven by two users")
            }
            try require(
                model.policy == .firebase || !expected.hasHadIdentity || !record.identities.isEmpty,
                "user \(index) has no way in")
            try compare(record, expected, index)
        }
    }

    private func compare(_ record: UserRecord, _ expected: AccountModel.User, _ index: Int) throws {
        let subjects = Dictionary(record.identities.map { ($0.provider, $0.subject) }) { first, _ in first }
        try require(
            subjects == expected.people.mapValues { String(people[$0].id) }, "identities of user \(index): \(subjects)")
        try require(
            record.user.email == expected.email
                && record.user.isEmailVerified == (expected.email != nil && expected.isVerified),
            "e-mail of user \(index): \(record.user.email ?? "none"), expected \(expected)")
    }

    /// Tries the tokens given out so far: every one, or those whose fate has changed since they were tried last.
    mutating func checkTokens(all: Bool) async throws {
        for (index, token) in model.idTokens.enumerated() {
            let expected = model.refusal(of: token, at: now)
            guard all || triedTokens[index] != .some(expected) else { continue }
            triedTokens[index] = .some(expected)
            let answer = try await broker.lookup(token.text)
            try require(
                answer.code == expected && (answer.status == 200) == (expected == nil),
                "ID token of \(name(of: token)): expected \(expected ?? "life"), got \(answer.text)")
        }
        // A refresh token that lives would turn, or end its session: the steps and the end of the walk try those.
        for session in model.sessions.indices {
            let expected = model.refusal(ofSession: session)
            guard all || triedSessions[session] != expected else { continue }
            triedSessions[session] = expected
            guard let expected else { continue }
            for token in model.sessions[session].refreshTokens {
                let code = try await broker.refresh(token).code
                try require(code == expected, "session \(session): expected \(expected), got \(code ?? "life")")
            }
        }
    }

    /// The latest refresh token of every session that lives works.
    mutating func checkLiveSessions() async throws {
        for session in model.sessions.indices where model.refusal(ofSession: session) == nil {
            try await refresh(session, generation: model.sessions[session].refreshTokens.count - 1)
        }
    }
}
