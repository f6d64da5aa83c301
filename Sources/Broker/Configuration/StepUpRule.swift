import ProviderKit

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
    package fileprivate(set) var acr: String
    /// The maximum age of the login, in seconds.
    package fileprivate(set) var maxAge: Int64?
    /// The providers of which one has authenticated the user; any when empty.
    package fileprivate(set) var providers: [String] = []
    /// The authentication methods (RFC 8176) that the provider reported, all of them.
    package fileprivate(set) var methods: [String] = []
    /// The scopes of authorization requests and of access tokens that require this class.
    package fileprivate(set) var scopes: [String] = []
    /// The routes that require this class.
    package fileprivate(set) var routes: [Route] = []

    /// A rule that requires nothing yet.
    init(acr: String) {
        self.acr = acr
    }
}

extension StepUpRule {
    /// The items of `policy.stepUp`.
    static let keys = DeclaredObject<StepUpRule>(
        [
            .text("acr", "the name of the class, in `acr_values` and in tokens") {
                (rule, acr, place) throws(ConfigurationError) in
                // It stands in quotes in WWW-Authenticate and between spaces in acr_values.
                guard (1...128).contains(acr.utf8.count), acr.utf8.allSatisfy(isNameByte) else {
                    throw place.error("must be 1 to 128 printable characters without spaces, quotes and backslashes.")
                }
                rule.acr = acr
            }.required(),
            .integer("maxAge", 1...31_536_000, "the maximum age of the login, in seconds") {
                $0.maxAge = $1.map(Int64.init)
            },
            .texts("providers", "the entries of which one has authenticated the user") {
                rule, providers, _ in rule.providers = providers
            },
            .texts("methods", "the authentication methods (RFC 8176) that the provider has reported, all of them") {
                rule, methods, _ in rule.methods = methods
            },
            .texts("scopes", "the scopes that require this class") { rule, scopes, _ in rule.scopes = scopes },
            .value(
                "routes", [Route].self,
                schema: [
                    "type": "array",
                    "items": ["enum": .array(Route.allCases.map { .string($0.rawValue) })],
                ], "the routes that require this class"
            ) { rule, routes, _ in rule.routes = routes },
        ]
    ) { (rule, _, place) throws(ConfigurationError) in
        guard rule.maxAge != nil || !rule.providers.isEmpty || !rule.methods.isEmpty else {
            throw place.below(["acr"]).error("names a rule that requires nothing: add maxAge, providers or methods.")
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}
