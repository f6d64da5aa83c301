/// The columns and keys of a table, for generic copies, comparisons and verifications.
package struct TableShape: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: ColumnType

        static func integer(_ name: String) -> Column { Column(name: name, type: .integer) }
        static func text(_ name: String) -> Column { Column(name: name, type: .text) }
        static func blob(_ name: String) -> Column { Column(name: name, type: .blob) }
    }

    /// A column that holds the `key` of a row of another table, and goes with it.
    package struct Parent: Sendable, Hashable {
        package let column: String
        package let table: String
    }

    /// Columns no two rows have in common, besides the primary key.
    package struct Uniqueness: Sendable, Hashable {
        /// The way an outdated row of the target yields its unique values to another row. It is updated itself later.
        enum Release: Sendable, Hashable {
            /// It goes. For rows nothing depends on.
            case removal
            /// It gets unused values: the assignments of an UPDATE.
            case assignment(String)
        }

        package let columns: [String]
        let release: Release

        init(_ columns: String..., release: Release = .removal) {
            self.columns = columns
            self.release = release
        }
    }

    package let name: String
    /// In the order in which they were defined.
    package let columns: [Column]
    /// The primary key.
    package let key: [Column]
    package let parents: [Parent]
    package let uniques: [Uniqueness]
    /// The positions of the columns of ``key``.
    let keyPositions: [Int]

    /// - Parameters:
    ///   - name: The table.
    ///   - columns: All of them.
    ///   - key: The names of the primary key's columns.
    ///   - parents: Column to table.
    ///   - uniques: What is unique besides the primary key.
    init(
        _ name: String, _ columns: [Column], key: [String] = ["key"], parents: [Parent] = [],
        uniques: [Uniqueness] = []
    ) {
        self.name = name
        self.columns = columns
        self.parents = parents
        self.uniques = uniques
        keyPositions = key.compactMap { name in columns.firstIndex { $0.name == name } }
        self.key = keyPositions.map { columns[$0] }
    }

    /// The column that names a row in a report: private, of no meaning outside.
    var reportColumn: String { key.count == 1 ? key[0].name : parents.first?.column ?? key[0].name }

    /// The position of a column.
    func position(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

    static func list(_ columns: [Column]) -> String { columns.map(\.name).joined(separator: ", ") }
}
