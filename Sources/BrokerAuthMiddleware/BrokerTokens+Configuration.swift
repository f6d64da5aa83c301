import Foundation
import JOSE

extension BrokerTokens {
    /// Limits of the caches.
    public struct Options: Sendable, Hashable {
        /// The longest time for which keys are used without a fetch; a shorter `max-age` of the broker goes first. A
        /// revoked key is accepted for so long.
        public var maximumKeyLifetime: Duration = .seconds(3600)
        /// The shortest time between two fetches of keys: tokens that name unknown keys cause no more.
        public var refetchInterval: Duration = .seconds(30)
        /// How long keys stay usable while the broker cannot be reached.
        public var maximumOutage: Duration = .seconds(24 * 3600)
        /// The number of verified tokens of each kind that are not verified again; 0 for none.
        public var verifiedTokens = 4096
        /// How long a request to the broker may take, with the whole of its answer.
        package var requestTimeout: Duration = .seconds(5)

        /// The defaults.
        public init() {}
    }

    static func source(of kind: BrokerTokenKind, _ projectID: String, _ issuer: IssuerURL) -> KeySource {
        switch kind {
        case .accessToken: .accessTokens(of: issuer)
        case .identityToolkitIDToken: .idTokens(of: projectID, at: issuer)
        case .sessionCookie: .sessionCookies(of: projectID, at: issuer)
        }
    }

    static func check(_ projectID: String) throws(BrokerTokensError) {
        let isAllowed = projectID.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard isAllowed, (1...63).contains(projectID.utf8.count) else {
            throw BrokerTokensError("projectID must be the broker's project.id: 1 to 63 of a-z, 0-9 and -")
        }
    }

    /// A cookie name is a token (RFC 6265 §4.1.1).
    static func check(cookie name: String) throws(BrokerTokensError) {
        let separators = Set(#"()<>@,;:\"/[]?={} "#.utf8)
        guard !name.isEmpty, name.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !separators.contains($0) }) else {
            throw BrokerTokensError("sessionCookie must be the name of a cookie, such as __Host-session")
        }
    }
}

extension BrokerIdentity {
    init(_ facts: TokenFacts, _ token: PresentedToken, _ tokens: BrokerTokens) {
        userID = facts.userID
        kind = facts.kind
        clientID = facts.clientID
        scopes = facts.scopes
        authenticatedAt = facts.authTime.date
        sessionID = facts.sessionID
        issuedAt = facts.issuedAt.date
        expiresAt = facts.expiresAt.date
        claims = facts.claims
        self.token = token
        self.tokens = tokens
    }
}

extension NumericDate {
    fileprivate var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }
}
