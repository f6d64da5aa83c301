import ProviderSimulators
import Testing

/// What must hold between the rows of any store, whatever happened to its broker: each query finds those that break it.
enum StoreInvariants {
    private static let queries: [(rule: String, sql: String)] = [
        ("an identity has its user", "SELECT key FROM identities WHERE user_key NOT IN (SELECT key FROM users)"),
        ("a session has its user", "SELECT key FROM sessions WHERE user_key NOT IN (SELECT key FROM users)"),
        (
            "a grant has its identity",
            "SELECT key FROM provider_grants WHERE identity_key NOT IN (SELECT key FROM identities)"
        ),
        (
            "an alias has its identity",
            "SELECT subject FROM identity_aliases WHERE identity_key NOT IN (SELECT key FROM identities)"
        ),
        (
            "a subject has one owner",
            "SELECT subject FROM identities GROUP BY provider, issuer, subject HAVING count(*) > 1"
        ),
        (
            "a subject is no alias of another identity",
            """
            SELECT identities.subject FROM identities JOIN identity_aliases
                ON identity_aliases.provider = identities.provider AND identity_aliases.issuer = identities.issuer
                AND identity_aliases.subject = identities.subject
            """
        ),
        (
            "an address has one user",
            """
            SELECT email_canonical FROM users WHERE email_canonical IS NOT NULL
            GROUP BY email_canonical HAVING count(*) > 1
            """
        ),
        ("a user is made with a session", "SELECT key FROM users WHERE key NOT IN (SELECT user_key FROM sessions)"),
        (
            "a session is not ahead of its user",
            "SELECT sessions.key FROM sessions JOIN users ON users.key = sessions.user_key "
                + "WHERE sessions.epoch > users.epoch"
        ),
        (
            "a merge has both its users",
            "SELECT key FROM pending_merges WHERE survivor_key NOT IN (SELECT key FROM users) "
                + "OR absorbed_key NOT IN (SELECT key FROM users)"
        ),
        (
            "a local id is a user's or an alias of one",
            "SELECT local_id FROM user_aliases WHERE user_key NOT IN (SELECT key FROM users) "
                + "OR local_id IN (SELECT local_id FROM users)"
        ),
        (
            "a snapshot of a merge has its remaining user",
            "SELECT id FROM merge_snapshots WHERE survivor_key NOT IN (SELECT key FROM users)"
        ),
        (
            "who was deleted is gone",
            "SELECT local_id FROM audit WHERE event = 'user.deleted' AND local_id IN (SELECT local_id FROM users)"
        ),
        (
            "there is one key to sign with for each family and algorithm",
            "SELECT family, algorithm FROM signing_keys WHERE state = 'active' GROUP BY family, algorithm HAVING count(*) <> 1"
        ),
        (
            "there are two algorithms",
            "SELECT count(DISTINCT algorithm) FROM signing_keys HAVING count(DISTINCT algorithm) <> 2"
        ),
    ]

    static func check(_ tables: StoreTables) throws {
        for (rule, sql) in queries {
            let rows = try tables.rows(sql)
            #expect(rows.isEmpty, "\(rule), except \(rows.prefix(5))")
        }
        #expect(try tables.damage().isEmpty)
    }

    /// Compares the rows with everything that is certain by now.
    static func check(_ tables: StoreTables, against promises: Promises) throws {
        let users = Set(try tables.rows("SELECT local_id FROM users").compactMap { $0[0] })
        let deleted = Set(try tables.rows("SELECT local_id FROM audit WHERE event = 'user.deleted'").map { $0[0] })
        let identities = try identities(tables)
        let sessions = try sessions(tables)
        for user in promises.users {
            #expect(users.contains(user.localID) == user.exists.value, "\(user.localID)")
            #expect(deleted.contains(user.localID) == !user.exists.value, "\(user.localID)")
            guard user.exists.value else { continue }
            for (provider, known) in user.identities {
                #expect(identities["\(user.localID) \(provider)"] == known.value.map { "\($0.id)" }, "\(user.localID)")
            }
            for session in user.sessions {
                let row = try #require(sessions[session.id])
                #expect(row.localID == user.localID)
                #expect(row.isLive == session.isLive.value, "\(session.id)")
                #expect(row.generation == session.generation.value || !session.isLive.value, "\(session.id)")
            }
        }
        for (subject, localID) in promises.visitors { #expect(identities["\(localID) github.com"] == "\(subject)") }
    }

    private static func identities(_ tables: StoreTables) throws -> [String: String] {
        let rows = try tables.rows(
            """
            SELECT users.local_id, identities.provider, identities.subject
            FROM identities JOIN users ON users.key = identities.user_key
            """)
        return Dictionary(rows.map { ("\($0[0] ?? "") \($0[1] ?? "")", $0[2] ?? "") }) { $0 + " and " + $1 }
    }

    private static func sessions(
        _ tables: StoreTables
    ) throws -> [String: (localID: String?, generation: Int?, isLive: Bool)] {
        let rows = try tables.rows(
            """
            SELECT sessions.id, users.local_id, sessions.generation,
                CASE WHEN sessions.revoked_at IS NULL AND sessions.epoch = users.epoch THEN 'yes' ELSE 'no' END
            FROM sessions JOIN users ON users.key = sessions.user_key
            """)
        return Dictionary(rows.map { ($0[0] ?? "", ($0[1], $0[2].flatMap { Int($0) }, $0[3] == "yes")) }) { $1 }
    }
}
