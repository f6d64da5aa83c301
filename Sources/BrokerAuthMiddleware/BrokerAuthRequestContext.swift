public import Hummingbird

/// A request context that has the caller's identity.
///
/// ```swift
/// struct AppContext: BrokerAuthRequestContext {
///     var coreContext: CoreRequestContextStorage
///     var identity: BrokerIdentity?
///     init(source: Source) { coreContext = .init(source: source) }
/// }
/// ```
public protocol BrokerAuthRequestContext: RequestContext {
    /// The caller, which ``BrokerAuthMiddleware`` sets; nil for an anonymous request on an optional route.
    var identity: BrokerIdentity? { get set }
}

extension BrokerAuthRequestContext {
    /// The caller.
    ///
    /// - Throws: ``BrokerAuthRefusal/missingToken`` for an anonymous request.
    public func requireIdentity() throws(BrokerAuthRefusal) -> BrokerIdentity {
        guard let identity else { throw .missingToken }
        return identity
    }

    /// The caller, whose token has these scopes.
    ///
    /// - Throws: ``BrokerAuthRefusal``: `missingToken`, `insufficientScope`.
    @discardableResult
    public func requireScopes(_ scopes: String...) throws(BrokerAuthRefusal) -> BrokerIdentity {
        let identity = try requireIdentity()
        try identity.requireScopes(scopes)
        return identity
    }

    /// The caller, whose login is not older than `age`.
    ///
    /// - Throws: ``BrokerAuthRefusal``: `missingToken`, `insufficientUserAuthentication`.
    @discardableResult
    public func requireLogin(within age: Duration) throws(BrokerAuthRefusal) -> BrokerIdentity {
        let identity = try requireIdentity()
        try identity.requireLogin(within: age)
        return identity
    }

    /// The caller, whose session has not ended: the broker is asked.
    ///
    /// - Throws: ``BrokerAuthRefusal``: `missingToken`, and those of ``BrokerIdentity/requireActive()``.
    @discardableResult
    public func requireActive() async throws(BrokerAuthRefusal) -> BrokerIdentity {
        let identity = try requireIdentity()
        try await identity.requireActive()
        return identity
    }
}
