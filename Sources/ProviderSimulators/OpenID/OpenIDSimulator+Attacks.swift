public import ProviderKit

extension OpenIDSimulator {
    /// The `iss` parameter of redirects (RFC 9207).
    public enum IssuerParameter: Sendable, Hashable {
        /// No parameter, and none promised in discovery.
        case off
        /// No parameter, although discovery promises one.
        case missing
        /// The simulator's own issuer.
        case right
        /// Another issuer, as in a mix-up attack.
        case other(String)
    }

    /// The false answers of a dishonest or mistaken provider.
    struct Lies: Sendable {
        var issuerParameter = IssuerParameter.right
        var discovery: JSONValue?
        var discoveryMembers: JSONObject = [:]
        var keySet: JSONValue?
        var userinfo: JSONValue?
        var authorizationError: OAuthFailure?
    }

    /// The `iss` parameter of redirects.
    public var issuerParameter: IssuerParameter {
        get { core.read(\.lies.issuerParameter) }
        set { core.withState { $0.lies.issuerParameter = newValue } }
    }

    /// A discovery document to publish instead of the honest one: any JSON.
    public var discoveryOverride: JSONValue? {
        get { core.read(\.lies.discovery) }
        set { core.withState { $0.lies.discovery = newValue } }
    }

    /// Replaces a member of the discovery document.
    public func replaceDiscoveryMember(_ name: String, with value: JSONValue) {
        core.withState { $0.lies.discoveryMembers[name] = value }
    }

    /// A key set to publish instead of the honest one: any JSON.
    public var keySetOverride: JSONValue? {
        get { core.read(\.lies.keySet) }
        set { core.withState { $0.lies.keySet = newValue } }
    }

    /// The answer of userinfo to every valid token: any JSON.
    public var userinfoOverride: JSONValue? {
        get { core.read(\.lies.userinfo) }
        set { core.withState { $0.lies.userinfo = newValue } }
    }

    /// Answers every authorization request with this error.
    ///
    /// - Parameters:
    ///   - code: What `error` says.
    ///   - description: What `error_description` says; hostile text, if you like.
    public func refuseAuthorizations(code: String, description: String) {
        core.withState { $0.lies.authorizationError = OAuthFailure(code, description) }
    }

    /// Is honest from now on.
    public func tellTheTruth() {
        core.withState { state in
            state.memory.mint.restore()
            state.lies = Lies()
        }
    }
}
