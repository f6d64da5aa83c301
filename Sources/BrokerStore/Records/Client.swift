// Generated from `clients` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// A registered client of the broker as OpenID Provider (RFC 6749 §2).
package struct Client: Record {
    /// The hash of a previous secret that is still valid beside its successor.
    package struct PreviousSecret: Sendable, Hashable {
        package var hash: [UInt8]
        package var until: Timestamp

        package init(hash: [UInt8], until: Timestamp) {
            self.hash = hash
            self.until = until
        }
    }

    /// The URL and the form of its logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.2).
    package struct BackChannelLogout: Sendable, Hashable {
        package var uri: String
        /// Whether the client requires `sid` in logout tokens; they always have it.
        package var requiresSession: Bool

        package init(uri: String, requiresSession: Bool = false) {
            self.uri = uri
            self.requiresSession = requiresSession
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
    /// SHA-256 of its secret; confidential clients alone have one.
    package var secretHash: [UInt8]?
    package var previousSecret: PreviousSecret?
    package var createdAt: Timestamp
    package var pkce: PKCE
    /// Whether it gets the access token of the user's provider with its own.
    package var receivesProviderTokens: Bool
    package var backChannelLogout: BackChannelLogout?
    /// Whether it is the operator's own app: it gets the users' custom claims without asking, and its sessions go on
    /// after a merge.
    package var isFirstParty: Bool
    /// Its start page, where error pages lead.
    package var homeURL: String?
    package var termsURL: String?
    package var privacyURL: String?
    package var supportURL: String?
    /// The name of its logo in `client_logos`.
    package var logo: String?
    /// The same on dark pages; without it `logo`.
    package var logoDark: String?

    package init(
        key: Int64, id: String, kind: Kind, name: String, redirectURIs: [String], postLogoutRedirectURIs: [String] = [],
        algorithm: Algorithm = .es256, secretHash: [UInt8]? = nil, previousSecret: PreviousSecret? = nil,
        createdAt: Timestamp, pkce: PKCE = .required, receivesProviderTokens: Bool = false,
        backChannelLogout: BackChannelLogout? = nil, isFirstParty: Bool = false, homeURL: String? = nil,
        termsURL: String? = nil, privacyURL: String? = nil, supportURL: String? = nil, logo: String? = nil,
        logoDark: String? = nil
    ) {
        self.key = key
        self.id = id
        self.kind = kind
        self.name = name
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.algorithm = algorithm
        self.secretHash = secretHash
        self.previousSecret = previousSecret
        self.createdAt = createdAt
        self.pkce = pkce
        self.receivesProviderTokens = receivesProviderTokens
        self.backChannelLogout = backChannelLogout
        self.isFirstParty = isFirstParty
        self.homeURL = homeURL
        self.termsURL = termsURL
        self.privacyURL = privacyURL
        self.supportURL = supportURL
        self.logo = logo
        self.logoDark = logoDark
    }
}

extension Client {
    package static let table = TableDefinition.clients
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        id = try row.text()
        kind = try row.choice(Kind.self)
        name = try row.text()
        redirectURIs = try row.words()
        postLogoutRedirectURIs = try row.words()
        algorithm = try row.choice(Algorithm.self)
        secretHash = try row.optionalBlob()
        let previousSecretHash = try row.optionalBlob()
        let previousSecretUntil = try row.optionalTime()
        if let previousSecretHash, let previousSecretUntil {
            previousSecret = PreviousSecret(hash: previousSecretHash, until: previousSecretUntil)
        } else {
            previousSecret = nil
        }
        createdAt = try row.time()
        pkce = try row.optionalChoice(PKCE.self) ?? .required
        receivesProviderTokens = try row.flag()
        let backChannelLogoutUri = try row.optionalText()
        let backChannelLogoutRequiresSession = try row.flag()
        if let backChannelLogoutUri {
            backChannelLogout = BackChannelLogout(
                uri: backChannelLogoutUri, requiresSession: backChannelLogoutRequiresSession)
        } else {
            backChannelLogout = nil
        }
        isFirstParty = try row.flag()
        homeURL = try row.optionalText()
        termsURL = try row.optionalText()
        privacyURL = try row.optionalText()
        supportURL = try row.optionalText()
        logo = try row.optionalText()
        logoDark = try row.optionalText()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .text(id), .text(kind.rawValue), .text(name), .words(redirectURIs),
            .words(postLogoutRedirectURIs), .text(algorithm.rawValue), .blob(orNull: secretHash),
            .blob(orNull: previousSecret?.hash), .time(orNull: previousSecret?.until), .time(createdAt),
            .text(orNull: pkce == .required ? nil : pkce.rawValue), .flag(receivesProviderTokens),
            .text(orNull: backChannelLogout?.uri), .flag(backChannelLogout?.requiresSession ?? false),
            .flag(isFirstParty), .text(orNull: homeURL), .text(orNull: termsURL), .text(orNull: privacyURL),
            .text(orNull: supportURL), .text(orNull: logo), .text(orNull: logoDark),
        ]
    }
}
