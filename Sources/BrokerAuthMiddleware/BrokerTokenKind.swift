/// The tokens of a broker that a backend accepts from its callers.
///
/// ID tokens of OpenID Connect are not among them: they tell a client who signed in, and a backend that accepted them
/// would accept what any other client was given.
public enum BrokerTokenKind: String, Sendable, Hashable, CaseIterable {
    /// An ID token of Identity Toolkit, as Firebase's SDKs send it. Its audience is the project.
    case identityToolkitIDToken
    /// A session cookie of Identity Toolkit. Its audience is the project.
    case sessionCookie
    /// An access token of an OpenID Connect client (RFC 9068, `typ` `at+jwt`). Its audience is the client.
    case accessToken
}
