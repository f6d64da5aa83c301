import Foundation

/// Everything a GitHub simulator remembers. Pure: time comes in as a parameter, nothing here does I/O.
struct GitHubState: Sendable {
    /// Which person lets which application do something.
    struct GrantKey: Hashable, Sendable {
        let clientID: String
        let personID: Int64
    }

    /// The address of the simulator, once it listens.
    var url = ""
    var issuerParameter: GitHubSimulator.IssuerParameter
    var people: [GitHubSimulator.Person]
    var applications: [GitHubSimulator.Application]

    /// Scopes a person has granted an application so far.
    var grants: [GrantKey: [String]] = [:]
    /// Consent pages that await a decision, by their id.
    var consents: [String: GitHubAuthorization] = [:]
    var codes: [String: GitHubCode] = [:]
    var tokens: [String: GitHubToken] = [:]
    var devices = DeviceCodes<Int64>()
    /// When device codes were typed in, by application.
    var deviceEntries: [String: [Date]] = [:]
    /// Who is signed in, by session cookie.
    var sessions: [String: Int64] = [:]
    var rateWindows: [String: GitHubRateWindow] = [:]
    /// The number the next token gets.
    var nextTokenID = Int64.random(in: 10_000_000...99_999_999)

    let checksCodeChallenge: Bool
    let requiresVerifiedEmail: Bool

    init(_ options: GitHubSimulator.Options, application: GitHubSimulator.Application) {
        issuerParameter = options.issuerParameter
        people = options.people ?? GitHubSimulator.Person.examples()
        applications = [application]
        checksCodeChallenge = options.checksCodeChallenge
        // Enterprise Server does not verify addresses, so it cannot insist on it.
        requiresVerifiedEmail = options.requiresVerifiedEmail && !options.enterprise
    }

    func application(_ clientID: String?) -> GitHubSimulator.Application? {
        guard let clientID else { return nil }
        return applications.first { $0.clientID.utf8.elementsEqual(clientID.utf8) }
    }

    func person(_ id: Int64) -> GitHubSimulator.Person? {
        people.first { $0.id == id }
    }

    func person(login: String) -> GitHubSimulator.Person? {
        people.first { $0.login.lowercased() == login.lowercased() }
    }

    /// What GitHub calls itself in `iss` and in its metadata.
    var issuer: String { url + "/login/oauth" }

    /// Adds to what a person has granted an application.
    mutating func grant(_ scopes: [String], to key: GrantKey) {
        grants[key] = GitHubScopes.normalised((grants[key] ?? []) + scopes)
    }

    /// Ends what a person granted an application, with all its tokens and unused codes.
    mutating func removeGrant(_ key: GrantKey) {
        grants[key] = nil
        tokens = tokens.filter { $0.value.grant != key }
        codes = codes.filter { $0.value.grant != key }
    }
}
