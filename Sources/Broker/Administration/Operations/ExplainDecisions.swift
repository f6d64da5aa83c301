package import BrokerStore
package import ProviderKit

/// `decisions.explain`: how the broker decided which user a credential belongs to.
package struct ExplainDecisions: AdminOperation {
    private static let limits = DeclaredLimit(
        "The maximum number of records, 1 to 1000; the newest first.", standard: 20)

    package static let declaration = OperationDeclaration(
        "decisions.explain", "Returns the decision records of a user or a request, the latest first.", .readUsers,
        .reads,
        [
            .positional(
                "of", "A user's localId or e-mail address, or a request's id.", as: "name", example: "ann@example.com"),
            limits.argument,
        ],
        command: DeclaredCommand(
            "explain", "Show how the broker decided which user a credential belongs to.",
            """
            The broker records each sign-in, link and refusal: the evidence, the rule that applied, and the result. Find
            the record of a refusal without a user by the request's id, the X-Request-Id of the response.

            Examples:
              broker explain ann@example.com
              broker explain kX3… --limit 3 --json
            """))

    let of: String
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "decisions": "The decision records, the latest first.",
            "mergedInto": "The localId of the user that the user of this name was merged into.",
        ]

        package let decisions: [DecisionAnswer]
        package let mergedInto: String?
    }

    /// A decision record.
    package struct DecisionAnswer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "at": "The time of the decision.",
            "requestId": "The id of the request.",
            "provider": "The id of the provider entry.",
            "issuer": "The provider's issuer.",
            "subjectHash": "SHA-256 of the provider's subject.",
            "rule": "The rule of the account policy that applied.",
            "result": "What was decided.",
            "evidence": "What was decided by.",
            "localId": "The user it led to.",
        ]

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

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        guard let decisions = try await call.admin.explain(of, limit: limit) else {
            throw AdminFailure(code: "NOTHING_KNOWN", "no user and no request has the name \(of)")
        }
        return Answer(
            decisions: decisions.map { DecisionAnswer($0) },
            mergedInto: try await call.admin.survivor(of: of))
    }

    package func text(of answer: Answer) -> TerminalText {
        let merged: TerminalText = answer.mergedInto.map { "User \(of) was merged into \($0).\n\n" } ?? ""
        let records =
            answer.decisions.isEmpty
            ? "This user has no decisions." : answer.decisions.map(\.text).joined(separator: "\n\n")
        return "\(merged)\(records)"
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

extension ExplainDecisions.DecisionAnswer {
    fileprivate var text: TerminalText {
        let user: TerminalText = localId.map { "  user \($0)" } ?? ""
        return """
            \(at.text)  \(result)\(user)
              rule      \(rule)
              provider  \(provider) (\(issuer)), subject \(subjectHash)
              evidence  \(evidence.serialized())
              request   \(requestId)
            """
    }
}
