// Generated from `identities` in Sources/StoreSchema by scripts/generate. Do not edit.

import StoreSchema

/// An identity as its user's record shows it, without the provider's raw profile.
package struct LinkedIdentity: Sendable, Hashable {
    package var identity: IdentityKey
    package var email: String?
    package var displayName: String?
    package var photoURL: String?
    package var screenName: String?
    package var isAnonymous: Bool
}

extension LinkedIdentity {
    /// The columns that it reads, qualified by the table.
    static let columns = ProjectionDefinition.linkedIdentity.columnList

    package init(_ record: Identity) {
        identity = record.identity
        email = record.email
        displayName = record.displayName
        photoURL = record.photoURL
        screenName = record.screenName
        isAnonymous = record.isAnonymous
    }

    package init(reading row: inout Row) throws(StoreError) {
        identity = try IdentityKey(reading: &row)
        email = try row.optionalText()
        displayName = try row.optionalText()
        photoURL = try row.optionalText()
        screenName = try row.optionalText()
        isAnonymous = try row.flag()
    }
}
