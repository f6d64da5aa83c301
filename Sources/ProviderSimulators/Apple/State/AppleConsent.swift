import Crypto
import Foundation
import ProviderKit

/// A user as a team sees it.
struct AppleAccount: Sendable {
    let subject: String
    let relayAddress: String

    init(subject: String, relayAddress: String) {
        self.subject = subject
        self.relayAddress = relayAddress
    }

    /// Subject and relay address in Apple's format, derived from user and team.
    init(personID: String, teamID: String) {
        let digest = SHA256.hash(data: Data("\(teamID)/\(personID)".utf8))
        let text = Hexadecimal.encode(digest)
        let digits = digest.map { String($0 % 10) }.joined()
        subject = "00\(digits.prefix(4)).\(text.prefix(32)).\(digits.suffix(4))"
        relayAddress = text.suffix(10) + Self.relayDomain
    }

    static let relayDomain = "@privaterelay.appleid.com"
}

/// A user's consent for a team's apps.
struct AppleConsent: Sendable {
    /// `name` and `email`, as far as requested.
    var scopes: Set<String>
    var hidesEmail: Bool
}

extension AppleState {
    /// The user as a team sees it.
    mutating func account(_ key: ConsentKey) -> AppleAccount {
        if let account = accounts[key] { return account }
        let account = AppleAccount(personID: key.personID, teamID: key.teamID)
        store(account, for: key)
        return account
    }

    /// Records what a team calls a user.
    mutating func store(_ account: AppleAccount, for key: ConsentKey) {
        accounts[key] = account
        subjects[AppleTeamSubject(teamID: key.teamID, subject: account.subject)] = key.personID
    }

    /// Records a user's consent for a team.
    ///
    /// - Returns: Whether it is the first one, or the first since the last revocation.
    mutating func consent(_ key: ConsentKey, scopes: [String], hidesEmail: Bool?) -> Bool {
        let isFirst = consents[key] == nil
        var consent = consents[key] ?? AppleConsent(scopes: [], hidesEmail: person(key.personID)?.hidesEmail ?? false)
        consent.scopes.formUnion(scopes)
        if isFirst, let hidesEmail { consent.hidesEmail = hidesEmail }
        consents[key] = consent
        return isFirst
    }

    /// Revokes a user's consent for a team, with all its tokens and unused codes.
    mutating func removeConsent(_ key: ConsentKey) {
        consents[key] = nil
        let clients = Set(applications.filter { $0.teamID == key.teamID }.map(\.clientID))
        tokens = tokens.filter { $0.value.personID != key.personID || !clients.contains($0.value.clientID) }
        memory.codes = memory.codes.filter {
            $0.value.grant.personID != key.personID || !clients.contains($0.value.grant.clientID)
        }
    }

    /// The address for a team, with its verification; `nil` when it was not requested or there is none.
    mutating func address(_ key: ConsentKey) -> (email: String, isVerified: Bool, isPrivate: Bool)? {
        guard let consent = consents[key], consent.scopes.contains("email"), let person = person(key.personID),
            let email = person.email
        else { return nil }
        return consent.hidesEmail
            ? (account(key).relayAddress, true, true) : (email, person.isEmailVerified, false)
    }
}
