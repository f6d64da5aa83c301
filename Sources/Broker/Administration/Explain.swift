package import BrokerStore

extension AdminContext {
    /// The local id of the user that the user of this one was merged into, if any.
    package func survivor(of localID: String) async throws -> String? {
        try await store.read { try $0.user(absorbing: localID)?.localID }
    }

    /// What is known by a name.
    ///
    /// - Parameters:
    ///   - name: A localId, of a user who need not exist any more; an e-mail address; or a request's id.
    ///   - limit: How many decision records at the most.
    /// - Returns: The decision records, latest first, and why the request was refused.
    /// - Throws: A store's error.
    package func explain(_ name: String, limit: Int) async throws -> Explanation {
        let canonical = EmailAddress(name)?.canonical
        // A user reports the number on a page at once.
        try await outcomes.turn()
        let now = now.date
        return try await store.read { transaction in
            let holder = try canonical.flatMap { try transaction.user(holdingEmail: $0) }
            let localID = holder?.localID ?? name
            let ofUser = try transaction.decisions(localID: localID, limit: limit)
            let isUser = try transaction.user(localID: localID) != nil
            guard ofUser.isEmpty, !isUser else { return .user(ofUser) }
            guard let requestID = RequestID.typed(name) else { return .nothing }
            let time = RequestID.time(of: requestID, before: now).map { Timestamp($0) }
            let ofRequest = try transaction.decisions(requestID: requestID, at: time, limit: limit)
            let refusal = try transaction.recordedRefusal(requestID: requestID)
            guard ofRequest.isEmpty, refusal == nil else { return .request(ofRequest, refusal) }
            return time.map { .unrecorded(at: $0) } ?? .nothing
        }
    }
}

/// What is known by the name of a user or of a request.
package enum Explanation: Sendable {
    /// The decision records of a user, latest first.
    case user([Decision])
    /// The decision records of a request, and why it was refused.
    case request([Decision], RecordedRefusal?)
    /// The name is one of a request, of which the log alone says more.
    case unrecorded(at: Timestamp)
    case nothing

    /// The decision records.
    package var decisions: [Decision] {
        switch self {
        case .user(let decisions), .request(let decisions, _): decisions
        case .unrecorded, .nothing: []
        }
    }
}
