import ProviderKit

/// The profile fields of requests that create, change or link users.
enum ProfileFields {
    /// Characters that a name has at most.
    private static let textLimit = 256

    static func displayName<Root>(
        set: @escaping @Sendable (inout Root, AccountChanges.Text?) -> Void
    ) -> BodyField<Root> {
        name("displayName", "The name that is shown; `null` and the empty text remove it.", set: set).example(
            "Ada Lovelace")
    }

    static func screenName<Root>(
        set: @escaping @Sendable (inout Root, AccountChanges.Text?) -> Void
    ) -> BodyField<Root> {
        name("screenName", "The user's name at the provider.", set: set)
    }

    /// `null` and the empty string clear; another text loses its control characters, as the providers' does.
    private static func name<Root>(
        _ name: String, _ text: String, set: @escaping @Sendable (inout Root, AccountChanges.Text?) -> Void
    ) -> BodyField<Root> {
        .value(name, schema: ["type": ["string", "null"], "maxLength": .integer(textLimit)], text) {
            (fields, root) throws(WireError) in set(&root, try Self.text(name, of: fields))
        }
    }

    /// - Throws: ``WireError``.
    static func text(_ name: String, of fields: RequestFields) throws(WireError) -> AccountChanges.Text? {
        guard try fields.value(name) != nil else { return nil }
        return try change(fields.string(name) ?? "", of: name)
    }

    /// The same for a text of the field `name`; nil changes nothing.
    ///
    /// - Throws: ``WireError``.
    static func change(_ text: String?, of name: String) throws(WireError) -> AccountChanges.Text? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let cleaned = String(String.UnicodeScalarView(scalars))
        // UTF-16 units, as the SDKs' languages count: one visible character may be endless.
        guard cleaned.utf16.count <= textLimit else {
            throw .field("/\(name)", "must be at most \(textLimit) characters")
        }
        return cleaned.isEmpty ? .clear : .set(cleaned)
    }

    static func picture<Root>(
        set: @escaping @Sendable (inout Root, AccountChanges.Text?) -> Void
    ) -> BodyField<Root> {
        .value(
            "photoUrl", schema: ["type": ["string", "null"]],
            "The http or https URL of the user's picture; `null` and the empty text remove it."
        ) { (fields, root) throws(WireError) in
            let isSent = try fields.value("photoUrl") != nil
            set(&root, try picture(isSent ? fields.string("photoUrl") ?? "" : nil))
        }
    }

    /// `null` and the empty string clear; anything but an http or https URL is refused rather than repaired. Nil changes
    /// nothing.
    ///
    /// - Throws: ``WireError``.
    static func picture(_ text: String?) throws(WireError) -> AccountChanges.Text? {
        guard let text else { return nil }
        guard !text.isEmpty else { return .clear }
        guard let url = PictureURL(text) else { throw .code(.invalidPhotoURL, "photoUrl \(PictureURL.rule).") }
        return .set(url.text)
    }
}

/// The fields that several bodies have.
enum CommonFields {
    /// SDKs send it; the answers have tokens in any case.
    static func returnSecureToken<Root>() -> BodyField<Root> {
        .unread("returnSecureToken", schema: ["type": "boolean"], "Is passed over: tokens are answered in any case.")
    }

    static func idToken<Root>(
        orThrow missing: WireError = WireError(BrokerError.missingIDToken), _ text: String = "An ID token of the user.",
        set: @escaping @Sendable (inout Root, String) -> Void
    ) -> BodyField<Root> {
        .text("idToken", orThrow: missing, text, set: set).example("<ID token>")
    }
}

/// A body whose only field is the user's ID token.
struct IDTokenBody: DeclaredRequest {
    private(set) var idToken = ""

    static let body = DeclaredBody<IDTokenBody>([CommonFields.idToken { $0.idToken = $1 }])
}

/// The authorization code of a provider that comes with a deletion or a revocation, in fields of the broker's own.
struct ProviderCodeBody: DeclaredRequest {
    private(set) var authorizationCode: String?
    private(set) var provider: String?
    private(set) var redirectURI: String?
    private(set) var clientID: String?

    /// The code; nil where the request has none.
    var code: ProviderCode? {
        authorizationCode.map {
            ProviderCode(provider: provider, code: $0, redirectURI: redirectURI, clientID: clientID)
        }
    }

    static let body = DeclaredBody<ProviderCodeBody>(
        [
            .text(
                "authorizationCode",
                "A new authorization code of the provider, with which the broker revokes what the user has granted."
            ) { $0.authorizationCode = $1 },
            .text("providerId", "The provider of the code; the only linked one that takes codes when absent.") {
                $0.provider = $1?.lowercasedASCII
            },
        ], ofCode)

    /// What a code was issued for.
    static let ofCode: [BodyField<ProviderCodeBody>] = [
        .text("redirectUri", "The redirect URI of the code; absent for the code of a device.") { $0.redirectURI = $1 },
        .text("clientId", "The client at the provider that the code was issued to.") { $0.clientID = $1 },
    ]
}

/// A body that asks for an access token of a provider.
struct ScopesBody: DeclaredRequest {
    private(set) var scopes: [String] = []

    static let body = DeclaredBody<ScopesBody>([
        .texts("scopes", "The scopes that the token must have, in the provider's words.") { $0.scopes = $1 }
            .example(["read:user"])
    ])
}
