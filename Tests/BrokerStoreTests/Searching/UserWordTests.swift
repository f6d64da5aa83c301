import PostgreSQLTesting
import StoreSchema
import Testing

@testable import BrokerStore

@Suite("The words of users")
struct UserWordTests {
    /// The local ids of the users that a text finds.
    private static func found(_ text: String, in store: Store) async throws -> [String] {
        try await store.read { tx in
            try tx.users(UserSearch(words: SearchWords.typed(text)), after: nil, limit: 50).matches.map(\.user.localID)
        }
    }

    private static func ada(_ email: String? = "ada.lovelace@example.com") -> User {
        var user = User.sample(email: email)
        user.displayName = "Ada Lovelace"
        user.screenName = "enchantress"
        return user
    }

    @Test(arguments: TestEngine.allCases)
    func `are those of every text that the tables declare`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            var user = Self.ada()
            user.initialEmail = "byron@example.net"
            var identity = Identity.sample(of: user, .sample(subject: "583231"))
            identity.email = "countess@example.org"
            identity.displayName = "Augusta King"
            identity.screenName = "analyst"
            let (first, second) = (user, identity)

            try await store.write { tx in
                _ = try tx.insert(first)
                _ = try tx.insert(second)
                _ = try tx.addAlias(.sample(subject: "77001"), to: second.key, at: .noon)
                _ = try tx.addUserAlias("formerId", of: first.key, at: .noon)
            }

            let texts = [
                user.localID, "ADA", "love", "lovelace@ex", "example.com", "enchant", "byron", "5832", "countess",
                "king",
                "analyst", "7700", "former", "augusta lovelace",
            ]
            for text in texts { #expect(try await Self.found(text, in: store) == [user.localID], "\(text)") }
            #expect(try await Self.found("velace", in: store) == [])
            #expect(try await Self.found("ada byr king baron", in: store) == [])
            #expect(try await store.read { try $0.usersWithOtherWords(after: 0, limit: 10).users } == [])
        }
    }

    /// A change of texts, with what finds the user before it and after it.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before, after: String?
        let apply: @Sendable (borrowing Transaction, User, Identity) throws -> Void

        init(
            _ name: String, before: String?, after: String?,
            _ apply: @escaping @Sendable (borrowing Transaction, User, Identity) throws -> Void
        ) {
            (testDescription, self.before, self.after, self.apply) = (name, before, after, apply)
        }
    }

    static let changes = [
        Change("another address", before: "lovelace@", after: "king@") { tx, user, _ in
            let address = "king@example.com"
            _ = try tx.setEmail(
                of: user.key, email: address, canonical: address, verified: true, assertedBy: nil, at: .noon)
        },
        Change("no address", before: "lovelace@", after: nil) { tx, user, _ in try tx.releaseEmail(of: user.key) },
        Change("a first address", before: nil, after: "byron") { tx, user, _ in
            try tx.recordInitialEmail(of: user.key, "byron@example.com")
        },
        Change("another name", before: "enchantress", after: "augusta") { tx, user, _ in
            var user = user
            (user.displayName, user.screenName) = ("Augusta", nil)
            try tx.setProfile(of: user)
        },
        Change("another user of the same id", before: "lovelace", after: "grace") { tx, user, _ in
            var user = user
            (user.displayName, user.email, user.emailCanonical) = ("Grace", nil, nil)
            try tx.replace(user)
        },
        Change("another name at the provider", before: "analyst", after: "countess") { tx, _, identity in
            var renewed = identity
            renewed.screenName = "countess"
            try tx.refreshProfile(of: identity, to: renewed)
        },
        Change("another address at the provider", before: "work@", after: "home@") { tx, _, identity in
            var renewed = identity
            renewed.email = "home@example.org"
            try tx.refreshProfile(of: identity, to: renewed)
        },
        Change("another subject", before: "583231", after: "990099") { tx, _, identity in
            _ = try tx.replaceSubject(
                of: identity.key, issuer: identity.issuer, subject: "990099", email: nil, isEmailVerified: false,
                profile: "{}")
        },
        Change("no identity", before: "583231", after: nil) { tx, _, identity in
            _ = try tx.deleteIdentity(key: identity.key)
        },
        Change("no identities", before: "583231", after: nil) { tx, user, _ in try tx.removeIdentities(of: user.key) },
        Change("a further subject", before: nil, after: "77001") { tx, _, identity in
            _ = try tx.addAlias(.sample(subject: "77001"), to: identity.key, at: .noon)
        },
        Change("a former id", before: nil, after: "former") { tx, user, _ in
            _ = try tx.addUserAlias("formerId", of: user.key, at: .noon)
        },
        Change("a user less", before: "lovelace", after: nil) { tx, user, _ in _ = try tx.deleteUser(key: user.key)
        },
        Change("a user who came and went", before: nil, after: nil) { tx, _, _ in
            let user = UserWordTests.ada("other@example.com")
            _ = try tx.insert(user)
            _ = try tx.deleteUser(key: user.key)
        },
    ]

    @Test(arguments: TestEngine.allCases, changes)
    func `follow each change in its transaction`(on engine: TestEngine, change: Change) async throws {
        try await withStore(engine) { store in
            let user = Self.ada()
            var identity = Identity.sample(of: user, .sample(subject: "583231"))
            identity.screenName = "analyst"
            identity.email = "work@example.org"
            let linked = identity
            try await store.write { tx in
                _ = try tx.insert(user)
                _ = try tx.insert(linked)
            }
            if let before = change.before { #expect(try await Self.found(before, in: store) == [user.localID]) }
            if let after = change.after { #expect(try await Self.found(after, in: store) == []) }

            try await store.write { tx in try change.apply(tx, user, linked) }

            if let before = change.before { #expect(try await Self.found(before, in: store) == []) }
            if let after = change.after { #expect(try await Self.found(after, in: store) == [user.localID]) }
            #expect(try await store.read { try $0.usersWithOtherWords(after: 0, limit: 10).users } == [])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `move with identities and aliases`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let (ada, grace) = (Self.ada(), User.sample())
            let (first, second) = (
                Identity.sample(of: ada, .sample(provider: "a", subject: "11111")),
                Identity.sample(of: ada, .sample(provider: "b", subject: "22222"))
            )
            let heir = Identity.sample(of: grace, .sample(provider: "c", subject: "33333"))
            try await store.write { tx in
                _ = try tx.insert(ada)
                _ = try tx.insert(grace)
                _ = try tx.insert(first)
                _ = try tx.insert(second)
                _ = try tx.insert(heir)
                _ = try tx.addAlias(.sample(provider: "a", subject: "44444"), to: first.key, at: .noon)
                _ = try tx.addUserAlias("formerId", of: ada.key, at: .noon)
            }

            try await store.write { tx in _ = try tx.moveIdentity(key: second.key, from: ada.key, to: grace.key) }
            #expect(try await Self.found("22222", in: store) == [grace.localID])

            try await store.write { tx in try tx.moveRows(ofIdentity: first.key, to: heir.key) }
            #expect(try await Self.found("44444", in: store) == [grace.localID])

            let names = try await store.read { try $0.rowNames(of: ada.key) }
            try await store.write { tx in try tx.moveRows(from: ada.key, to: grace.key) }
            #expect(try await Self.found("11111", in: store) == [grace.localID])
            #expect(try await Self.found("former", in: store) == [grace.localID])

            try await store.write { tx in try tx.returnRows(names, from: grace.key, to: ada.key) }
            #expect(try await Self.found("former", in: store) == [ada.localID])

            try await store.write { tx in _ = try tx.removeUserAlias("formerId") }
            #expect(try await Self.found("former", in: store) == [])
            #expect(try await store.read { try $0.usersWithOtherWords(after: 0, limit: 10).users } == [])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `that are missing or left over are found and written`(on engine: TestEngine) async throws {
        try await withStore(engine) { store in
            let users = [Self.ada("a@example.com"), Self.ada("b@example.com"), Self.ada("c@example.com")]
            for user in users { try await store.addUser(user) }
            try await store.write { tx in
                _ = try tx.run(
                    Statement("spoil_words", "DELETE FROM user_words WHERE user_key = $1", .integer),
                    .integer(users[0].key))
                _ = try tx.run(
                    Statement("spoil_user", "UPDATE users SET display_name = 'Grace' WHERE key = $1", .integer),
                    .integer(users[2].key))
            }

            let first = try await store.read { try $0.usersWithOtherWords(after: 0, limit: 2) }
            let second = try await store.read { try $0.usersWithOtherWords(after: first.last ?? 0, limit: 2) }
            let end = try await store.read { try $0.usersWithOtherWords(after: second.last ?? 0, limit: 2) }
            try await store.write { tx in for key in first.users + second.users { tx.noteTextChange(of: key) } }

            #expect(first.users == [users[0].key] && second.users == [users[2].key] && end.last == nil)
            #expect(try await Self.found("grace", in: store) == [users[2].localID])
            #expect(try await Self.found("lovelace", in: store) == [users[0].localID, users[1].localID])
            #expect(try await store.read { try $0.usersWithOtherWords(after: 0, limit: 10).users } == [])
        }
    }

    // A method that writes such a column and does not note the user would be found here as a statement without a line.
    @Test func `are written by every statement that writes a searched column`() {
        let tables = TableDefinition.all.filter { $0.columns.contains { $0.searched != nil } }
        let writing = Statement.all.filter { statement in
            tables.contains { table in
                let names = table.columns.filter { $0.searched != nil || $0.parent != nil }.map(\.name)
                let sets = names.contains {
                    statement.sql.contains("SET \($0) =") || statement.sql.contains(", \($0) =")
                }
                return statement.sql.contains("UPDATE \(table.name) ") && sets
                    || statement.sql.contains("INSERT INTO \(table.name) ")
                    || statement.sql.contains("DELETE FROM \(table.name) ")
            }
        }
        // Copies have the words as rows.
        let names = Set(writing.map(\.name)).filter { !$0.hasPrefix("copy_") }

        #expect(
            names == [
                "insert_users", "insert_untaken_users", "replace_user", "release_email", "set_email",
                "set_user_profile", "record_initial_email", "delete_user", "insert_identities",
                "insert_untaken_identities", "insert_identity", "remove_identities_of_user",
                "refresh_identity_profile", "set_identity_email", "move_identity", "delete_identity",
                "replace_identity_subject", "add_identity_alias", "remove_identity_alias", "add_user_alias",
                "remove_user_alias", "move_rows_of_identities", "move_rows_of_user_aliases",
                "move_identity_rows_of_identity_aliases", "return_row_of_user_aliases",
            ])
    }
}
