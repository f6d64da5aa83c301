import Crypto
import Foundation

/// What a team sees of a person.
struct AppleAccount: Sendable {
    let subject: String
    let relayAddress: String

    /// What a team sees of a person, in the shape of Apple's subjects: the same whenever a simulator has both.
    init(personID: String, teamID: String) {
        let digest = SHA256.hash(data: Data("\(teamID)/\(personID)".utf8)).map { String(format: "%02x", $0) }
        let text = digest.joined()
        let digits = digest.compactMap { Int($0, radix: 16) }.map { String($0 % 10) }.joined()
        subject = "00\(digits.prefix(4)).\(text.prefix(32)).\(digits.suffix(4))"
        relayAddress = text.suffix(10) + Self.relayDomain
    }

    static let relayDomain = "@privaterelay.appleid.com"
}

/// What a person has let a team's apps know.
struct AppleConsent: Sendable {
    /// `name` and `email`, as far as they were asked for.
    var scopes: Set<String>
    var hidesEmail: Bool
}

extension AppleState {
    /// What a team sees of a person, from the first look on.
    mutating func account(_ key: ConsentKey) -> AppleAccount {
        if let account = accounts[key] { return account }
        let account = AppleAccount(personID: key.personID, teamID: key.teamID)
        accounts[key] = account
        return account
    }

    /// Records that a person lets a team in.
    ///
    /// - Returns: Whether it is the first time, or the first since the person stopped using the team's apps.
    mutating func consent(_ key: ConsentKey, scopes: [String], hidesEmail: Bool?) -> Bool {
        let isFirst = consents[key] == nil
        var consent = consents[key] ?? AppleConsent(scopes: [], hidesEmail: person(key.personID)?.hidesEmail ?? false)
        consent.scopes.formUnion(scopes)
        if isFirst, let hidesEmail { consent.hidesEmail = hidesEmail }
        consents[key] = consent
        return isFirst
    }

    /// Ends what a person let a team do, with all its tokens and unused codes.
    mutating func removeConsent(_ key: ConsentKey) {
        consents[key] = nil
        let clients = Set(applications.filter { $0.teamID == key.teamID }.map(\.clientID))
        tokens = tokens.filter { $0.value.personID != key.personID || !clients.contains($0.value.clientID) }
        codes = codes.filter { $0.value.personID != key.personID || !clients.contains($0.value.clientID) }
    }

    /// The address a team is told, with Apple's verdict on it; `nil` when it was not asked for or there is none.
    mutating func address(_ key: ConsentKey) -> (email: String, isVerified: Bool, isPrivate: Bool)? {
        guard let consent = consents[key], consent.scopes.contains("email"), let person = person(key.personID),
            let email = person.email
        else { return nil }
        return consent.hidesEmail
            ? (account(key).relayAddress, true, true) : (email, person.isEmailVerified, false)
    }
}
