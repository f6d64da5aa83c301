import BrokerStore
import Testing

@Suite("What migrations may do to brokers beside them")
struct MigrationRuleTests {
    @Test(arguments: Migration.all.filter(\.keepsOlderBrokers))
    func `a migration that keeps older brokers only adds`(migration: Migration) {
        #expect(AdditiveRule.violations(in: migration) == [])
    }

    @Test(arguments: [
        "DROP TABLE users",
        "ALTER TABLE users DROP COLUMN screen_name",
        "ALTER TABLE users RENAME COLUMN email TO address",
        "ALTER TABLE users ADD COLUMN nickname broker_text NOT NULL",
        "ALTER TABLE users ADD COLUMN nickname broker_text UNIQUE",
        "ALTER TABLE sessions ADD COLUMN device_key bigint REFERENCES devices (key)",
        "CREATE UNIQUE INDEX users_screen_name ON users (screen_name)",
        "CREATE TABLE devices (key bigint PRIMARY KEY, user_key bigint NOT NULL REFERENCES users (key))",
        "UPDATE users SET disabled = 1",
        "DROP INDEX users_email_canonical",
        "ALTER TABLE used_id_tokens_by_hash RENAME TO used_id_tokens",
    ])
    func `the rule rejects a statement that breaks an older broker`(statement: String) {
        let migration = Migration(version: 100, name: "a mistake", statements: [statement])

        #expect(!AdditiveRule.violations(in: migration).isEmpty)
    }

    @Test func `versions count from 1 without gaps, and names need no quoting`() {
        #expect(Migration.all.map(\.version) == Array(1...Int64(Migration.all.count)))
        #expect(Migration.all.allSatisfy { !$0.name.contains("'") })
    }

    // A column that was added must not change what an older broker's statements mean.
    @Test func `statements name the columns they read and write`() {
        for statement in Statement.all {
            #expect(!statement.sql.contains(/SELECT \*|\.\*|RETURNING \*/), "\(statement.name)")
            let inserts = statement.sql.matches(of: /INSERT INTO \w+/).count
            #expect(statement.sql.matches(of: /INSERT INTO \w+\s*\(/).count == inserts, "\(statement.name)")
        }
    }
}
