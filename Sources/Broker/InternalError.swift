package import BrokerStore

/// A failure that no caller can cause. Unlike a ``BrokerError`` it has no code of its own on the wire.
package enum InternalError: Error, Sendable, Equatable {
    /// A random id, or a unique key that was found free, is taken; names the table. A repetition may succeed.
    case uniqueKeyTaken(String)
    /// No active key of this algorithm exists to sign tokens with.
    case signingKeyMissing(StoredSigningKey.Algorithm)

    /// For the log. Names no user.
    var reason: String {
        switch self {
        case .uniqueKeyTaken(let table): "a unique key of \(table) is taken"
        case .signingKeyMissing(let algorithm): "there is no active \(algorithm.rawValue) signing key"
        }
    }
}
