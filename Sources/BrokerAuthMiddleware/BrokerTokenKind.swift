/// The tokens of a broker that a backend accepts from its callers.
public enum BrokerTokenKind: String, Sendable, Hashable, CaseIterable {
    /// An ID token of Identity Toolkit, as Firebase's SDKs send it.
    case identityToolkitIDToken
    /// A session cookie of Identity Toolkit.
    case sessionCookie
    /// An access token of an OpenID Connect client (RFC 9068, `typ` `at+jwt`).
    case accessToken
}
