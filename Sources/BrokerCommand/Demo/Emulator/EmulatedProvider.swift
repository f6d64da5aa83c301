import JOSE
import ProviderKit

/// A provider without a service behind it: it takes the claims of a credential as the identity, unverified, as the
/// Firebase Auth emulator does (contract §3.1).
///
/// Only the broker of an ``EmulatedProject`` has this plugin.
struct EmulatedProvider: IdentityProvider {
    struct Options: Decodable, Sendable {
        /// The id of the entry.
        let provider: String
    }

    static let kind: ProviderKind = "emulated"

    let instance: String
    let clientID: String
    let accepts: Set<Credential.Kind> = [.accessToken]

    init(_ options: Options, in context: ProviderContext) {
        instance = "https://\(options.provider)"
        clientID = "emulator-\(options.provider)"
    }

    /// The entry of `plugins.json` for a provider.
    static func entry(_ id: String) -> JSONValue {
        ["id": .string(id), "use": "emulated", "trustEmail": true, "options": ["provider": .string(id)]]
    }

    /// The credential with these claims. The broker takes printable tokens only, so the claims are encoded.
    static func credential(_ claims: JSONObject) -> String { Base64URL.encode(claims.serialized().utf8) }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .accessToken(let token) = credential.proof, let bytes = Base64URL.decode(token),
            let claims = try? JSONValue(parsing: bytes), let subject = claims["sub"]?.string, !subject.isEmpty
        else {
            throw ProviderError(
                .credential, at: .readProfile,
                "the emulator takes an unsigned JWT or a JSON object with the string claim sub")
        }
        let email = claims["email"]?.string.map {
            ExternalIdentity.Email($0, isVerified: claims["email_verified"]?.bool == true)
        }
        return ExternalIdentity(
            subject: subject, email: email, displayName: claims["name"]?.string,
            givenName: claims["given_name"]?.string, familyName: claims["family_name"]?.string,
            screenName: claims["screen_name"]?.string ?? claims["login"]?.string,
            pictureURL: claims["picture"]?.string, profile: claims)
    }
}
