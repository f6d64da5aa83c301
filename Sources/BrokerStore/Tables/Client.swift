/// A registered client of the broker as OpenID Provider (RFC 6749 §2).
package struct Client: Sendable, Hashable {
    /// The client type, which determines the client authentication.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Runs in browsers and can keep no secret.
        case `public`
        /// Runs on a server and has a secret.
        case confidential
        /// Is installed on devices and can keep no secret (RFC 8252).
        case native
    }

    /// Whether the client must use PKCE (RFC 7636).
    package enum PKCE: String, Sendable, Hashable, CaseIterable {
        case required
        /// A confidential client's OpenID Connect requests with a `nonce` may do without.
        case optional
    }

    /// JWS names (RFC 7518 §3.1).
    package typealias Algorithm = StoredSigningKey.Algorithm

    /// The URL and the form of a client's logout tokens.
    package struct BackChannelLogout: Sendable, Hashable {
        package var uri: String
        /// Whether the client requires `sid` in logout tokens; they always have it.
        package var requiresSession: Bool

        package init(uri: String, requiresSession: Bool = false) {
            self.uri = uri
            self.requiresSession = requiresSession
        }
    }

    /// The hash of a previous secret that is still valid beside its successor.
    package struct PreviousSecret: Sendable, Hashable {
        package var hash: [UInt8]
        package var until: Timestamp

        package init(hash: [UInt8], until: Timestamp) {
            self.hash = hash
            self.until = until
        }
    }

    /// Private, time-ordered.
    package var key: Int64
    /// The `client_id`: random, public.
    package var id: String
    package var kind: Kind
    /// The name for users.
    package var name: String
    /// The redirect URIs for codes, in the order of their registration. None contains a space.
    package var redirectURIs: [String]
    /// The redirect URIs after sign-out.
    package var postLogoutRedirectURIs: [String]
    /// The signature algorithm of its tokens.
    package var algorithm: Algorithm
    package var pkce: PKCE
    /// SHA-256 of its secret; confidential clients alone have one.
    package var secretHash: [UInt8]?
    package var previousSecret: PreviousSecret?
    package var createdAt: Timestamp
    /// Whether it gets the access token of the user's provider with its own.
    package var receivesProviderTokens: Bool
    /// The receiver of its logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.2).
    package var backChannelLogout: BackChannelLogout?

    package init(
        key: Int64, id: String, kind: Kind, name: String, redirectURIs: [String],
        postLogoutRedirectURIs: [String] = [], algorithm: Algorithm = .es256, pkce: PKCE = .required,
        secretHash: [UInt8]? = nil, previousSecret: PreviousSecret? = nil, createdAt: Timestamp,
        receivesProviderTokens: Bool = false
    ) {
        self.key = key
        self.id = id
        self.kind = kind
        self.name = name
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.algorithm = algorithm
        self.pkce = pkce
        self.secretHash = secretHash
        self.previousSecret = previousSecret
        self.createdAt = createdAt
        self.receivesProviderTokens = receivesProviderTokens
    }
}

extension Client {
    /// All columns, in the order in which `init(reading:)` and ``values`` have them.
    static let columns = """
        key, id, type, name, redirect_uris, post_logout_redirect_uris, id_token_algorithm, secret_hash, \
        previous_secret_hash, previous_secret_until, created_at, pkce, provider_tokens, backchannel_logout_uri, \
        backchannel_logout_session_required
        """

    init(reading row: inout Row) throws(StoreError) {
        try self.init(
            key: row.integer(), id: row.text(), kind: row.choice(Kind.self), name: row.text(),
            redirectURIs: row.words(), postLogoutRedirectURIs: row.words(), algorithm: row.choice(Algorithm.self),
            secretHash: row.optionalBlob(), previousSecret: row.previousSecret(), createdAt: row.time())
        pkce = try row.pkce()
        receivesProviderTokens = try row.flag()
        let (uri, requiresSession) = (try row.optionalText(), try row.flag())
        backChannelLogout = uri.map { BackChannelLogout(uri: $0, requiresSession: requiresSession) }
    }

    /// The arguments of ``ClientStatements/update``.
    var changeableValues: [SQLValue] {
        [
            .text(id), .text(name), .words(redirectURIs), .words(postLogoutRedirectURIs), pkceValue,
            .flag(receivesProviderTokens), .text(orNull: backChannelLogout?.uri),
            .flag(backChannelLogout?.requiresSession ?? false),
        ]
    }

    /// Brokers that knew no choice wrote and read none.
    private var pkceValue: SQLValue { .text(orNull: pkce == .required ? nil : pkce.rawValue) }

    var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(kind.rawValue), .text(name), .words(redirectURIs),
            .words(postLogoutRedirectURIs), .text(algorithm.rawValue), .blob(orNull: secretHash),
            .blob(orNull: previousSecret?.hash), .time(orNull: previousSecret?.until), .time(createdAt),
            pkceValue, .flag(receivesProviderTokens), .text(orNull: backChannelLogout?.uri),
            .flag(backChannelLogout?.requiresSession ?? false),
        ]
    }
}

extension Row {
    mutating func words() throws(StoreError) -> [String] {
        try text().split(separator: " ").map(String.init)
    }

    fileprivate mutating func pkce() throws(StoreError) -> Client.PKCE {
        guard let text = try optionalText() else { return .required }
        guard let pkce = Client.PKCE(rawValue: text) else {
            throw StoreError(.corrupt, "a client has no known rule for PKCE")
        }
        return pkce
    }

    fileprivate mutating func previousSecret() throws(StoreError) -> Client.PreviousSecret? {
        let (hash, until) = (try optionalBlob(), try optionalTime())
        guard let hash, let until else { return nil }
        return Client.PreviousSecret(hash: hash, until: until)
    }
}

extension SQLValue {
    fileprivate static func words(_ values: [String]) -> SQLValue { .text(values.joined(separator: " ")) }
}
