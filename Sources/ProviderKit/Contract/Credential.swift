/// An unverified credential of a user, as a client presents it to the broker.
///
/// Its description contains only its kind.
public struct Credential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The kinds of credentials a provider can accept.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case authorizationCode, accessToken, idToken, assertion
    }

    /// The kind with its values.
    public enum Proof: Sendable {
        case authorizationCode(AuthorizationCode)
        /// A bearer token of the client (RFC 6750). It is valid only if the provider confirms that it was issued to our
        /// client.
        case accessToken(String)
        case idToken(IDToken)
        /// Any other credential of a plugin, as named fields.
        case assertion([String: String])
    }

    /// The credential's values, which only the plugin reads.
    public let proof: Proof
    /// The first-time profile, such as Apple's `user` field.
    public let firstTimeProfile: FirstTimeProfile?

    /// Makes a credential from the client's values.
    public init(_ proof: Proof, firstTimeProfile: FirstTimeProfile? = nil) {
        self.proof = proof
        self.firstTimeProfile = firstTimeProfile
    }

    /// The kind of credential.
    public var kind: Kind {
        switch proof {
        case .authorizationCode: .authorizationCode
        case .accessToken: .accessToken
        case .idToken: .idToken
        case .assertion: .assertion
        }
    }

    /// The kind; never the values.
    public var description: String { "Credential(\(kind.rawValue))" }
    /// Empty: reflection shows no values.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Credential {
    /// An authorization code (RFC 6749 §4.1.2).
    public struct AuthorizationCode: Sendable {
        /// The code.
        public let code: String
        /// The redirect URI of the authorization request, which the token request repeats (RFC 6749 §4.1.3); absent for
        /// codes that a native SDK obtained without one.
        public let redirectURI: String?
        /// The PKCE verifier, when a challenge was sent (RFC 7636 §4.5).
        public let verifier: String?
        /// The nonce that the code's ID token must contain.
        public let expectedNonce: String?
        /// The client that requested the code, one of ``RedirectSignIn/authorizationClientIDs``; absent for the
        /// instance's own.
        public let clientID: String?
        /// The parameters of the authorization response that are not the protocol's, by name. The browser brought them and
        /// nothing proves them, so they decide neither who the user is nor which host is asked. Empty for codes that a
        /// client presents.
        public let callback: [String: String]

        /// Makes a code with the values of its authorization request and its response.
        public init(
            code: String, redirectURI: String?, verifier: String? = nil, expectedNonce: String? = nil,
            clientID: String? = nil, callback: [String: String] = [:]
        ) {
            self.code = code
            self.redirectURI = redirectURI
            self.verifier = verifier
            self.expectedNonce = expectedNonce
            self.clientID = clientID
            self.callback = callback
        }

        /// The nonce rule for the code's ID token: exactly the nonce that was sent, or none.
        public var nonce: NonceExpectation { expectedNonce.map(NonceExpectation.sent) ?? .absent }
    }

    /// An ID token that a native SDK obtained (OpenID Connect Core §2).
    public struct IDToken: Sendable {
        /// The token, a signed JWT (RFC 7519).
        public let token: String
        /// The raw nonce, from which the client derived the token's `nonce` claim.
        public let rawNonce: String?
        /// The access token issued with it, checked against `at_hash`.
        public let accessToken: String?
        /// The authorization code issued with it, redeemed for a refresh token.
        public let authorizationCode: String?

        /// Makes a token with the values issued with it.
        public init(
            token: String, rawNonce: String? = nil, accessToken: String? = nil, authorizationCode: String? = nil
        ) {
            self.token = token
            self.rawNonce = rawNonce
            self.accessToken = accessToken
            self.authorizationCode = authorizationCode
        }
    }

    /// The profile that a provider sends only at a user's first sign-in. It is unverified, because the client passes it
    /// on.
    public struct FirstTimeProfile: Sendable, Hashable {
        /// The user's given name.
        public let givenName: String?
        /// The user's family name.
        public let familyName: String?
        /// The user's unverified address.
        public let email: String?

        /// Makes a profile from the client's values.
        public init(givenName: String? = nil, familyName: String? = nil, email: String? = nil) {
            self.givenName = givenName
            self.familyName = familyName
            self.email = email
        }
    }
}
