import ProviderKit
import Testing

@Suite("identities of a provider")
struct ExternalIdentityTests {
    @Test(
        arguments: [
            ("Ada L.", "Ada", "Example", "Ada L."), (nil, "Ada", "Example", "Ada Example"), ("", "Ada", "", "Ada"),
            (nil, nil, "Example", "Example"), (nil, "", "", nil), (nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?)])
    func `without a display name the given and family name make one`(
        displayName: String?, given: String?, family: String?, expected: String?
    ) {
        let identity = ExternalIdentity(
            subject: "1", displayName: displayName, givenName: given, familyName: family, screenName: "ada")
        #expect(identity.displayName == expected)
        #expect(identity.givenName == given && identity.familyName == family)
    }
}
