import Foundation

/// What a team sees of a person.
struct AppleAccount: Sendable {
    let subject: String
    let relayAddress: String

    /// Somebody nobody has seen before, in the shape of Apple's subjects.
    init() {
        subject = "00\(RandomText.digits(4)).\(RandomText.hex(32)).\(RandomText.digits(4))"
        relayAddress = RandomText.typable(10).lowercased() + Self.relayDomain
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
        let account = AppleAccount()
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
