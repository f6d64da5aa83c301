package import BrokerStore
package import ProviderKit

/// `decisions.explain`: how the broker decided which user a credential belongs to.
package struct ExplainDecisions: AdminOperation {
    package static let name = "decisions.explain"
    package static let summary = "Returns the decision records of a user or a request, the latest first."
    package static let scope: AdminScope? = .readUsers

    /// A user's localId or e-mail address, or a request's id.
    let of: String
    /// The maximum number of records, 1 to 1000; 20 when absent.
    let limit: Int?

    package struct Answer: Codable, Sendable {
        package let decisions: [DecisionAnswer]
        /// The localId of the user that the user of this name was merged into.
        package let mergedInto: String?
    }

    /// A decision record.
    package struct DecisionAnswer: Codable, Sendable {
        package let at: Timestamp
        package let requestId: String
        package let provider: String
        package let issuer: String
        package let subjectHash: String
        package let rule: String
        package let result: String
        package let evidence: JSONValue
        package let localId: String?
    }

    package init(of name: String, limit: Int) {
        of = name
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try AdminContext.checked(limit: limit, standard: 20)
        guard let decisions = try await call.admin.explain(of, limit: limit) else {
            throw AdminFailure(code: "NOTHING_KNOWN", "no user and no request has the name \(of)")
        }
        return Answer(
            decisions: decisions.map { DecisionAnswer($0) },
            mergedInto: try await call.admin.survivor(of: of))
    }
}

extension ExplainDecisions.DecisionAnswer {
    fileprivate init(_ decision: Decision) {
        self.init(
            at: decision.at, requestId: decision.requestID, provider: decision.provider, issuer: decision.issuer,
            subjectHash: decision.subjectHash, rule: decision.rule, result: decision.outcome,
            evidence: (try? JSONValue(parsing: decision.evidence.utf8)) ?? .string(decision.evidence),
            localId: decision.localID)
    }
}
