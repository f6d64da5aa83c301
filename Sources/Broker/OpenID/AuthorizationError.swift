/// Why the broker as authorization server refuses a client. The texts are for the client's developer; none repeats what
/// was sent.
package enum AuthorizationError: Error, Sendable, Equatable {
    /// Not the client it says it is, or none that is registered.
    case invalidClient(String)
    /// A code or refresh token that does not count, or not for this client.
    case invalidGrant(String)
    /// More than was granted.
    case invalidScope(String)
    /// A client of a kind that may not do this.
    case unauthorizedClient(String)
}
