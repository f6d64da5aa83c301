import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import StoreSchema
import Testing

@testable import Broker
@testable import BrokerStore

@Suite("The export of a user's own data")
struct ExportAccountTests {
    private static let tables = TableDefinition.all.filter { $0.ownership.owner != .noUser }

    /// Whether a column is never shown, whatever is declared.
    private static func isSecret(_ column: ColumnDefinition) -> Bool {
        column.seal != nil || column.type == .blob || column.parent != nil || column.name == "key"
            || column.name.hasSuffix("_hash")
    }

    @Test(arguments: tables)
    func `shows or withholds each column of a table with rows of users`(table: TableDefinition) {
        guard let disclosure = Disclosure.all.first(where: { $0.table == table }) else {
            #expect(Disclosure.withheldTables.contains(table.name), "say whether users get rows of \(table.name)")
            return
        }
        let shown = Set(disclosure.columns.map(\.name))
        let withheld = Disclosure.withheld[table.name] ?? []
        let secret = Set(table.columns.filter(Self.isSecret).map(\.name))

        #expect(!Disclosure.withheldTables.contains(table.name))
        #expect(shown.isDisjoint(with: withheld.union(secret)))
        #expect(
            shown.union(withheld).union(secret) == Set(table.columns.map(\.name)),
            "say whether users get each column of \(table.name)")
        #expect(disclosure.documents.isSubset(of: shown))
    }

    /// A user with everything that sign-ins leave, and another one.
    fileprivate struct Scene {
        let broker: TestBroker
        let native: NativeApp
        let session: Answer
        let user: UserRecord
        /// What must not be in the export.
        let secrets: [String]

        static func run(_ test: (Scene) async throws -> Void) async throws {
            try await TestProviders.run { broker, providers in
                try await test(try await Scene(broker, providers))
            }
        }

        private init(_ broker: TestBroker, _ providers: TestProviders) async throws {
            self.broker = broker
            native = try await NativeApp(at: broker)
            let other = try await native.signIn(providers.person(at: "gitlab.com", email: "eve@example.com"))
            let person = providers.apple.people()[0]
            let credential = providers.nativeCredential(of: person)
            session = try await native.exchange(credential)
            let localID = try #require(try session.claims()["sub"]?.string)
            _ = try await native.post(":update", session, ["displayName": "Ann Own"])
            _ = try await native.get("", session)
            var changes = AccountChanges()
            changes.photoURL = .set("https://pictures.example/ann.png")
            _ = try await broker.core.accounts.updateAccount(
                localID: localID, changes, AdministratorChanges(claims: #"{"role":"editor"}"#),
                origin: Origin(.admin, actor: "root@host.example", reason: "complaint 4711"))
            user = try #require(try await broker.user(localID))
            secrets =
                try [other, session].flatMap { answer in
                    try ["access_token", "refresh_token", "id_token"].map { try answer.string($0) }
                } + credential.filter { !["providerId", "user"].contains($0.0) }.map(\.1)
                + ["eve@example.com", try #require(try other.claims()["sub"]?.string), "root@host", "4711"]
        }

        func export() async throws -> Answer { try await native.post(":export", session) }
    }

    @Test func `has what is stored of the user, and the history`() async throws {
        try await Scene.run { scene in
            let export = try await scene.export()

            #expect(export.status == 200 && export["kind"] == "broker#AccountExport", "\(export.text)")
            let user = try #require(export["user"])
            #expect(user["localId"]?.string == scene.user.user.localID && user["displayName"] == "Ann Own")
            #expect(user["customAttributes"]?["role"] == "editor" && user["createdAt"]?.string?.hasSuffix("Z") == true)
            #expect(user["photoUrl"] == "https://pictures.example/ann.png", "\(export.text)")
            let identity = try #require(export["identities"]?.array?.first)
            #expect(identity["provider"] == "apple.com" && identity["profile"]?.object != nil, "\(export.text)")
            #expect(export["grants"]?.array?.first?["provider"] == "apple.com")
            #expect(
                export["sessions"]?.array?.contains { $0["clientId"]?.string == scene.native.app.client.id } == true)
            let history = try #require(export["history"]?.array)
            #expect(history.contains { $0["event"] == "user.created" && $0["providerId"] == "apple.com" })
            #expect(
                history.contains { $0["actor"] == "administrator" && $0["fields"] == ["photoUrl", "customAttributes"] })
            #expect(history.first?["event"] == "user.exported" && export["truncated"] == nil)
        }
    }

    @Test func `has no token, no hash, nothing sealed, no other user and no administrator's reason`() async throws {
        try await Scene.run { scene in
            let text = try await scene.export().text

            for secret in scene.secrets { #expect(!text.contains(secret), "\(secret)") }
            for (column, value) in try await Self.secretValues(in: scene.broker) {
                #expect(!text.contains(value), "\(column)")
            }
        }
    }

    /// All values of columns that are sealed, are bytes or are hashes, in each spelling that JSON could have of them.
    private static func secretValues(in broker: TestBroker) async throws -> [(column: String, value: String)] {
        try await broker.core.store.read { transaction in
            var found: [(String, String)] = []
            for table in TableDefinition.all {
                let columns = table.columns.filter {
                    $0.seal != nil || $0.type == .blob || $0.name.hasSuffix("_hash")
                }
                guard !columns.isEmpty else { continue }
                let statement = Statement(
                    "test_secrets_of_\(table.name)", "SELECT \(TableDefinition.list(columns)) FROM \(table.name)")
                for row in try transaction.rows(statement, decode: { row throws(StoreError) in try row.values() }) {
                    for (column, value) in zip(columns, row) {
                        let spellings: [String] =
                            switch value {
                            case .blob(let bytes):
                                [
                                    Data(bytes).base64EncodedString(), Base64URL.encode(bytes),
                                    Hexadecimal.encode(bytes),
                                ]
                            case .text(let text): [text]
                            case .integer, .null: []
                            }
                        found += spellings.filter { !$0.isEmpty }.map { ("\(table.name).\(column.name)", $0) }
                    }
                }
            }
            #expect(found.contains { $0.0 == "provider_grants.sealed_access_token" || $0.0.contains("sealed_refresh") })
            #expect(found.contains { $0.0 == "decisions.subject_hash" })
            return found
        }
    }

    @Test func `needs a recent login`() async throws {
        try await Scene.run { scene in
            scene.broker.clock.advance(seconds: 301)

            let late = try await scene.export()

            #expect(late.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(late.text)")
        }
    }

    @Test func `is answered once a minute and ten times a day`() async throws {
        try await Scene.run { scene in
            let exports = {
                try await scene.broker.core.accounts.exportAccount(scene.presented, origin: Origin(.client))
            }
            #expect(try await scene.export().status == 200)

            let again = try await scene.export()
            #expect(again.code == "TOO_MANY_ATTEMPTS_TRY_LATER", "\(again.text)")
            #expect(again.headers.first(name: "Retry-After") != nil)

            for _ in 2...10 {
                scene.broker.clock.advance(seconds: 61)
                try await scene.logInNow()
                _ = try await exports()
            }
            scene.broker.clock.advance(seconds: 61)
            try await scene.logInNow()
            await #expect(throws: BrokerError.self) { try await exports() }
            scene.broker.clock.advance(seconds: 86_400)
            try await scene.logInNow()
            _ = try await exports()
        }
    }

    @Test func `two at once are one`() async throws {
        try await Scene.run { scene in
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 1...4 { group.addTask { try await scene.export() } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }

            #expect(answers.filter { $0.status == 200 }.count == 1)
        }
    }
}

extension ExportAccountTests.Scene {
    fileprivate var presented: PresentedSession {
        get throws { .session(id: try #require(try session.claims()["sid"]?.string), .oauth) }
    }

    /// Makes the session's login one of this moment.
    fileprivate func logInNow() async throws {
        let id = try #require(try session.claims()["sid"]?.string)
        let now = Timestamp(broker.clock.now)
        try await broker.core.store.write { transaction in
            var session = try #require(try transaction.session(id: id))
            session.authTime = now.seconds
            session.lastUsedAt = now
            try transaction.recordLogin(of: session)
        }
    }
}
