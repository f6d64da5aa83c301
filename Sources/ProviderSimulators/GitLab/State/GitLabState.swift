import Foundation
import ProviderKit

/// The stored state of a simulated GitLab.
public struct GitLabState: SimulatorState {
    public typealias Person = GitLabSimulator.Person
    public typealias Application = GitLabSimulator.Application
    public typealias Endpoint = GitLabSimulator.Endpoint

    public var memory: SimulatorMemory<Person, Application>
    let options: GitLabSimulator.Options
    var issuerParameter: GitLabSimulator.IssuerParameter

    /// The scopes that a user has granted a client so far.
    var grants: [GrantKey: [String]] = [:]
    /// Tokens of clients, expired and revoked ones included, by access token.
    var tokens: [String: GitLabToken] = [:]
    /// Personal access tokens, which belong to no client.
    var personalTokens: [String: Int64] = [:]
    var rateWindows: [Int64: RateWindow] = [:]
    /// Signs the tokens of CI jobs, which share issuer and key document with ID tokens.
    let jobMint = IDTokenMint()
    /// Part of `sub_legacy`, as an installation's own secret is.
    let secretKeyBase = RandomText.hex(64)

    init(_ options: GitLabSimulator.Options) {
        self.options = options
        memory = SimulatorMemory(
            people: options.people ?? Person.examples(), application: options.application ?? Application())
        issuerParameter = options.issuerParameter
    }

    /// Adds to a user's grant to a client.
    mutating func grant(_ scopes: [String], to key: GrantKey) {
        grants[key] = GitLabScopes.union(grants[key] ?? [], scopes)
    }

    /// Revokes a user's grant to a client, with all its tokens and unused codes.
    mutating func removeGrant(_ key: GrantKey) {
        grants[key] = nil
        for (value, token) in tokens where token.grant == key { tokens[value]?.isRevoked = true }
        memory.codes = memory.codes.filter { $0.value.grant != key }
    }

    /// Deletes a client registration with all grants and tokens.
    mutating func removeApplication(_ clientID: String) {
        memory.applications.removeAll { $0.clientID.hasSameBytes(as: clientID) }
        for key in grants.keys where key.clientID == clientID { removeGrant(key) }
        tokens = tokens.filter { $0.value.grant.clientID != clientID }
    }
}
