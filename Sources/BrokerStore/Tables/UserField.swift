package import StoreSchema

/// A column of users that records on the wire have, as the table declares it: what look-up shows, imports and exports
/// carry, and administrators may set.
package struct UserField: Sendable, Hashable {
    /// The Swift form of the value.
    package enum Form: Sendable, Hashable {
        case text, flag, time, integer
    }

    /// Its name on the wire.
    package let name: String
    package let form: Form
    package let isOptional: Bool
    /// Whether administrators set it as it is.
    package let isAdministered: Bool
    package let column: ColumnDefinition
    /// Of the column among those of the record.
    fileprivate let position: Int

    /// All of them, in the order of the columns.
    package static let all: [UserField] = User.table.fields.compactMap { field in
        guard let property = field.property, let column = field.columns.first, let wire = column.wire,
            let form = Form(property.form), let position = User.table.recordColumns.firstIndex(of: column)
        else { return nil }
        return UserField(
            name: wire.name, form: form, isOptional: property.isOptional, isAdministered: wire.isAdministered,
            column: column, position: position)
    }

    package static let administered = all.filter(\.isAdministered)

    static let administration = Statement(
        "set_administered_user_fields",
        """
        UPDATE users SET \(UserField.administered.enumerated().map {
            "\($1.column.name) = $\($0 + 2)"
        }.joined(separator: ", ")) WHERE key = $1
        """, parameters: [.integer] + UserField.administered.map(\.column.type))
}

extension UserField.Form {
    fileprivate init?(_ form: PropertyDefinition.Form) {
        switch form {
        case .text: self = .text
        case .flag: self = .flag
        case .time: self = .time
        case .integer: self = .integer
        case .blob, .words, .choice, .group, .type: return nil
        }
    }
}

extension User {
    /// Calls `body` with each field and its value, in the order of ``UserField/all``.
    package func forEachField(_ body: (UserField, SQLValue) -> Void) {
        let values = values
        for field in UserField.all { body(field, values[field.position]) }
    }

    /// The value of a field. A value of another type, or null where the property is not optional, changes nothing.
    package subscript(field: UserField) -> SQLValue {
        get { values[field.position] }
        set {
            var values = values
            values[field.position] = newValue
            var row = Row(values, of: Self.table.name)
            if let changed = try? User(reading: &row) { self = changed }
        }
    }
}
