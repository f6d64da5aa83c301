import Foundation
import ProviderKit

/// Everything a GitLab simulator remembers. Pure: time comes in as a parameter, nothing here does I/O.
struct GitLabState: Sendable {
    /// Which person lets which application do something.
    struct GrantKey: Hashable, Sendable {
        let clientID: String
        let personID: Int64
    }

    /// The base of the installation and its issuer, once it listens.
    var url = ""
    var issuerParameter: GitLabSimulator.IssuerParameter
    var people: [GitLabSimulator.Person]
    var applications: [GitLabSimulator.Application]

    /// Scopes a person has granted an application so far.
    var grants: [GrantKey: [String]] = [:]
    /// Consent pages that await a decision, by their id.
    var consents: [String: GitLabAuthorization] = [:]
    var codes: [String: GitLabCode] = [:]
    /// Tokens of applications, dead ones included, by access token.
    var tokens: [String: GitLabToken] = [:]
    /// Personal access tokens, which no application holds.
    var personalTokens: [String: Int64] = [:]
    var devices = DeviceCodes<Int64>()
    /// Who is signed in, by session cookie.
    var sessions: [String: Int64] = [:]
    var rateWindows: [Int64: GitLabRateWindow] = [:]
    /// Goes into `sub_legacy`, as an installation's own secret does.
    let secretKeyBase = RandomText.hex(64)

    init(_ options: GitLabSimulator.Options, application: GitLabSimulator.Application) {
        issuerParameter = options.issuerParameter
        people = options.people ?? GitLabSimulator.Person.examples()
        applications = [application]
    }

    func application(_ clientID: String?) -> GitLabSimulator.Application? {
        guard let clientID else { return nil }
        return applications.first { $0.clientID.hasSameBytes(as: clientID) }
    }

    func person(_ id: Int64) -> GitLabSimulator.Person? {
        people.first { $0.id == id }
    }

    func person(username: String) -> GitLabSimulator.Person? {
        people.first { $0.username.lowercased() == username.lowercased() }
    }

    /// Adds to what a person has granted an application.
    mutating func grant(_ scopes: [String], to key: GrantKey) {
        grants[key] = GitLabScopes.union(grants[key] ?? [], scopes)
    }

    /// Ends what a person granted an application, with all its tokens and unused codes.
    mutating func removeGrant(_ key: GrantKey) {
        grants[key] = nil
        for (value, token) in tokens where token.grant == key { tokens[value]?.isRevoked = true }
        codes = codes.filter { $0.value.grant != key }
    }

    /// Ends an application's registration and everything that was granted to it.
    mutating func removeApplication(_ clientID: String) {
        applications.removeAll { $0.clientID.hasSameBytes(as: clientID) }
        for key in grants.keys where key.clientID == clientID { removeGrant(key) }
        tokens = tokens.filter { $0.value.grant.clientID != clientID }
    }
}
