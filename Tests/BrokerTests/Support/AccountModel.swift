import Broker
import Foundation

/// What a broker ought to remember about users, sessions and tokens: the documents' rules once more, without a store,
/// a signature or a concurrent request. Users and sessions are named by their place in the arrays.
struct AccountModel {
    /// The identity that a provider entry asserts.
    struct Evidence: Hashable {
        let provider: String
        let person: Int
        let email: String?
        let isVerified: Bool
    }

    struct User {
        /// Known once the broker has answered.
        var localID = ""
        var people: [String: Int] = [:]
        /// What each linked identity says, by provider.
        var evidence: [String: Evidence] = [:]
        var email: String?
        /// The provider that asserted the address.
        var emailSource: String?
        var isVerified = false
        var isDisabled = false
        var isDeleted = false
        var hasHadIdentity = false
        var epoch = 0
    }

    struct Session {
        let user: Int
        let authTime: Date
        let isAnonymous: Bool
        let epoch: Int
        var isRevoked = false
        var rotatedAt: Date?
        /// By generation.
        var refreshTokens: [String] = []
    }

    struct IDToken {
        let text: String
        let session: Int
        let expires: Date
    }

    enum Outcome: Equatable {
        case refused(String)
        /// The account the answer names, if it may name one.
        case confirmation(discloses: Int?)
        /// The session the tokens of the answer belong to.
        case session(Int, isNewUser: Bool = false)
        case done
    }

    let policy: Policy
    var users: [User] = []
    var sessions: [Session] = []
    var idTokens: [IDToken] = []

    private var isStrict: Bool { policy == .strict }

    func owner(of evidence: Evidence) -> Int? {
        users.firstIndex { !$0.isDeleted && $0.people[evidence.provider] == evidence.person }
    }

    func holder(of email: String?) -> Int? {
        guard let email else { return nil }
        return users.firstIndex { !$0.isDeleted && $0.email == email }
    }

    /// Why an ID token counts for nothing at this moment; `nil` while it counts.
    func refusal(of token: IDToken, at now: Date) -> String? {
        let session = sessions[token.session]
        let user = users[session.user]
        if user.isDeleted { return "USER_NOT_FOUND" }
        // Half a minute for clocks that differ.
        if token.expires <= now.addingTimeInterval(-30) { return "TOKEN_EXPIRED" }
        if session.isRevoked || session.epoch != user.epoch { return "TOKEN_EXPIRED" }
        return user.isDisabled ? "USER_DISABLED" : nil
    }

    /// Why no refresh token of a session counts; `nil` while its latest does.
    func refusal(ofSession session: Int) -> String? {
        let session = sessions[session]
        let user = users[session.user]
        if user.isDeleted { return "INVALID_REFRESH_TOKEN" }
        if session.isRevoked || session.epoch != user.epoch { return "TOKEN_EXPIRED" }
        return user.isDisabled ? "USER_DISABLED" : nil
    }

    /// Whether the policy's five minutes have passed since the user logged in.
    private func isStale(_ session: Int, at now: Date) -> Bool {
        now.timeIntervalSince(sessions[session].authTime) > 300
    }

    private mutating func begin(_ user: Int, at authTime: Date, isAnonymous: Bool = false) -> Int {
        sessions.append(
            Session(user: user, authTime: authTime, isAnonymous: isAnonymous, epoch: users[user].epoch))
        return sessions.count - 1
    }

    private mutating func add(_ evidence: Evidence, to user: Int) {
        users[user].people[evidence.provider] = evidence.person
        users[user].evidence[evidence.provider] = evidence
        users[user].hasHadIdentity = true
    }

    private mutating func revokeAll(of user: Int) {
        users[user].epoch += 1
        for index in sessions.indices where sessions[index].user == user { sessions[index].isRevoked = true }
    }
}

extension AccountModel {
    mutating func signUp(at now: Date) -> Outcome {
        users.append(User())
        return .session(begin(users.count - 1, at: now, isAnonymous: true), isNewUser: true)
    }

    mutating func signIn(_ evidence: Evidence, at now: Date) -> Outcome {
        if let owner = owner(of: evidence) {
            return users[owner].isDisabled ? .refused("USER_DISABLED") : .session(begin(owner, at: now))
        }
        guard let holder = holder(of: evidence.email) else { return create(evidence, at: now) }
        guard evidence.isVerified else {
            // Neither side is proven: the newcomer gets an account without the address.
            guard users[holder].isVerified || !isStrict else { return create(evidence, withEmail: false, at: now) }
            return .confirmation(discloses: isStrict ? nil : holder)
        }
        if users[holder].isDisabled { return .refused("USER_DISABLED") }
        if users[holder].people[evidence.provider] != nil { return .confirmation(discloses: holder) }
        if isStrict {
            if users[holder].isVerified { return .confirmation(discloses: holder) }
            users[holder].email = nil
            return create(evidence, at: now)
        }
        if !users[holder].isVerified {
            users[holder].people = [:]
            users[holder].evidence = [:]
            revokeAll(of: holder)
        }
        add(evidence, to: holder)
        users[holder].isVerified = true
        users[holder].emailSource = evidence.provider
        return .session(begin(holder, at: now))
    }

    private mutating func create(_ evidence: Evidence, withEmail: Bool = true, at now: Date) -> Outcome {
        users.append(User())
        add(evidence, to: users.count - 1)
        if withEmail { setEmail(of: users.count - 1, from: evidence) }
        return .session(begin(users.count - 1, at: now), isNewUser: true)
    }

    mutating func link(_ evidence: Evidence, with token: IDToken, at now: Date) -> Outcome {
        if let refusal = refusal(of: token, at: now) { return .refused(refusal) }
        let session = sessions[token.session]
        let user = users[session.user]
        if isStrict, !user.people.isEmpty, isStale(token.session, at: now) {
            return .refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
        if owner(of: evidence) != nil { return .refused("FEDERATED_USER_ID_ALREADY_LINKED") }
        let holder = holder(of: evidence.email)
        if let holder, holder != session.user, users[holder].isVerified || !isStrict {
            return .refused("EMAIL_EXISTS")
        }
        if user.people[evidence.provider] != nil { return .refused("PROVIDER_ALREADY_LINKED") }
        add(evidence, to: session.user)
        let proves = holder == session.user && evidence.isVerified
        if user.email == nil && holder == nil || proves { setEmail(of: session.user, from: evidence) }
        return .session(begin(session.user, at: session.isAnonymous ? now : session.authTime))
    }

    mutating func unlink(_ provider: String, with token: IDToken, at now: Date) -> Outcome {
        if let refusal = refusal(of: token, at: now) { return .refused(refusal) }
        let user = sessions[token.session].user
        guard users[user].people[provider] != nil else { return .done }
        if isStrict, isStale(token.session, at: now) { return .refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") }
        if isStrict, users[user].people.count == 1 { return .refused("LAST_SIGN_IN_METHOD") }
        users[user].people[provider] = nil
        users[user].evidence[provider] = nil
        if users[user].emailSource == provider { settleEmail(of: user) }
        return .done
    }

    /// The address of an identity that is gone gives way to a proven one that no other user holds; otherwise it stays
    /// and nothing proves it any more. With two providers at most one identity is left.
    private mutating func settleEmail(of user: Int) {
        guard let left = users[user].evidence.values.first(where: { $0.isVerified && $0.email != nil }),
            holder(of: left.email).map({ $0 == user }) ?? true
        else {
            if users[user].isVerified { users[user].emailSource = nil }
            users[user].isVerified = false
            return
        }
        setEmail(of: user, from: left)
    }

    private mutating func setEmail(of user: Int, from evidence: Evidence) {
        users[user].email = evidence.email
        users[user].isVerified = evidence.email != nil && evidence.isVerified
        users[user].emailSource = evidence.email == nil ? nil : evidence.provider
    }

    mutating func delete(with token: IDToken, at now: Date) -> Outcome {
        if let refusal = refusal(of: token, at: now) { return .refused(refusal) }
        let user = sessions[token.session].user
        if !users[user].people.isEmpty, isStale(token.session, at: now) {
            return .refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
        users[user].isDeleted = true
        return .done
    }

    mutating func signOut(with token: IDToken, everywhere: Bool, at now: Date) -> Outcome {
        if let refusal = refusal(of: token, at: now) { return .refused(refusal) }
        if everywhere {
            revokeAll(of: sessions[token.session].user)
        } else {
            sessions[token.session].isRevoked = true
        }
        return .done
    }

    /// The direct parent of a refresh token gets the same successor for a minute; anything older ends the session. Under
    /// firebase a refresh token stays the same.
    mutating func refresh(session index: Int, generation: Int, at now: Date) -> Outcome {
        if let refusal = refusal(ofSession: index) { return .refused(refusal) }
        let latest = sessions[index].refreshTokens.count - 1
        if generation == latest {
            sessions[index].rotatedAt = now
            return .session(index)
        }
        if generation == latest - 1, let rotatedAt = sessions[index].rotatedAt, now.timeIntervalSince(rotatedAt) <= 60 {
            return .session(index)
        }
        sessions[index].isRevoked = true
        return .refused("TOKEN_EXPIRED")
    }
}
