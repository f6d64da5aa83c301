package import BrokerStore

extension BrokerCore {
    /// Makes a link to the console: the first user who signs in with it in the next 15 minutes gets the role.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - origin: The administrator of the host, for the audit.
    /// - Returns: The link, which is not stored, and when it expires.
    /// - Throws: A store's error.
    package func inviteToConsole(
        role: ConsoleRole, origin: Origin
    ) async throws -> (link: String, expiresAt: Timestamp) {
        let (secret, expiresAt) = try await redirects.inviteToConsole(role: role, origin: origin)
        return (configuration.consoleURL + ConsolePaths.invitation(secret), expiresAt)
    }
}
