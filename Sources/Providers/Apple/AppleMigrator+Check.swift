import ProviderKit

extension AppleMigrator {
    /// Requests a migration token. Where Apple refuses the client, the other team's key shows which team it belongs to.
    func check(_ side: MigrationSide) async -> [ConfigurationFinding] {
        let refusal: ProviderError
        do throws(ProviderError) {
            _ = try await authorize(side)
            return await foreignClients(side)
        } catch {
            guard error.fault == .configuration, error.obstacle == nil else {
                return [.unanswered(error, asking: provider.url + "/auth/token")]
            }
            refusal = error
        }
        guard let pair = team(side).pair else {
            return [
                ConfigurationFinding(
                    code: "apple-team-incomplete", text: refusal.reason,
                    fix: "Add keyId, privateKey and clientId of team \(team(side).id) to the file.")
            ]
        }
        return [await explain(side, pair.clientID)]
    }

    private func explain(_ side: MigrationSide, _ clientID: String) async -> ConfigurationFinding {
        let isOthers = await belongs(clientID, toTeamOf: side == .source ? .target : .source)
        switch (side, isOthers) {
        case (.target, true):
            return ConfigurationFinding(
                code: "apple-app-not-transferred",
                text: """
                    Apple refuses client \(clientID) with team \(target.id)'s key and accepts it with team \
                    \(source.id)'s: the app has not been transferred yet.
                    """,
                fix: """
                    Complete the transfer in App Store Connect (remove the app from its group first), wait until team \
                    \(target.id) has it, then run: broker apple migrate resume
                    """)
        case (.target, false):
            return ConfigurationFinding(
                code: "apple-client-refused",
                text: "Apple refuses client \(clientID) with team \(target.id) and its key.",
                fix: """
                    (1) Before the transfer is complete this is the normal answer: transfer the app in App Store \
                    Connect, then run broker apple migrate resume. (2) After it, compare keyId and teamId with the .p8 \
                    file, and check that the key has Sign in with Apple enabled for \(clientID)'s group: broker apple \
                    client-secret --verify lists every cause. \(Self.waysOut)
                    """)
        case (.source, true):
            return ConfigurationFinding(
                code: "apple-app-in-other-team",
                text: """
                    Client \(clientID) belongs to team \(target.id), not to team \(source.id): key and app are in \
                    different teams, so Apple cannot translate the users of team \(source.id).
                    """, fix: Self.waysOut)
        case (.source, false):
            return ConfigurationFinding(
                code: "apple-client-refused",
                text: "Apple refuses client \(clientID) with team \(source.id) and its key.",
                fix: """
                    Compare keyId and teamId with the .p8 file: broker apple client-secret --verify lists every cause. \
                    If both are right, key and app are in different teams. \(Self.waysOut)
                    """)
        }
    }

    /// Clients of the entry that team `from` cannot sign for: their users have subjects of another team.
    private func foreignClients(_ side: MigrationSide) async -> [ConfigurationFinding] {
        // After the transfer the entry has the new team's clients.
        guard side == .source, provider.teamID == source.id, let pair = source.pair else { return [] }
        var foreign: [String] = []
        for clientID in provider.clientIDs where clientID != pair.clientID {
            let other = AppleMigrationTeam.Pair(key: pair.key, clientID: clientID)
            do throws(ProviderError) {
                _ = try await authorize(.source, other, of: source.id)
            } catch {
                guard error.fault == .configuration, error.obstacle == nil else {
                    return [.unanswered(error, asking: provider.url + "/auth/token")]
                }
                foreign.append(clientID)
            }
        }
        guard !foreign.isEmpty else { return [] }
        return [
            ConfigurationFinding(
                code: "apple-client-in-other-team",
                text: """
                    Team \(source.id)'s key does not sign for \(foreign.joined(separator: ", ")) of this entry: users \
                    who signed in there have subjects of another team, which this migration cannot translate.
                    """,
                fix: "\(Self.waysOut) For all other users continue with --ignore apple-client-in-other-team.")
        ]
    }

    /// Whether the other team's key signs for a client.
    private func belongs(_ clientID: String, toTeamOf side: MigrationSide) async -> Bool {
        let team = team(side)
        guard let key = team.pair?.key else { return false }
        let pair = AppleMigrationTeam.Pair(key: key, clientID: clientID)
        do throws(ProviderError) {
            _ = try await authorize(side, pair, of: team.id)
            return true
        } catch {
            return false
        }
    }

    private static let waysOut = """
        Ways out when key and app are in different teams: (a) publish an app with this client id in the former team and \
        transfer that app; (b) let users sign in again: name the former team in the entry's options.formerTeamIds, and a \
        signed-in user who links Apple replaces the old identity.
        """
}
