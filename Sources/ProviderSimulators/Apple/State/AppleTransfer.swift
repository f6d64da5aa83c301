import Foundation

/// An app that went from one team to another.
struct AppleTransfer: Sendable {
    /// Sixty days: the time in which users can be migrated.
    static let window: TimeInterval = 60 * 86_400

    /// A person's way from one team to another.
    struct Passage: Hashable, Sendable {
        let personID: String
        let from: String
        let to: String
    }

    let from: String
    let at: Date
}

/// The credential of a team at the migration endpoint.
struct AppleMigrationToken: Sendable {
    let teamID: String
    let expiresAt: Date
}

extension AppleState {
    /// The transfer of a client, while users can be migrated.
    func transfer(of clientID: String) -> AppleTransfer? {
        transfers[clientID].flatMap { now < $0.at.addingTimeInterval(AppleTransfer.window) ? $0 : nil }
    }

    /// Gives an app to another team. Its users stay, under subjects of the new team.
    mutating func transfer(_ clientID: String, to team: String) {
        guard let index = applications.firstIndex(where: { $0.clientID == clientID }) else { return }
        let former = memory.applications[index].teamID
        memory.applications[index].teamID = team
        transfers[clientID] = AppleTransfer(from: former, at: now)
        for (key, consent) in consents where key.teamID == former {
            let new = ConsentKey(teamID: team, personID: key.personID)
            consents[new] = consents[new] ?? consent
        }
    }

    /// The `transfer_sub` of a user; the same at each call.
    mutating func transferSubject(_ passage: AppleTransfer.Passage) -> String {
        if let subject = transferSubjects[passage] { return subject }
        let subject = "00\(RandomText.digits(4)).r\(RandomText.hex(31)).\(RandomText.digits(4))"
        transferSubjects[passage] = subject
        passages[subject] = passage
        return subject
    }

    /// The user of a subject of `team`, while the consent lasts.
    func person(subject: String, team: String) -> String? {
        guard subject.isASCII, let id = subjects[AppleTeamSubject(teamID: team, subject: subject)],
            consents[ConsentKey(teamID: team, personID: id)] != nil
        else { return nil }
        return id
    }

    /// Adds users who have consented to a client's app and hide their address; their subjects are counted from one.
    mutating func addCrowd(_ count: Int, of clientID: String) {
        for number in 1...max(1, count) {
            let id = "crowd-\(number)"
            crowd[id] = Person(id: id, email: "\(number)@crowd.example", hidesEmail: true)
            let key = key(id, clientID)
            let account = AppleAccount(
                subject: "000000.crowd.\(number)", relayAddress: "\(number)" + AppleAccount.relayDomain)
            store(account, for: key)
            consents[key] = AppleConsent(scopes: ["email"], hidesEmail: true)
        }
    }

    /// Lets a team ask the migration endpoint for an hour.
    mutating func makeMigrationToken(for team: String) -> String {
        let now = now
        migrationTokens = migrationTokens.filter { $0.value.expiresAt > now }
        let value = "m\(RandomText.hex(32)).0.\(RandomText.alphanumeric(26))"
        migrationTokens[value] = AppleMigrationToken(
            teamID: team, expiresAt: now.addingTimeInterval(TimeInterval(AppleToken.lifetime)))
        return value
    }
}
