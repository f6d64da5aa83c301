import PostgreSQLTesting
import StoreSchema
import Testing

@testable import BrokerStore

extension User {
    fileprivate static let key = Statement("user_by_key_in_tests", "SELECT key FROM users WHERE key = $1", .integer)
}

@Suite("Statements and rows")
struct StatementTests {
    @Test(
        arguments: [
            [], [.integer(1), .integer(2)], [.text("1")], [.null(.text)], [.blob([1])],
        ] as [[SQLValue]])
    func `values that do not fit the declaration are refused`(values: [SQLValue]) async throws {
        try await withStore { store in
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.read { tx in try tx.run(User.key, values: values) }
            }

            #expect(error?.kind == .misuse)
        }
    }

    @Test func `a text with a NUL is refused on every engine`() async throws {
        try await withStore { store in
            let user = User(key: newKey(), localID: randomText(), displayName: "Ann\u{0}", createdAt: .noon)

            let error = await #expect(throws: StoreError.self) { try await store.addUser(user) }

            #expect(error?.kind == .misuse)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a statement without rows says how many it has changed`(on engine: TestEngine) async throws {
        let add = Statement(
            "add_in_tests", "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING", .text, .blob)
        let change = Statement(
            "change_in_tests", "UPDATE settings SET value = $1 WHERE name LIKE 'of tests %'", .blob)
        let list = Statement("list_in_tests", "SELECT name FROM settings WHERE name LIKE 'of tests %'")
        let remove = Statement("remove_in_tests", "DELETE FROM settings WHERE name = $1", .text)
        try await withStore(engine) { store in
            let counts = try await store.write { tx in
                [
                    try tx.run(add, .text("of tests 1"), .blob([1])), try tx.run(add, .text("of tests 2"), .blob([2])),
                    try tx.run(add, .text("of tests 2"), .blob([3])), try tx.run(change, .blob([4])),
                    try tx.run(list), try tx.run(remove, .text("of tests 3")),
                    try tx.run(remove, .text("of tests 2")), try tx.run(list),
                ]
            }

            #expect(counts == [1, 1, 0, 2, 2, 0, 1, 1])
        }
    }

    @Test(arguments: [[0x41, 0, 0x42], [0], [0x41, 0xFF], [0xC3]] as [[UInt8]])
    func `bytes of a file of SQLite that are no text are an error`(bytes: [UInt8]) async throws {
        let statement = Statement("cast_in_tests", "SELECT CAST($1 AS TEXT)", .blob)
        try await withStore(.sqlite) { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.read { tx in
                    _ = try tx.value(statement, .blob(bytes)) { row throws(StoreError) in try row.text() }
                }
            }

            #expect(error?.kind == .corrupt)
        }
    }

    @Test func `parameters are bound by name, not by first appearance`() async throws {
        let statement = Statement("reversed", "SELECT $2, $1, $2", .integer, .text)
        try await withStore { store in
            let answer = try await store.read { tx in
                try tx.value(statement, .integer(1), .text("two")) { row throws(StoreError) in
                    (try row.text(), try row.integer(), try row.text())
                }
            }

            #expect(try #require(answer) == ("two", 1, "two"))
        }
    }

    @Test(arguments: ["SELECT $1, $3", "SELECT $1", "SELECT $1, $2, $3", "SELECT $1 FROM nowhere WHERE $2"])
    func `a text that does not fit its declaration is refused`(sql: String) async throws {
        try await withStore { store in
            let statement = Statement("wrong", sql, .integer, .integer)

            let error = await #expect(throws: StoreError.self) {
                try await store.read { tx in _ = try tx.run(statement, .integer(1), .integer(2)) }
            }

            #expect(error?.kind == .misuse)
        }
    }

    @Test func `a column of another type is an error, not a crash`() throws {
        var row = Row([.text("1"), .null(.integer), .integer(1)], of: "test")

        #expect(throws: StoreError.self) { _ = try row.integer() }
        #expect(throws: StoreError.self) { _ = try row.text() }
        #expect(throws: StoreError.self) { _ = try row.optionalBlob() }
        let error = #expect(throws: StoreError.self) { _ = try row.integer() }
        #expect(error?.kind == .misuse)
    }

    @Test func `values of every shape come back as they went in`() async throws {
        let statement = Statement("echo", "SELECT $1, $2, $3", .integer, .text, .blob)
        let shapes: [[SQLValue]] = [
            [.integer(.min), .text(""), .blob([])], [.integer(.max), .text("Å 🐈 ' -- \u{301}"), .blob([0, 255])],
            [.null(.integer), .null(.text), .null(.blob)],
            [.integer(0), .text(randomText(5000)), .blob(randomBytes(7000))],
            [.integer(1), .text(randomText(20)), .blob(randomBytes(20))],
        ]
        try await withStore { store in
            for shape in shapes {
                let echo = try await store.read { tx in
                    try tx.value(statement, values: shape) { row throws(StoreError) in
                        [
                            SQLValue.integer(orNull: try row.optionalInteger()),
                            .text(orNull: try row.optionalText()), .blob(orNull: try row.optionalBlob()),
                        ]
                    }
                }

                #expect(echo == shape)
            }
        }
    }
}
