import Foundation
import ProviderKit
import StoreSchema
import Testing

@testable import Broker
@testable import BrokerStore

/// A column that is declared is carried by everything that carries users. Each property gets a value of its own here, from
/// the declaration: a new column is filled, and missed where it is lost.
@Suite("Every property of users and identities")
struct RecordRoundTripTests {
    private static let admin = Origin(.admin, actor: "root")

    /// A record whose every column has a value: texts name their column, numbers differ, flags are true.
    static func filled<R: Record>(_ type: R.Type, _ values: [String: JSONValue]) throws -> R {
        var object = JSONObject()
        for (index, column) in type.table.recordColumns.enumerated() {
            object[column.member] =
                values[column.name]
                ?? {
                    switch column.type {
                    case .integer: column.isFlag ? true : .integer(1_700_000_000_000 + Int64(index) * 1000)
                    case .text: .string("\(column.name) text")
                    case .blob: .string(Data(column.name.utf8).base64EncodedString())
                    }
                }()
        }
        let record = try #require(R(json: object))
        #expect(record.values.allSatisfy { if case .null = $0 { false } else { true } })
        return record
    }

    static func user(key: Int64, _ localID: String) throws -> User {
        try filled(
            User.self,
            [
                "key": .integer(key), "local_id": .string(localID), "email": "all@example.com",
                "email_canonical": "all@example.com", "email_asserted_by": .string(MergingProvider.id),
                "photo_url": "https://example.com/p.png", "disabled": false, "custom_attributes": #"{"role":"a"}"#,
                "initial_email": "first@example.com", "valid_since": 1_650_000_000, "epoch": 3,
            ])
    }

    static func identity(key: Int64, of user: User, _ subject: String) throws -> Identity {
        try filled(
            Identity.self,
            [
                "key": .integer(key), "user_key": .integer(user.key), "provider": .string(MergingProvider.id),
                "issuer": "https://merging.example", "subject": .string(subject), "email": "all@example.com",
                "photo_url": "https://example.com/i.png", "profile": #"{"id":1}"#, "anonymous": false,
            ])
    }

    /// The names of the columns in which two records differ.
    static func differences<R: Record>(_ one: R, _ other: R) -> Set<String> {
        Set(zip(R.table.recordColumns, zip(one.values, other.values)).filter { $1.0 != $1.1 }.map(\.0.name))
    }

    @Test func `are back after a merge and its undo`() async throws {
        try await TestBroker.runWithMerges { broker in
            let survivor = try await broker.signIn(.init("9")).string("localId")
            let (user, identity) = try await broker.core.store.write { transaction in
                let user = try Self.user(key: transaction.nextKey(), "everything")
                let identity = try Self.identity(key: transaction.nextKey(), of: user, "7")
                #expect(try transaction.insert(user) && transaction.insert(identity))
                let other = try #require(try transaction.user(localID: survivor))
                #expect(
                    try transaction.insert(
                        PendingMerge(
                            key: transaction.nextKey(), id: "merge", survivorKey: other.key, absorbedKey: user.key,
                            provider: MergingProvider.id, createdAt: transaction.now)))
                return (user, identity)
            }
            _ = try await broker.core.accounts.approveMerge("merge", claims: .survivor, origin: Self.admin)
            #expect(try await broker.user("everything") == nil)

            _ = try await broker.core.accounts.undoMerge("merge", origin: Self.admin)

            let restored = try #require(try await broker.user("everything"))
            // The row is a new one in an epoch of its own, and an administrator gives claims anew.
            #expect(
                Self.differences(user, restored.user)
                    == ["key", "epoch", "valid_since", "custom_attributes"])
            let returned = try #require(restored.identities.first)
            #expect(Self.differences(identity, returned) == ["key", "user_key"])
        }
    }

    @Test func `are in an export, and back after its import`() async throws {
        try await TestBroker.runWithMerges { broker in
            let (user, identity) = try await broker.core.store.write { transaction in
                var user = try Self.user(key: transaction.nextKey(), "everything")
                user.isDisabled = true
                var identity = try Self.identity(key: transaction.nextKey(), of: user, "7")
                identity.isAnonymous = true
                #expect(try transaction.insert(user) && transaction.insert(identity))
                return (user, identity)
            }
            let call = AdminCall(broker.core.admin, origin: Self.admin)
            let exported = try await ExportUserPage(after: nil, limit: 10).run(for: call).users
            try await broker.core.accounts.deleteAccount(localID: "everything", origin: Self.admin)

            let answer = try await ImportUserPage(users: exported).run(for: call)

            #expect(answer.results.map(\.outcome) == [.created] && answer.results[0].dropped == nil)
            let imported = try #require(try await broker.user("everything"))
            // Tokens of the exporting broker are not this one's, and no other broker knows who wrote a profile.
            #expect(
                Self.differences(user, imported.user)
                    == ["key", "epoch", "display_name_edited_at", "photo_url_edited_at"])
            let returned = try #require(imported.identities.first)
            #expect(Self.differences(identity, returned) == ["key", "user_key", "imported_at"])
        }
    }

    @Test func `are in the record that look-up shows, and no field is shown that none declares`() async throws {
        try await TestBroker.runWithMerges { broker in
            try await broker.core.store.write { transaction in
                var user = try Self.user(key: transaction.nextKey(), "everything")
                user.isDisabled = true
                #expect(try transaction.insert(user))
            }

            let record = JSONObject(try #require(try await broker.user("everything")))

            #expect(Set(record.names) == Set(UserField.all.map(\.name)))
        }
    }
}
