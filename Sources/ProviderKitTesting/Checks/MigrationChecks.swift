import ProviderKit

extension ConformanceSuite {
    /// The checks of migrations between owners of an app.
    static let migrationChecks = [
        ConformanceCheck(
            "migration-translates-subjects", "each owner's requests return the script's subjects",
            fix: "Return the subject that the provider names for the one that was passed."
        ) {
            for side in MigrationSide.allCases {
                let (scene, migration) = try $0.migrating()
                let expected = side == .source ? migration.transferSubject : migration.newSubject
                guard case .migration(.migrated(let found)) = try await scene.succeed(.migrate(side)) else {
                    throw Deviation.broken("the \(side.rawValue) returns no subject")
                }
                try require(found.utf8.elementsEqual(expected.utf8), "the \(side.rawValue) returns another subject")
            }
        },
        ConformanceCheck(
            "migration-renews-refused-tokens", "a refused access token is reported, and fails no user",
            fix: "Return .unauthorized for status 401."
        ) {
            for side in MigrationSide.allCases {
                let honest = try $0.migrating()
                _ = try await honest.scene.succeed(.migrate(side))
                let last = honest.scene.upstream.exchanges.count - 1
                let refused = try Rehearsal($0, honest.scene.script, disturbing: [last: .answer(.status(401))])
                guard case .migration(.unauthorized) = try await refused.succeed(.migrate(side)) else {
                    throw Deviation.broken("status 401 is not reported as a refused access token")
                }
            }
        },
        ConformanceCheck(
            "migration-names-a-refused-client", "a refused client is a fault of the configuration",
            fix: "Throw a configuration fault for invalid_client."
        ) {
            let answer = UpstreamResponse.json(["error": "invalid_client"], status: 400)
            for side in MigrationSide.allCases {
                let honest = try $0.migrating()
                let refused = try Rehearsal($0, honest.scene.script, disturbing: [0: .answer(answer)])
                try await refused.play(.migrate(side)).requireFailure([.configuration], "a refused client")
            }
        },
    ]
}

extension ProviderFixture {
    /// Starts a rehearsal of a migration.
    fileprivate func migrating() throws -> (scene: Rehearsal, migration: HonestMigration) {
        let rehearsal = try Rehearsal(self, script())
        guard rehearsal.provider is any SubjectMigration else {
            throw Deviation.notApplicable("does not migrate subjects")
        }
        guard let migration = rehearsal.script.migration else {
            throw Deviation.broken("the fixture has no migration")
        }
        return (rehearsal, migration)
    }
}

extension HonestMigration {
    /// One side's answer about the script's user.
    func answer(
        of provider: any SubjectMigration, on side: MigrationSide
    ) async throws(ProviderError) -> MigrationAnswer<String> {
        let migrator: any SubjectMigrator
        do {
            migrator = try provider.migrator(options: options, decoder: JSONValueDecoder())
        } catch {
            throw error as? ProviderError ?? ProviderError(.configuration, at: .configure, "\(error)")
        }
        let authorization = try await migrator.authorize(side)
        guard side == .target else { return try await migrator.transferSubject(of: subject, authorization) }
        return switch try await migrator.exchange(transferSubject, authorization) {
        case .migrated(let identity): .migrated(identity.subject)
        case .refused(let reason): .refused(reason: reason)
        case .unauthorized: .unauthorized
        }
    }
}
