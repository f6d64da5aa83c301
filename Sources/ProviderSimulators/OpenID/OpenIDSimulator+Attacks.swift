public import ProviderKit
public import ProviderKitTesting

extension OpenIDSimulator {
    /// What the `iss` parameter of redirects says (RFC 9207).
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

    /// What a dishonest or mistaken provider says instead of the truth.
    struct Lies: Sendable {
        var issuerParameter = IssuerParameter.right
        var discovery: JSONValue?
        var discoveryMembers: JSONObject = [:]
        var keySet: JSONValue?
        var userinfo: JSONValue?
        var authorizationError: OAuthFailure?
    }

    /// The keys it signs with: rotate them, retire them, publish nonsense beside them.
    public var keys: IssuerKeys { core.mint.keys }

    /// What is wrong with the ID tokens made from now on; `nil` for honest ones.
    public var forgery: IDTokenForgery? {
        get { core.mint.forgery }
        set { core.mint.forgery = newValue }
    }

    /// Gives the ID tokens made from now on this claim, or takes it away from them when `value` is `nil`.
    public func replaceClaim(_ name: String, with value: JSONValue?) {
        core.mint.replaceClaim(name, with: value)
    }

    /// What redirects say about the issuer.
    public var issuerParameter: IssuerParameter {
        get { core.snapshot.lies.issuerParameter }
        set { core.withState { $0.lies.issuerParameter = newValue } }
    }

    /// A discovery document to publish instead of the honest one: any JSON.
    public var discoveryOverride: JSONValue? {
        get { core.snapshot.lies.discovery }
        set { core.withState { $0.lies.discovery = newValue } }
    }

    /// Replaces a member of the discovery document.
    public func replaceDiscoveryMember(_ name: String, with value: JSONValue) {
        core.withState { $0.lies.discoveryMembers[name] = value }
    }

    /// A key set to publish instead of the honest one: any JSON.
    public var keySetOverride: JSONValue? {
        get { core.snapshot.lies.keySet }
        set { core.withState { $0.lies.keySet = newValue } }
    }

    /// What userinfo says whoever asks: any JSON.
    public var userinfoOverride: JSONValue? {
        get { core.snapshot.lies.userinfo }
        set { core.withState { $0.lies.userinfo = newValue } }
    }

    /// Sends people who come to the authorization page straight back with this error.
    ///
    /// - Parameters:
    ///   - code: What `error` says.
    ///   - description: What `error_description` says; hostile text, if you like.
    public func refuseAuthorizations(code: String, description: String) {
        core.withState { $0.lies.authorizationError = OAuthFailure(code, description) }
    }

    /// Is honest from now on.
    public func tellTheTruth() {
        core.mint.restore()
        core.withState { $0.lies = Lies() }
    }
}
