/// The declaration of a table: its columns, its keys, the record of a row, and what happens to its rows with the user they
/// belong to.
///
/// The store takes from here what it copies, seals, verifies and removes. `scripts/generate` writes the records. Migrations
/// are written by hand; tests compare what they make with the declarations.
package struct TableDefinition: Sendable, Hashable {
    package typealias Column = ColumnDefinition

    /// How SQLite stores the rows.
    package enum KeyStorage: Sendable, Hashable {
        /// In the order of the primary key (`WITHOUT ROWID`).
        case clustered
        /// By a number of their own, which the primary key stands for.
        case rowID
    }

    /// A column that holds the `key` of a row of another table, and is deleted with it.
    package struct Parent: Sendable, Hashable {
        package let column: String
        package let table: String
    }

    /// Columns no two rows have in common, besides the primary key.
    package struct Uniqueness: Sendable, Hashable {
        /// The way an outdated row of the target of a copy yields its unique values to another row. It is updated itself
        /// later.
        package enum Release: Sendable, Hashable {
            /// It is deleted. For rows nothing depends on.
            case removal
            /// It gets unused values: the assignments of an UPDATE.
            case assignment(String)
        }

        package let columns: [String]
        package let release: Release

        package static func columns(_ columns: String..., release: Release = .removal) -> Uniqueness {
            Uniqueness(columns: columns, release: release)
        }
    }

    /// An index that is not unique.
    package struct Index: Sendable, Hashable {
        package let name: String
        /// The columns or expressions, as in SQL.
        package let columns: String
        /// The rows it has, as a condition in SQL; nil for all of them.
        package let condition: String?

        package static func index(_ name: String, _ columns: String, where condition: String? = nil) -> Index {
            Index(name: name, columns: columns, condition: condition)
        }
    }

    package let name: String
    /// The name of the type of a row, in BrokerStore; nil where no type has whole rows.
    package let record: String?
    /// The doc comment of the record.
    package let text: String
    package let fields: [FieldDefinition]
    /// In the order in which they were defined.
    package let columns: [Column]
    /// The primary key.
    package let key: [Column]
    package let keyStorage: KeyStorage
    package let parents: [Parent]
    package let uniques: [Uniqueness]
    package let indexes: [Index]
    package let ownership: Ownership
    /// The positions of the columns of ``key``.
    package let keyPositions: [Int]

    /// - Parameters:
    ///   - name: The table.
    ///   - record: The type of its rows.
    ///   - text: The record's doc comment.
    ///   - key: The names of the primary key's columns.
    ///   - keyStorage: How SQLite stores the rows.
    ///   - uniques: What is unique besides the primary key.
    ///   - indexes: The other indexes.
    ///   - ownership: Whose rows they are, and what happens to them with the user.
    ///   - fields: All columns, in the order in which a digest of the table has them: a new one is the last.
    init(
        _ name: String, record: String? = nil, _ text: String = "", key: [String] = ["key"],
        keyStorage: KeyStorage = .clustered, uniques: [Uniqueness] = [], indexes: [Index] = [], ownership: Ownership,
        fields: [FieldDefinition]
    ) {
        self.name = name
        self.record = record
        self.text = text
        self.fields = fields
        self.keyStorage = keyStorage
        self.uniques = uniques
        self.indexes = indexes
        self.ownership = ownership
        let columns = fields.flatMap(\.columns)
        self.columns = columns
        parents = columns.compactMap { column in column.parent.map { Parent(column: column.name, table: $0) } }
        keyPositions = key.compactMap { name in columns.firstIndex { $0.name == name } }
        self.key = keyPositions.map { columns[$0] }
    }

    /// The columns that the record has.
    package var recordColumns: [Column] { fields.filter { $0.property != nil }.flatMap(\.columns) }

    /// The column that names a row in a report: private, of no meaning outside.
    package var reportColumn: String {
        if key.count > 1, let parent = parents.first { return parent.column }
        // Bytes have no maximum in every database, and reports are text.
        return key[0].type == .blob ? columns.first { $0.type == .integer }?.name ?? key[0].name : key[0].name
    }

    /// The position of a column.
    package func position(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

    /// The names of columns, as SQL lists them.
    package static func list(_ columns: [Column]) -> String { columns.map(\.name).joined(separator: ", ") }
}
