/// Some properties of a table's record as a type of their own, for reads that need no others.
package struct ProjectionDefinition: Sendable, Hashable {
    /// The name of the type, in BrokerStore.
    package let name: String
    package let table: TableDefinition
    /// The doc comment of the type.
    package let text: String
    /// The names of the properties.
    package let properties: [String]
    /// Their fields, in this order.
    package let fields: [FieldDefinition]

    init(_ name: String, of table: TableDefinition, _ text: String, properties: [String]) {
        self.name = name
        self.table = table
        self.text = text
        self.properties = properties
        fields = properties.compactMap { name in table.fields.first { $0.property?.name == name } }
    }

    /// The columns, qualified by the table, as SQL lists them.
    package var columnList: String {
        fields.flatMap(\.columns).map { "\(table.name).\($0.name)" }.joined(separator: ", ")
    }
}

extension ProjectionDefinition {
    package static let linkedIdentity = ProjectionDefinition(
        "LinkedIdentity", of: .identities,
        "An identity as its user's record shows it, without the provider's raw profile.",
        properties: ["identity", "email", "displayName", "photoURL", "screenName", "isAnonymous"])

    package static let tokenIdentity = ProjectionDefinition(
        "TokenIdentity", of: .identities, "An identity as tokens name it.",
        properties: ["identity", "screenName", "isAnonymous"])

    package static let all = [linkedIdentity, tokenIdentity]
}
