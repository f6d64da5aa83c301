import JOSE
import StrictJSON

/// The address of the keys of one kind of token, and the issuers that its tokens may name.
struct KeySource: Sendable {
    let issuerURL: IssuerURL
    /// The discovery document, which says which of ``issuers`` it is.
    let discoveryURL: String
    /// The key document; nil for the one that the discovery document names.
    let keysURL: String?
    /// The issuers that the discovery document may name. Nothing else is believed of it.
    let issuers: [DiscoveredIssuer]

    /// An issuer as discovery names it.
    struct DiscoveredIssuer: Sendable {
        let name: String
        /// The `iss` of the tokens: another one for session cookies.
        let tokenIssuer: String
        let algorithms: Set<SignatureAlgorithm>
    }

    /// Whether a token names an issuer that `keys` do not have, as after a change of the broker's `policy.tokens`.
    func isOutdated(_ keys: IssuerKeys, by issuer: String) -> Bool {
        !issuer.hasSameBytes(as: keys.tokenIssuer) && issuers.contains { $0.tokenIssuer.hasSameBytes(as: issuer) }
    }

    /// Access tokens. Each client chooses its algorithm.
    static func accessTokens(of issuer: IssuerURL) -> KeySource {
        KeySource(
            issuerURL: issuer, discoveryURL: issuer.text + "/.well-known/openid-configuration", keysURL: nil,
            issuers: [.init(name: issuer.text, tokenIssuer: issuer.text, algorithms: [.es256, .rs256])])
    }

    /// ID tokens of Identity Toolkit, in both settings of the broker's `policy.tokens`.
    static func idTokens(of project: String, at issuer: IssuerURL) -> KeySource {
        let (strict, firebase) = names(of: project, issuer)
        return KeySource(
            issuerURL: issuer, discoveryURL: discovery(of: project, issuer), keysURL: nil,
            issuers: [
                .init(name: strict, tokenIssuer: strict, algorithms: [.es256]),
                .init(name: firebase, tokenIssuer: firebase, algorithms: [.rs256]),
            ])
    }

    /// Session cookies, whose keys have a document of their own.
    static func sessionCookies(of project: String, at issuer: IssuerURL) -> KeySource {
        let (strict, firebase) = names(of: project, issuer)
        return KeySource(
            issuerURL: issuer, discoveryURL: discovery(of: project, issuer),
            keysURL: issuer.text + "/v1/sessionCookiePublicKeys",
            issuers: [
                .init(name: strict, tokenIssuer: strict + "/session", algorithms: [.es256]),
                .init(
                    name: firebase, tokenIssuer: "https://session.firebase.google.com/" + project,
                    algorithms: [.rs256]),
            ])
    }

    private static func names(of project: String, _ issuer: IssuerURL) -> (strict: String, firebase: String) {
        ("\(issuer.text)/\(project)", "https://securetoken.google.com/\(project)")
    }

    private static func discovery(of project: String, _ issuer: IssuerURL) -> String {
        "\(issuer.text)/\(project)/.well-known/openid-configuration"
    }
}

/// The keys of one kind of token, with the issuer that its tokens name.
struct IssuerKeys: Sendable {
    let tokenIssuer: String
    let algorithms: Set<SignatureAlgorithm>
    let keys: KeySet
}
