import Foundation

/// The stored state of a simulated GitHub.
public struct GitHubState: SimulatorState {
    public typealias Person = GitHubSimulator.Person
    public typealias Application = GitHubSimulator.Application
    public typealias Endpoint = GitHubSimulator.Endpoint

    public var memory: SimulatorMemory<Person, Application>
    let options: GitHubSimulator.Options
    var issuerParameter: GitHubSimulator.IssuerParameter

    /// The scopes that a user has granted a client so far.
    var grants: [GrantKey: [String]] = [:]
    var tokens: [String: GitHubToken] = [:]
    /// The times at which user codes were entered, by client.
    var deviceEntries: [String: [Date]] = [:]
    var rateWindows: [String: RateWindow] = [:]
    /// The number of the next token.
    var nextTokenID = Int64.random(in: 10_000_000...99_999_999)

    init(_ options: GitHubSimulator.Options) {
        self.options = options
        memory = SimulatorMemory(
            people: options.people ?? Person.examples(), application: options.application ?? Application())
        issuerParameter = options.issuerParameter
    }

    /// The base path of the REST API.
    var apiPath: String { options.enterprise ? "/api/v3" : "/api" }

    /// The issuer in `iss` and in the metadata.
    var issuer: String { url + "/login/oauth" }

    /// Whether users need a verified primary address. Enterprise Server verifies no addresses.
    var requiresVerifiedEmail: Bool { options.requiresVerifiedEmail && !options.enterprise }

    /// Adds to a user's grant to a client.
    mutating func grant(_ scopes: [String], to key: GrantKey) {
        grants[key] = SimulatedGitHubScopes.normalised((grants[key] ?? []) + scopes)
    }

    /// Revokes a user's grant to a client, with all its tokens and unused codes.
    mutating func removeGrant(_ key: GrantKey) {
        grants[key] = nil
        tokens = tokens.filter { $0.value.grant != key }
        memory.codes = memory.codes.filter { $0.value.grant != key }
    }
}
