/// The reason that a configuration of ``BrokerTokens`` or a ``BrokerCredential`` is refused.
public struct BrokerTokensError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault and its remedy. Contains no secret.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    public var description: String { reason }
}
