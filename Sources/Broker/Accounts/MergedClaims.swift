/// The user whose custom claims a merged user has, as an administrator decides who has seen both sets.
package enum MergedClaims: String, Codable, Sendable, CaseIterable {
    /// The survivor keeps its own.
    case survivor
    /// The absorbed user's replace the survivor's.
    case absorbed
}

/// Two users have different custom claims, and no administrator has decided which the merged user has.
package struct MergedClaimsUndecided: Error, Sendable, Equatable {
    /// The custom claims of the two users, JSON objects as text.
    package let survivor, absorbed: String
}
