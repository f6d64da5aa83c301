/// A class of authentication that scopes and routes require: a login of the last seconds, with one of certain providers, or
/// with certain methods (RFC 9470).
package struct StepUpRule: Sendable, Hashable {
    /// A route that can require step-up authentication, by its name on the wire.
    package enum Route: String, Sendable, Hashable, CaseIterable, Decodable {
        case lookup = "accounts:lookup"
        case update = "accounts:update"
        case delete = "accounts:delete"
        /// A link; a sign-in is a new login itself.
        case link = "accounts:signInWithIdp"
        case userInfo = "/oauth/userinfo"
    }

    /// The value of `acr_values` that requests this class, and of `acr` in the tokens of such a login.
    package let acr: String
    /// The maximum age of the login, in seconds.
    package let maxAge: Int64?
    /// The providers of which one has authenticated the user; any when empty.
    package let providers: [String]
    /// The authentication methods (RFC 8176) that the provider reported, all of them.
    package let methods: [String]
    /// The scopes of authorization requests and of access tokens that require this class.
    package let scopes: [String]
    /// The routes that require this class.
    package let routes: [Route]
}

/// `{"acr": …, "maxAge": …, "providers": […], "methods": […], "scopes": […], "routes": […]}`; `acr` and one requirement are
/// compulsory.
extension StepUpRule: Decodable {
    private enum CodingKeys: String, CodingKey { case acr, maxAge, providers, methods, scopes, routes }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func texts(_ key: CodingKeys) throws -> [String] {
            try container.decodeIfPresent([String].self, forKey: key) ?? []
        }
        acr = try container.decode(String.self, forKey: .acr)
        maxAge = try container.decodeIfPresent(Int64.self, forKey: .maxAge)
        providers = try texts(.providers)
        methods = try texts(.methods)
        scopes = try texts(.scopes)
        routes = try container.decodeIfPresent([Route].self, forKey: .routes) ?? []
        func refuse(_ key: CodingKeys, _ reason: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
        }
        // It stands in quotes in WWW-Authenticate and between spaces in acr_values.
        guard (1...128).contains(acr.utf8.count),
            acr.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else { throw refuse(.acr, "expected 1 to 128 printable characters without spaces, quotes and backslashes") }
        if let maxAge, !(1...31_536_000).contains(maxAge) { throw refuse(.maxAge, "expected 1 to 31536000 seconds") }
        guard maxAge != nil || !providers.isEmpty || !methods.isEmpty else {
            throw refuse(.acr, "the rule requires nothing: add maxAge, providers or methods")
        }
    }
}
