/// Columns of a table that one property of its record has: usually one. Without a property the record does not have them.
package struct FieldDefinition: Sendable, Hashable {
    package let columns: [ColumnDefinition]
    package let property: PropertyDefinition?
}

/// A property of a record.
package struct PropertyDefinition: Sendable, Hashable {
    /// The Swift form of the columns.
    package indirect enum Form: Sendable, Hashable {
        case integer, text, blob, flag, time
        /// A list of texts without spaces, in one text separated by spaces.
        case words
        /// The raw value of the enumeration with this name. `null` is the case that stands for null in the table.
        case choice(String, null: String? = nil)
        /// A structure of the record's own, with a property for each of these fields. An optional one is nil where a column
        /// of a required property is null; a required property with an initial value has that in the columns then.
        case group(String, [FieldDefinition])
        /// A type that reads and writes the columns itself.
        case type(String)
    }

    package let name: String
    package let form: Form
    package let isOptional: Bool
    /// The default of the initialiser's parameter, in Swift.
    package let initial: String?
    /// The doc comment.
    package let text: String
}

/// Whether a column may be null, and the property nil.
package enum Presence: Sendable, Hashable {
    case required, optional
}

extension FieldDefinition {
    private init(
        _ column: ColumnDefinition, _ form: PropertyDefinition.Form, _ presence: Presence, _ property: String?,
        _ initial: String?, _ text: String
    ) {
        let name = property ?? Self.property(of: column.name, isFlag: form == .flag)
        var column = column
        column.isFlag = form == .flag
        column.isTime = form == .time
        column.member = Self.member(of: name, isFlag: form == .flag)
        columns = [column]
        self.property = PropertyDefinition(
            name: name, form: form, isOptional: presence == .optional,
            initial: initial ?? (presence == .optional ? "nil" : nil), text: text)
    }

    /// The row's private key, which foreign keys of other tables hold.
    static func key(comment: String = "Private, time-ordered.") -> FieldDefinition {
        integer("key", comment: comment)
    }

    static func integer(
        _ name: String, _ presence: Presence = .required, as property: String? = nil, initial: String? = nil,
        wire: WireDefinition? = nil, comment: String = ""
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, .integer, isNullable: presence == .optional)
        column.wire = wire
        return FieldDefinition(column, .integer, presence, property, initial, comment)
    }

    /// The `key` of a row of another table, with which the row is deleted.
    static func reference(
        _ name: String, to table: String, _ presence: Presence = .required, comment: String = ""
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, .integer, isNullable: presence == .optional)
        column.parent = table
        return FieldDefinition(column, .integer, presence, nil, nil, comment)
    }

    static func text(
        _ name: String, _ presence: Presence = .required, as property: String? = nil, initial: String? = nil,
        wire: WireDefinition? = nil, searched: SearchedText? = nil, comment: String = ""
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, .text, isNullable: presence == .optional, searched: searched)
        column.wire = wire
        return FieldDefinition(column, .text, presence, property, initial, comment)
    }

    static func words(
        _ name: String, as property: String? = nil, initial: String? = nil, comment: String = ""
    ) -> FieldDefinition {
        FieldDefinition(ColumnDefinition(name, .text), .words, .required, property, initial, comment)
    }

    static func blob(
        _ name: String, _ presence: Presence = .required, as property: String? = nil, comment: String = ""
    ) -> FieldDefinition {
        FieldDefinition(
            ColumnDefinition(name, .blob, isNullable: presence == .optional), .blob, presence, property, nil, comment)
    }

    /// Bytes that are sealed with the row's name.
    static func sealed(
        _ name: String, _ presence: Presence = .required, as property: String? = nil, by seal: SealDefinition,
        comment: String = ""
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, .blob, isNullable: presence == .optional)
        column.seal = seal
        return FieldDefinition(column, .blob, presence, property, nil, comment)
    }

    /// 0 for false, 1 for true.
    static func flag(
        _ name: String, as property: String? = nil, initial: String? = nil, wire: WireDefinition? = nil,
        comment: String = ""
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, .integer)
        column.wire = wire
        return FieldDefinition(column, .flag, .required, property, initial, comment)
    }

    /// Milliseconds since 1970.
    static func time(
        _ name: String, _ presence: Presence = .required, as property: String? = nil, initial: String? = nil,
        wire: WireDefinition? = nil, comment: String = ""
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, .integer, isNullable: presence == .optional)
        column.wire = wire
        return FieldDefinition(column, .time, presence, property, initial, comment)
    }

    static func choice(
        _ name: String, of type: String, _ presence: Presence = .required, as property: String? = nil,
        initial: String? = nil, comment: String = ""
    ) -> FieldDefinition {
        FieldDefinition(
            ColumnDefinition(name, .text, isNullable: presence == .optional), .choice(type), presence, property,
            initial, comment)
    }

    /// A choice whose most common case is null in the table.
    static func choice(
        _ name: String, of type: String, null: String, as property: String? = nil, comment: String = ""
    ) -> FieldDefinition {
        FieldDefinition(
            ColumnDefinition(name, .text, isNullable: true), .choice(type, null: null), .required, property,
            ".\(null)", comment)
    }

    /// Several columns as one property with a structure of its own.
    static func group(
        _ property: String, of type: String, _ presence: Presence = .optional, comment: String = "",
        _ fields: [FieldDefinition]
    ) -> FieldDefinition {
        let columns = fields.flatMap { field in
            field.columns.map { column in
                let isNullable = presence == .optional && field.property?.initial == nil
                return ColumnDefinition(copying: column, isNullable: column.isNullable || isNullable)
            }
        }
        return FieldDefinition(
            columns: columns,
            property: PropertyDefinition(
                name: property, form: .group(type, fields), isOptional: presence == .optional,
                initial: presence == .optional ? "nil" : nil, text: comment))
    }

    /// Several columns as one property of a type that is declared elsewhere.
    static func type(
        _ property: String, of type: String, initial: String? = nil, comment: String = "", _ columns: [ColumnDefinition]
    ) -> FieldDefinition {
        FieldDefinition(
            columns: columns,
            property: PropertyDefinition(
                name: property, form: .type(type), isOptional: false, initial: initial, text: comment))
    }

    /// A column that the record does not have.
    static func column(
        _ name: String, _ type: ColumnType, _ presence: Presence = .required, sealedBy seal: SealDefinition? = nil
    ) -> FieldDefinition {
        var column = ColumnDefinition(name, type, isNullable: presence == .optional)
        column.seal = seal
        return FieldDefinition(columns: [column], property: nil)
    }

    /// The spelling of a property in JSON: `localID` is `localId`, and `isDisabled` is `disabled`.
    private static func member(of property: String, isFlag: Bool) -> String {
        if isFlag, property.hasPrefix("is") {
            return property.dropFirst(2).prefix(1).lowercased() + property.dropFirst(3)
        }
        return property.hasSuffix("ID") ? property.dropLast(2) + "Id" : property
    }

    /// The Swift spelling of a column's name: `photo_url` is `photoURL`, and the flag `disabled` is `isDisabled`.
    private static func property(of column: String, isFlag: Bool) -> String {
        let initialisms = ["id": "ID", "url": "URL", "uri": "URI", "uris": "URIs", "jwk": "JWK", "ids": "IDs"]
        var words = column.split(separator: "_").map(String.init)
        if isFlag { words.insert("is", at: 0) }
        return words.enumerated().map { index, word in
            index == 0 ? word : initialisms[word] ?? word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}
