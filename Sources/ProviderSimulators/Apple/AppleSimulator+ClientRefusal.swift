extension AppleSimulator {
    /// The reasons of refused client secrets, oldest first. The wire says no more than `invalid_client`, as Apple does.
    public var clientRefusals: [ClientRefusal] { core.read(\.clientRefusals) }

    /// The reason a `client_secret` is refused.
    public enum ClientRefusal: String, Error, Sendable, Hashable, CaseIterable {
        case noClient, noSecret, unknownClient, notAToken, wrongAlgorithm, unknownKey, revokedKey, wrongSignature
        case wrongIssuer, wrongAudience, wrongSubject, expired, notYetValid, livesTooLong, otherTeamsClient
        case otherGroupsClient
    }
}
