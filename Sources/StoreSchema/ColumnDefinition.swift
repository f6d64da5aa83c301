/// The three column types that both engines have.
package enum ColumnType: Sendable, Hashable {
    /// `bigint`: numbers, moments, 0 and 1 for false and true.
    case integer
    /// `broker_text`: text compared byte by byte.
    case text
    /// `bytea`: bytes.
    case blob
}

/// A column of a table.
package struct ColumnDefinition: Sendable, Hashable {
    package let name: String
    package let type: ColumnType
    package let isNullable: Bool
    /// The table whose `key` it holds; the row is deleted with that one's.
    package var parent: String?
    /// How its value is sealed; nil for a value that is not.
    package var seal: SealDefinition?
    /// Whether an integer is 0 for false or 1 for true.
    package var isFlag = false
    /// Whether an integer is a time in milliseconds since 1970.
    package var isTime = false
    /// The name of its value in JSON.
    package var member: String
    /// How records on the wire have it; nil for a column that they do not show.
    package var wire: WireDefinition?
    /// What its text is where users are searched by it; nil where they are not.
    package var searched: SearchedText?

    package init(
        _ name: String, _ type: ColumnType, isNullable: Bool = false, searched: SearchedText? = nil
    ) {
        self.name = name
        self.type = type
        self.isNullable = isNullable
        self.searched = searched
        member = Self.camelCase(name)
    }

    init(copying column: ColumnDefinition, isNullable: Bool) {
        self.init(column.name, column.type, isNullable: isNullable)
        (parent, seal, isFlag, isTime) = (column.parent, column.seal, column.isFlag, column.isTime)
        searched = column.searched
    }

    /// `local_id` is `localId`.
    package static func camelCase(_ name: String) -> String {
        name.split(separator: "_").enumerated().map { index, word in
            index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}

/// A kind of text by whose words users are searched.
package enum SearchedText: Sendable, Hashable {
    /// A name: each of its words.
    case name
    /// An e-mail address: as a whole, by the words before the at sign, and by its domain.
    case address
    /// An id: as a whole.
    case identifier
}

/// A column in the records of users on the wire, such as those of Identity Toolkit.
package struct WireDefinition: Sendable, Hashable {
    package let name: String
    /// Whether administrators set it as it is. What is in other columns follows from more than their request.
    package let isAdministered: Bool

    /// A column that records show.
    package static func shown(_ name: String) -> WireDefinition { WireDefinition(name: name, isAdministered: false) }

    /// A column that records show and administrators set.
    package static func administered(_ name: String) -> WireDefinition {
        WireDefinition(name: name, isAdministered: true)
    }
}

/// The purpose of the key that seals a column's values, and the name that binds each value to its row.
package struct SealDefinition: Sendable, Hashable {
    /// A part of a row's name, as it is authenticated with the value.
    package enum NamePart: Sendable, Hashable {
        case literal(String)
        /// A column of text, qualified by its table where that is another one.
        case text(String)
        /// A column of integers, in decimal digits.
        case integer(String)
        /// A column of bytes, as base64url without padding.
        case base64URL(String)
    }

    /// The raw value of the purpose.
    package let purpose: String
    package let name: [NamePart]
    /// The `JOIN` of the table that other parts of the name stand in.
    package let join: String

    package init(_ purpose: String, _ name: [NamePart], join: String = "") {
        self.purpose = purpose
        self.name = name
        self.join = join
    }
}
