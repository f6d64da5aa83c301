// Generated from `identities` in Sources/StoreSchema by scripts/generate. Do not edit.

import StoreSchema

/// An identity as tokens name it.
package struct TokenIdentity: Sendable, Hashable {
    package var identity: IdentityKey
    package var screenName: String?
    package var isAnonymous: Bool
}

extension TokenIdentity {
    /// The columns that it reads, qualified by the table.
    static let columns = ProjectionDefinition.tokenIdentity.columnList

    package init(_ record: Identity) {
        identity = record.identity
        screenName = record.screenName
        isAnonymous = record.isAnonymous
    }

    package init(reading row: inout Row) throws(StoreError) {
        identity = try IdentityKey(reading: &row)
        screenName = try row.optionalText()
        isAnonymous = try row.flag()
    }
}
