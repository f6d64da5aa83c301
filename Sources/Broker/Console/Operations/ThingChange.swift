import ProviderKit

/// An operation that changes what is given of a thing. Its form shows the thing as it is, and sends what differs.
protocol ThingChange: AdminOperation {
    /// The thing as the operation's arguments have it.
    ///
    /// - Parameters:
    ///   - values: What names the thing, by the names of the arguments.
    ///   - runner: Runs the operation that shows it.
    /// - Returns: The thing; nil where nothing names one.
    /// - Throws: An error of that operation.
    static func thing(named values: [String: String], by runner: some OperationRunner) async throws -> JSONObject?
}

extension UpdateClient: ThingChange {
    static func thing(named values: [String: String], by runner: some OperationRunner) async throws -> JSONObject? {
        guard let id = values["client"] else { return nil }
        let client = try await runner.run(ShowClient(client: id)).client
        var thing = try JSONValueEncoder().encode(client).object
        thing?["receivesProviderTokens"] = .bool(client.providerTokens == "client")
        return thing
    }
}

extension UpdateProvider: ThingChange {
    /// Its options may be secrets, so no operation tells them.
    static func thing(named values: [String: String], by runner: some OperationRunner) async throws -> JSONObject? {
        guard let id = values["id"] else { return nil }
        let provider = try await runner.run(ShowProvider(id: id)).provider
        var changes = JSONObject()
        changes["displayName"] = provider.displayName.map(JSONValue.string)
        changes["trustEmail"] = provider.trustEmail.map(JSONValue.bool)
        return ["changes": .object(changes)]
    }
}

extension UpdateUser: ThingChange {
    static func thing(named values: [String: String], by runner: some OperationRunner) async throws -> JSONObject? {
        guard let user = values["user"] else { return nil }
        return try await runner.run(ShowUser(user: user))
    }
}

extension SetUserClaims: ThingChange {
    static func thing(named values: [String: String], by runner: some OperationRunner) async throws -> JSONObject? {
        guard let user = values["user"] else { return nil }
        let claims = try await runner.run(ShowUser(user: user))["customAttributes"]?.string
        return claims.flatMap { try? JSONValue(parsing: Array($0.utf8)) }.map { ["claims": $0] }
    }
}
