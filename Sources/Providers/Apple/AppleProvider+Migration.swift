public import ProviderKit

extension AppleProvider: SubjectMigration {
    /// The file about both teams: `{"from": {…}, "to": {…}}`.
    public struct MigrationOptions: Decodable, Sendable {
        /// The former team; only its `teamId` where the file is the new team's.
        let from: Team
        /// The new team; only its `teamId` where the file is the former team's.
        let to: Team
        /// Whether the new team's requests use the former team's access token, which Apple has accepted at times.
        let reuseSourceToken: Bool?

        /// One team, with a key and one of its clients.
        struct Team: Decodable, Sendable {
            let teamId: String
            let keyId: String?
            let privateKey: Secret?
            let clientId: String?
        }
    }

    /// The namespaces of the teams in `formerTeamIds`.
    public var formerInstances: [String] { formerTeamIDs.map { Self.instance(of: $0, at: url) } }

    public func migrator(_ options: MigrationOptions) throws(ProviderError) -> any SubjectMigrator {
        let source = try AppleMigrationTeam(options.from, at: "from", in: context)
        let target = try AppleMigrationTeam(options.to, at: "to", in: context)
        guard source.id != target.id else { throw refusal("from and to name the same team") }
        guard source.pair != nil || target.pair != nil else {
            throw refusal("one team at least needs keyId, privateKey and clientId")
        }
        guard options.reuseSourceToken != true || source.pair != nil else {
            throw refusal("reuseSourceToken needs keyId, privateKey and clientId in from")
        }
        return AppleMigrator(
            source: source, target: target, reusesSourceToken: options.reuseSourceToken ?? false, provider: self)
    }

    private func refusal(_ reason: String) -> ProviderError { ProviderError(.configuration, at: .configure, reason) }
}

/// A team of a migration.
struct AppleMigrationTeam: Sendable {
    let id: String
    /// The key and the client that sign in at Apple; absent for another organization's team.
    let pair: Pair?

    struct Pair: Sendable {
        let key: ClientAssertion.Key
        let clientID: String
    }

    fileprivate init(
        _ team: AppleProvider.MigrationOptions.Team, at name: String, in context: ProviderContext
    ) throws(ProviderError) {
        func refusal(_ reason: String) -> ProviderError {
            ProviderError(.configuration, at: .configure, "\(name).\(reason)")
        }
        guard AppleProvider.Options.isIdentifier(team.teamId) else {
            throw refusal("teamId must be the ten capital letters and digits Apple shows")
        }
        id = team.teamId
        switch (team.keyId, team.privateKey, team.clientId) {
        case (nil, nil, nil): pair = nil
        case (let keyID?, let pem?, let clientID?):
            guard AppleProvider.Options.isIdentifier(keyID) else {
                throw refusal("keyId must be the ten capital letters and digits Apple shows")
            }
            let key = ClientAssertion.Key(pem: pem, keyID: keyID, algorithm: .es256)
            guard (try? context.tokens.publicKey(of: key)) != nil else {
                throw refusal("privateKey must be the text of the .p8 file, from BEGIN to END PRIVATE KEY")
            }
            guard !clientID.isEmpty else { throw refusal("clientId must be the app's bundle id or Services ID") }
            pair = Pair(key: key, clientID: clientID)
        default: throw refusal("keyId, privateKey and clientId go together: set all three or none")
        }
    }
}
