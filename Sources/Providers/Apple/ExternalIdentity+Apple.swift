import ProviderKit

extension ExternalIdentity {
    /// The identity of Apple's ID token, with the first-time profile's name.
    ///
    /// The first-time profile is unsigned: its name is for display only, and its address is not used.
    init(_ token: VerifiedIDToken, _ firstTime: Credential.FirstTimeProfile?, grant: UpstreamGrant?) {
        let givenName = firstTime?.givenName.flatMap { $0.isEmpty ? nil : $0 }
        let familyName = firstTime?.familyName.flatMap { $0.isEmpty ? nil : $0 }
        var profile = token.claims
        if givenName != nil || familyName != nil {
            let name: JSONObject = ["firstName": .string(givenName ?? ""), "lastName": .string(familyName ?? "")]
            profile["user"] = ["name": .object(name)]
        }
        self.init(
            subject: token.subject, transferSubject: token.claims["transfer_sub"]?.string,
            email: Self.email(in: token.claims),
            givenName: givenName, familyName: familyName, profile: .object(profile), grant: grant)
    }

    /// The identity that the migration endpoint returns to the new team. It has no `email_verified`.
    init?(migrated answer: JSONObject) {
        guard let subject = answer["sub"]?.string, !subject.isEmpty else { return nil }
        self.init(subject: subject, email: Self.email(in: answer), profile: .object(answer))
    }

    /// The address, if the user shares one; Apple's relay addresses are marked.
    private static func email(in claims: JSONObject) -> Email? {
        guard let address = claims["email"]?.string, !address.isEmpty else { return nil }
        let isRelay = claims["is_private_email"].isTrue || address.lowercased().hasSuffix("@privaterelay.appleid.com")
        return Email(address, isVerified: claims["email_verified"].isTrue, isRelay: isRelay)
    }
}

extension JSONValue? {
    /// Apple sends Booleans as `true` or as `"true"`; any other value is false.
    fileprivate var isTrue: Bool { self == true || self == "true" }
}
