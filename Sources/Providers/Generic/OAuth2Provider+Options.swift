import ProviderKit

extension OAuth2Provider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: Decodable, Sendable {
        let authorizationUrl: String
        let tokenUrl: String
        /// The URL of the user's profile.
        let userinfoUrl: String
        /// The revocation endpoint (RFC 7009).
        let revocationUrl: String?
        /// The namespace of the subjects; the origin of `tokenUrl` when absent.
        let url: String?
        /// The expected `iss` of authorization responses, for servers that send it (RFC 9207).
        let issuer: String?
        let clientId: String
        let clientSecret: Secret?
        let privateKey: ClientProof.PrivateKey?
        let tokenEndpointAuthMethod: ClientProof.Method?
        let scopes: [String]?
        let scopeSeparator: String?
        /// Whether the server accepts PKCE parameters; `true` when absent.
        let pkce: Bool?
        let claims: Claims
        /// Whether the text `"true"` verifies an address; `false` when absent.
        let textBooleans: Bool?
        let userinfoHeaders: [String: String]?
        let authorizationParameters: [String: String]?
    }

    /// `options.claims`; only the subject is required.
    struct Claims: Decodable, Sendable {
        let subject: ClaimPointers
        let profile: ProfileClaims

        private enum CodingKeys: String, CodingKey { case subject }

        init(from decoder: any Decoder) throws {
            subject = try decoder.container(keyedBy: CodingKeys.self).decode(ClaimPointers.self, forKey: .subject)
            profile = try ClaimOptions(from: decoder).claims()
        }
    }
}

extension OAuth2Provider.Options {
    /// The places of the profile's claims in the userinfo response.
    var profileClaims: ProfileClaims {
        var profile = claims.profile
        profile.acceptsTextBooleans = textBooleans ?? false
        return profile
    }

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    func checked(
        in context: ProviderContext
    ) throws(ProviderError) -> (instance: String, client: OAuth2Client, userinfo: UserinfoCall) {
        guard !clientId.isEmpty else { throw Self.refusal("clientId must not be empty") }
        let endpoints = [
            ("authorizationUrl", authorizationUrl), ("tokenUrl", tokenUrl), ("userinfoUrl", userinfoUrl),
            ("revocationUrl", revocationUrl ?? tokenUrl),
        ]
        for (option, url) in endpoints { try check(url, option, in: context) }
        try checkSubject()
        let proof = try ClientProof(tokenEndpointAuthMethod, secret: clientSecret, key: privateKey, in: context)
        let client = OAuth2Client(
            authorizeURL: authorizationUrl, tokenURL: tokenUrl, clientID: clientId,
            authentication: proof.authentication(of: clientId, audience: issuer ?? tokenUrl, in: context),
            scopes: scopes ?? [], errorFaults: TokenErrors.faults,
            dialect: .init(scopeSeparator: scopeSeparator ?? " ", sendsCodeChallenge: pkce ?? true))
        return (try instance(in: context), client, UserinfoCall(url: userinfoUrl, headers: try checkedHeaders()))
    }

    private static func refusal(_ reason: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options." + reason)
    }

    private func check(_ url: String, _ option: String, in context: ProviderContext) throws(ProviderError) {
        do {
            try context.checkEndpoint(url)
        } catch {
            throw Self.refusal(
                #"\#(option) must be an https URL without fragment or user name; http only on this host and with "#
                    + #""allowInsecureLoopback": true"#)
        }
    }

    /// The configured namespace, else the normalized scheme, host and port of the token endpoint.
    private func instance(in context: ProviderContext) throws(ProviderError) -> String {
        if let url { return try context.baseURL(url, option: "url") }
        let withoutQuery = String(tokenUrl.prefix { $0 != "?" })
        let parts = try context.baseURL(withoutQuery, option: "tokenUrl").split(
            separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }

    /// Refuses a subject that can be reassigned: it would sign its next owner in as the previous user.
    private func checkSubject() throws(ProviderError) {
        for pointer in claims.subject.pointers where MutableClaims.contain(pointer) {
            throw Self.refusal(
                "claims.subject must point to an id that is never reassigned, not to a name or an address")
        }
    }

    /// The provider's additional header fields, without those of the protocol.
    private func checkedHeaders() throws(ProviderError) -> [(name: String, value: String)] {
        let headers = (userinfoHeaders ?? [:]).sorted { $0.key < $1.key }
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte), !Self.ownHeaders.contains(name.lowercased()),
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw Self.refusal("userinfoHeaders cannot set \(name)") }
        }
        return headers.map { ($0.key, $0.value) }
    }

    private static let ownHeaders: Set<String> = [
        "authorization", "connection", "content-length", "content-type", "cookie", "host", "te", "transfer-encoding",
        "upgrade",
    ]

    /// Whether a byte is allowed in a header name: letters, digits and hyphen.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
