import BrokerStore
import StoreSchema
import Testing

@Suite("Examining a store")
struct StoreVerificationTests {
    /// Something wrong: how it gets into the file, and where it is found.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        let table: String
        let complaint: String

        init(_ name: String, _ sql: String, in table: String, _ complaint: String) {
            (testDescription, self.sql, self.table, self.complaint) = (name, sql, table, complaint)
        }

        /// Inserts the rows of a table once more, with other values in some columns.
        static func copy(of table: TableDefinition, _ changes: [String: String]) -> String {
            let values = table.columns.map { changes[$0.name] ?? $0.name }.joined(separator: ", ")
            return
                "INSERT INTO \(table.name) (\(TableDefinition.list(table.columns))) SELECT \(values) FROM \(table.name)"
        }

        /// A copy of a table without its constraints takes its place.
        static func unconstrained(_ table: String) -> String {
            "CREATE TABLE loose AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE loose RENAME TO \(table);"
        }
    }

    static let damages = [
        Damage(
            "an identity without its user", "UPDATE identities SET user_key = 1", in: "identities",
            "belongs to a row of users that is not there"),
        Damage(
            "a session without its user", "UPDATE sessions SET user_key = 1", in: "sessions",
            "belongs to a row of users that is not there"),
        Damage(
            "a grant without its identity", "UPDATE provider_grants SET identity_key = 1", in: "provider_grants",
            "belongs to a row of identities that is not there"),
        Damage(
            "an alias without its identity", "UPDATE identity_aliases SET identity_key = 1", in: "identity_aliases",
            "belongs to a row of identities that is not there"),
        Damage(
            "a subject with two owners",
            Damage.unconstrained("identities")
                + Damage.copy(of: .identities, ["key": "key + 1"]),
            in: "identities", "is not the only one with its provider, issuer, subject"),
        Damage(
            "an alias of a subject that is somebody's own",
            "UPDATE identity_aliases SET (provider, issuer, subject) = "
                + "(SELECT provider, issuer, subject FROM identities)",
            in: "identity_aliases", "another identity's own"),
        Damage(
            "a local id that is an alias as well", "UPDATE user_aliases SET local_id = (SELECT local_id FROM users)",
            in: "user_aliases", "is the local id of a user"),
        Damage(
            "an address with two users",
            "DROP INDEX users_email_canonical; "
                + Damage.copy(of: .users, ["key": "key + 1", "local_id": "local_id || 'x'"]),
            in: "users", "is not the only one with its email_canonical"),
        Damage(
            "a session ahead of its user", "UPDATE sessions SET epoch = 9", in: "sessions", "epoch its user has not"),
        Damage(
            "a session half revoked", "UPDATE sessions SET revoked_at = 9", in: "sessions", "half revoked"),
        Damage(
            "a single-use row used after it had expired", "UPDATE pending_tokens SET consumed_at = expires_at",
            in: "pending_tokens", "used after it had expired"),
        Damage(
            "a single-use token kept twice",
            Damage.unconstrained("pending_tokens")
                + "INSERT INTO pending_tokens (key, token_hash, sealed_evidence, created_at, expires_at) "
                + "SELECT key + 1, token_hash, sealed_evidence, created_at, expires_at FROM pending_tokens",
            in: "pending_tokens", "is not the only one with its token_hash"),
        Damage(
            "signing keys for one algorithm only",
            "INSERT INTO signing_keys (key, kid, family, algorithm, state, sealed_private_key, public_jwk, certificate, "
                + "created_at, activates_at) "
                + "VALUES (1, 'k', 'identity-toolkit', 'ES256', 'active', x'00', '{}', '', 0, 0)",
            in: "signing_keys", "none of another algorithm"),
        Damage(
            "a word that its user has not", "UPDATE user_words SET word = 'x' || word", in: "user_words",
            "has other words than its user's texts"),
        Damage(
            "a migration that is not listed", "DELETE FROM schema_migrations WHERE version = 2",
            in: "schema_migrations", "does not list the migrations"),
        Damage(
            "an index that does not fit its table",
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE INDEX sessions_of_user ON sessions "
                + "(epoch)' WHERE name = 'sessions_of_user'; PRAGMA schema_version = 9999",
            in: "the file", "sessions_of_user"),
    ]

    @Test(arguments: damages)
    func `finds inconsistent rows, without personal data`(damage: Damage) async throws {
        try await withStoreFile { store, path in
            let user = try await Crowd(of: store).join()
            try await store.write { try $0.recordWordsOfAllUsers() }
            #expect(try await store.examine().violations == [])
            try RawSQLite(path).run("PRAGMA foreign_keys = OFF; " + damage.sql)

            let violations = try await store.examine().violations

            let found = violations.filter { $0.table == damage.table && $0.complaint.contains(damage.complaint) }
            #expect(!found.isEmpty, "\(violations)")
            let names = violations.map { "\($0.row ?? "")" }
            #expect(!names.contains { $0.contains(user.localID) || $0.contains("@") })
        }
    }

    @Test func `finds nothing in a store that is written to`() async throws {
        try await CopyScene.run { stores in
            for _ in 0..<50 { try await stores.crowd.join() }
            try await stores.source.write { try $0.recordWordsOfAllUsers() }
            try await stores.underLoad(.steadily) {
                for _ in 0..<5 {
                    let report = try await stores.source.examine()
                    #expect(report.violations == [])
                    #expect(report.schemaVersion == Migration.all.last?.version)
                }
            }
        }
    }
}
