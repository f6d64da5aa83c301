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

extension OAuth2Settings {
    /// What the options selected in the documents of a sign-in.
    func readings(in documents: ClaimDocuments) -> [ClaimReading] {
        func readings(of claim: String, _ sources: [ClaimSource]?) -> [ClaimReading] {
            (sources ?? []).map { ClaimReading(claim, at: documents.name(of: $0), documents[$0]) }
        }
        let pointers = claims.pointers
        let places = [
            ("subject", subject.sources), ("email", pointers.email?.sources),
            ("emailVerified", pointers.emailVerified?.sources), ("displayName", pointers.displayName?.sources),
            ("givenName", pointers.givenName?.sources), ("familyName", pointers.familyName?.sources),
            ("pictureUrl", pointers.pictureUrl?.sources), ("screenName", pointers.screenName?.sources),
            ("requiredClaims", requiredClaims.sources),
        ]
        return places.flatMap(readings)
    }
}

extension EmailList {
    /// What the options selected in the list of addresses.
    func readings(in document: JSONValue) -> [ClaimReading] {
        [ClaimReading("emails", at: "emails \(list)", document[list])]
    }
}

extension ClaimDocuments {
    /// The name of a place, such as `userinfo /id`.
    fileprivate func name(of source: ClaimSource) -> String {
        let document =
            switch source.place {
            case nil, .userinfo: hasUserinfo ? "userinfo" : "token response"
            case .token: "token response"
            case .callback: "callback"
            }
        return "\(document) \(source.pointer)"
    }
}
