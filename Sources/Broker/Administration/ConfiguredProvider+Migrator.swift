package import ProviderKit

extension ConfiguredProvider {
    /// The client of a migration that a file configures; its secrets are `{"file": …}` or `{"env": …}`, as in
    /// `plugins.json`.
    ///
    /// - Throws: ``ConfigurationError``; ``SubjectMigrationRefusal`` when the provider has no migrations.
    package func migrator(
        configuredBy path: String, environment: [String: String]
    ) throws -> any SubjectMigrator {
        guard let migrating = provider as? any SubjectMigration else {
            throw SubjectMigrationRefusal("not-supported", "\(id) uses \(kind), whose subjects do not change.")
        }
        try FileExposure.requirePrivateWriting(path, named: "the file about both owners")
        let options = try StrictFile.value(path: path, hint: "Write it as Docs/Apple.md shows.")
        let secrets = SecretFiles(configuration: path, environment: environment)
        do {
            return try migrating.migrator(options: options, decoder: StrictFile.decoder(secrets: secrets.source))
        } catch let error as JSONDecodingError {
            throw ConfigurationError(path, error)
        } catch let error as ProviderError {
            throw ConfigurationError(path, error.reason + ".")
        }
    }
}
