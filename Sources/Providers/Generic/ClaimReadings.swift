import ProviderKit

extension ClaimPointers {
    /// What each pointer selects in a document, in order of preference.
    func readings(of claim: String, in document: JSONValue, named name: String) -> [ClaimReading] {
        pointers.map { ClaimReading(claim, at: "\(name) \($0)", document[$0]) }
    }
}

extension ProfileClaims {
    /// What the options selected in the documents, of which earlier ones have precedence.
    func readings(in documents: [(name: String, value: JSONValue)]) -> [ClaimReading] {
        let claims = [
            ("email", email), ("emailVerified", emailVerified), ("displayName", displayName), ("givenName", givenName),
            ("familyName", familyName), ("pictureUrl", pictureURL), ("screenName", screenName),
        ]
        return claims.flatMap { claim, pointers in
            documents.flatMap { document in
                pointers?.readings(of: claim, in: document.value, named: document.name) ?? []
            }
        }
    }
}
