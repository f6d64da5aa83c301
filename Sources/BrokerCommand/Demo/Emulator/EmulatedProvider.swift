import ProviderKit

/// A provider without a service behind it: it takes the claims of a credential as the identity, unverified, as the
/// Firebase Auth emulator does (contract §3.1).
///
/// Only the broker of an ``EmulatedProject`` has this plugin.
struct EmulatedProvider: RedirectSignIn {
    struct Options: Decodable, Sendable {
        /// The id of the entry.
        let provider: String
        /// The URL of the ``AccountChooser``.
        let page: String
    }

    static let kind: ProviderKind = "emulated"

    let instance: String
    let clientID: String
    let accepts: Set<Credential.Kind> = [.accessToken, .authorizationCode]
    let authorizationResponseIssuer: String? = nil
    private let options: Options

    init(_ options: Options, in context: ProviderContext) {
        instance = "https://\(options.provider)"
        clientID = "emulator-\(options.provider)"
        self.options = options
    }

    /// The entry of `plugins.json` for a provider.
    static func entry(_ id: String, page: String) -> JSONValue {
        [
            "id": .string(id), "use": .string(kind.rawValue), "trustEmail": true,
            "options": ["provider": .string(id), "page": .string(page)],
        ]
    }

    func authorizationURL(for attempt: SignInAttempt) -> String {
        let query = [
            (name: "provider", value: options.provider), (name: "redirect_uri", value: attempt.redirectURI),
            (name: "state", value: attempt.state),
        ]
        return "\(options.page)?\(FormEncoding.encode(query))"
    }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        let sent: EmulatedCredential? =
            switch credential.proof {
            case .accessToken(let text): EmulatedCredential(text)
            case .authorizationCode(let code): EmulatedCredential(code.code)
            case .idToken, .assertion: nil
            }
        guard let sent, let claims = sent.claims, let subject = claims["sub"]?.string, !subject.isEmpty else {
            throw ProviderError(
                .credential, at: .readProfile,
                "the emulator takes an unsigned JWT or a JSON object with the string claim sub")
        }
        let email = claims["email"]?.string.map {
            ExternalIdentity.Email($0, isVerified: claims["email_verified"]?.bool == true)
        }
        // SDKs make a credential of an access token for most providers, so there always is one.
        let grant = UpstreamGrant(
            clientID: clientID,
            accessToken: sent.accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(options.provider)",
            idToken: sent.idToken)
        return ExternalIdentity(
            subject: subject, email: email, displayName: claims["name"]?.string,
            givenName: claims["given_name"]?.string, familyName: claims["family_name"]?.string,
            screenName: claims["screen_name"]?.string ?? claims["login"]?.string,
            pictureURL: claims["picture"]?.string, profile: .object(claims), grant: grant)
    }
}
