package import BrokerStore

/// A user of another system or broker, validated, before anything of it is written.
///
/// The user and the identities have no row keys yet, and the identities have the ids of entries in `plugins.json`.
package struct ImportedUser: Sendable {
    package var user: User
    package var identities: [ImportedIdentity]
    /// The local ids of users that were merged into this one.
    package var aliases: [String]
    /// Whether the record said when the user was created.
    package var isCreationKnown: Bool
    /// The names of the record's fields that are not imported.
    package var droppedFields: [String]

    package init(
        user: User, identities: [ImportedIdentity] = [], aliases: [String] = [], isCreationKnown: Bool = true,
        droppedFields: [String] = []
    ) {
        self.user = user
        self.identities = identities
        self.aliases = aliases
        self.isCreationKnown = isCreationKnown
        self.droppedFields = droppedFields
    }
}

/// An identity of an imported user.
package struct ImportedIdentity: Sendable {
    /// Its issuer is empty where the record names none: then it is the entry's.
    package var identity: Identity
    /// Further issuers and subjects of the same account.
    package var aliases: [IdentityKey]

    package init(_ identity: Identity, aliases: [IdentityKey] = []) {
        self.identity = identity
        self.aliases = aliases
    }
}

/// The reason a user is not imported. Nothing of the user was written then.
package enum ImportRefusal: Error, Sendable, Equatable {
    // The record.
    case missingLocalID, invalidLocalID
    /// A field has the wrong type or an invalid value.
    case invalidField(String)
    case claimsTooLarge, invalidClaims, forbiddenClaim
    case invalidEmail
    /// The picture of the user or of a provider entry is no http or https URL.
    case invalidPhotoURL
    /// A provider entry lacks its provider or its subject.
    case incompleteIdentity
    case invalidSubject(provider: String)
    case twoIdentities(provider: String)
    /// No enabled entry of `plugins.json` has this id, so the issuer of the subject is unknown.
    case unknownProvider(String)
    /// The record names an issuer that is neither the entry's nor one of a former owner of its app.
    case foreignIssuer(provider: String)
    // The store.
    case identityHeld(provider: String, by: String)
    case emailHeld(by: String)
    /// Another user, or a user who was merged into another one, has the local id.
    case localIDTaken
    /// A local id that the user was merged from belongs to another user.
    case aliasTaken(String)
}

extension ImportRefusal {
    /// A stable code for reports.
    package var code: String {
        switch self {
        case .missingLocalID: "MISSING_LOCAL_ID"
        case .invalidLocalID: "INVALID_LOCAL_ID"
        case .invalidField: "INVALID_FIELD"
        case .claimsTooLarge: "CLAIMS_TOO_LARGE"
        case .invalidClaims: "INVALID_CLAIMS"
        case .forbiddenClaim: "FORBIDDEN_CLAIM"
        case .invalidEmail: "INVALID_EMAIL"
        case .invalidPhotoURL: "INVALID_PHOTO_URL"
        case .incompleteIdentity: "INCOMPLETE_IDENTITY"
        case .invalidSubject: "INVALID_SUBJECT"
        case .twoIdentities: "TWO_IDENTITIES"
        case .unknownProvider: "UNKNOWN_PROVIDER"
        case .foreignIssuer: "FOREIGN_ISSUER"
        case .identityHeld: "IDENTITY_EXISTS"
        case .emailHeld: "EMAIL_EXISTS"
        case .localIDTaken: "DUPLICATE_LOCAL_ID"
        case .aliasTaken: "DUPLICATE_ALIAS"
        }
    }

    /// The text of Identity Toolkit's answer, where that has one (contract §7.2).
    package var text: String {
        switch self {
        case .missingLocalID: "localId is missing"
        case .invalidLocalID: "localId must have 1 to 128 printable characters"
        case .invalidField(let text): text
        case .claimsTooLarge: "Custom claims provided are too large."
        case .invalidClaims: "Invalid custom claims provided."
        case .forbiddenClaim: "Custom claims provided include a reserved claim."
        case .invalidEmail: "email is invalid"
        case .invalidPhotoURL: ErrorCode.invalidPhotoURL.message("photoUrl \(PictureURL.rule).")
        case .incompleteIdentity: "federatedId or (providerId & rawId) is required"
        case .invalidSubject(let provider): "rawId of \(provider) is no usable subject"
        case .twoIdentities(let provider): "the user has two identities of \(provider)"
        case .unknownProvider(let provider): "no enabled provider entry has the id \(provider)"
        case .foreignIssuer(let provider): "the issuer is not that of the entry \(provider)"
        case .identityHeld: "raw id exists in other account in database"
        case .emailHeld: "email exists in other account in database"
        case .localIDTaken: "localId belongs to an existing account - can not overwrite."
        case .aliasTaken(let localID): "the merged localId \(localID) belongs to another user"
        }
    }

    /// The local id of the user in conflict.
    package var holder: String? {
        switch self {
        case .identityHeld(_, let holder), .emailHeld(let holder): holder
        default: nil
        }
    }
}
