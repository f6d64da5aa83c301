package import BrokerStore

extension AdminContext {
    /// The local id of the user that the user of this one was merged into, if any.
    package func survivor(of localID: String) async throws -> String? {
        try await store.read { try $0.user(absorbing: localID)?.localID }
    }

    /// The decision records of the account resolver.
    ///
    /// - Parameters:
    ///   - name: A localId, of a user who need not exist any more; an e-mail address; or a request's id.
    ///   - limit: How many records at the most.
    /// - Returns: The records, latest first; nil if nothing is known by this name.
    /// - Throws: A store's error.
    package func explain(_ name: String, limit: Int) async throws -> [Decision]? {
        let canonical = EmailAddress(name)?.canonical
        return try await store.read { transaction in
            let holder = try canonical.flatMap { try transaction.user(holdingEmail: $0) }
            let localID = holder?.localID ?? name
            let ofUser = try transaction.decisions(localID: localID, limit: limit)
            let isUser = try transaction.user(localID: localID) != nil
            guard ofUser.isEmpty, !isUser else { return ofUser }
            let ofRequest = try transaction.decisions(requestID: name, limit: limit)
            return ofRequest.isEmpty ? nil : ofRequest
        }
    }
}
