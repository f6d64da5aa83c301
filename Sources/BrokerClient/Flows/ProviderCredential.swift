public import Foundation
import Locks
import StrictJSON

/// A provider's ID token with the nonce of its request, by which an app signs in, links or reauthenticates without a
/// browser.
///
/// A credential is single-use: once it has signed in, the next call with it throws
/// ``BrokerAuthError/credentialAlreadyUsed``. A refusal that did not consume it leaves it usable: after
/// ``BrokerAuthError/recentLoginRequired`` reauthenticate and repeat the call, after
/// ``BrokerAuthError/accountExists(providers:)`` sign in with it, after ``BrokerAuthError/needConfirmation(providers:)``
/// sign in as before and link it. ``BrokerAuth/unusedCredential`` has it where the library made it.
public struct ProviderCredential: Sendable {
    /// The provider.
    public let provider: ProviderID
    let idToken: String
    let rawNonce: String
    let authorizationCode: String?
    /// Apple's first-time profile, as accounts:signInWithIdp takes it.
    let user: String?
    let use: CredentialUse

    /// A credential of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: The identity token.
    ///   - nonce: The nonce whose SHA-256 was in the request.
    ///   - authorizationCode: The authorization code, by which the broker gets a refresh token it can later revoke.
    ///   - fullName: The name, which Apple sends with the first sign-in only.
    ///   - email: The e-mail address, which Apple sends with the first sign-in only.
    /// - Returns: The credential.
    public static func appleIDToken(
        _ idToken: String, nonce: SignInNonce, authorizationCode: String? = nil,
        fullName: PersonNameComponents? = nil, email: String? = nil
    ) -> ProviderCredential {
        ProviderCredential(
            provider: .apple, idToken: idToken, rawNonce: nonce.raw, authorizationCode: authorizationCode,
            user: firstTimeProfile(fullName, email))
    }

    /// A credential of Sign in with Apple, from the data of `ASAuthorizationAppleIDCredential`.
    ///
    /// - Parameters:
    ///   - appleIdentityToken: Its `identityToken`.
    ///   - authorizationCode: Its `authorizationCode`.
    ///   - nonce: The nonce whose SHA-256 was in the request.
    ///   - fullName: Its `fullName`.
    ///   - email: Its `email`.
    /// - Throws: ``BrokerAuthError/missingIdentityToken`` without a token, ``BrokerAuthError/invalidTokenText`` when the
    ///   token or the code is not UTF-8.
    public init(
        appleIdentityToken: Data?, authorizationCode: Data?, nonce: SignInNonce,
        fullName: PersonNameComponents? = nil, email: String? = nil
    ) throws(BrokerAuthError) {
        guard let appleIdentityToken, !appleIdentityToken.isEmpty else { throw .missingIdentityToken }
        guard let idToken = String(utf8: appleIdentityToken) else { throw .invalidTokenText }
        var code: String?
        if let authorizationCode {
            guard let text = String(utf8: authorizationCode) else { throw .invalidTokenText }
            code = text
        }
        self = .appleIDToken(idToken, nonce: nonce, authorizationCode: code, fullName: fullName, email: email)
    }

    /// A credential of any provider that issues ID tokens.
    ///
    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - provider: The provider that issued it.
    ///   - nonce: The nonce of its request.
    /// - Returns: The credential.
    public static func idToken(_ idToken: String, of provider: ProviderID, nonce: SignInNonce) -> ProviderCredential {
        ProviderCredential(
            provider: provider, idToken: idToken, rawNonce: nonce.raw, authorizationCode: nil, user: nil)
    }

    private init(
        provider: ProviderID, idToken: String, rawNonce: String, authorizationCode: String?, user: String?
    ) {
        self.provider = provider
        self.idToken = idToken
        self.rawNonce = rawNonce
        self.authorizationCode = authorizationCode
        self.user = user
        use = CredentialUse()
    }

    private static func firstTimeProfile(_ name: PersonNameComponents?, _ email: String?) -> String? {
        var names = JSONObject()
        names["firstName"] = name?.givenName.map(JSONValue.string)
        names["lastName"] = name?.familyName.map(JSONValue.string)
        var profile = JSONObject()
        if !names.isEmpty { profile["name"] = .object(names) }
        profile["email"] = email.map(JSONValue.string)
        return profile.isEmpty ? nil : profile.serialized()
    }
}

extension ProviderCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider, and nothing of the tokens.
    public var description: String { "ProviderCredential(\(provider), <redacted>)" }
    /// The provider, and nothing of the tokens.
    public var debugDescription: String { description }
    /// The provider, and nothing of the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}

/// The remaining use of a credential; all copies share it.
final class CredentialUse: Sendable {
    /// What can be sent of a credential.
    enum Form: Sendable, Hashable {
        case whole
        /// The provider has redeemed the authorization code.
        case withoutCode
        /// A token of the broker's stands for the identity.
        case pendingToken(String)
    }

    private let form = Mutex<Form?>(.whole)

    /// Whether nothing is left of it.
    var isUsed: Bool { form.withLock { $0 == nil } }

    /// Marks the credential as used.
    ///
    /// - Returns: What may be sent of it.
    /// - Throws: ``BrokerAuthError/credentialAlreadyUsed``.
    func begin() throws(BrokerAuthError) -> Form {
        let before = form.withLock { form in
            defer { form = nil }
            return form
        }
        guard let before else { throw .credentialAlreadyUsed }
        return before
    }

    /// Lets what is left of the credential be used again, after a request that did not consume it.
    func revert(to rest: Form?) { form.withLock { $0 = rest } }
}
