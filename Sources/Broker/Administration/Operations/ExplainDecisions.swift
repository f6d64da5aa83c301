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
            The broker records each sign-in, link and refusal: the evidence, the rule that applied, and the result. Give the
            number of an error page, or the X-Request-Id of any refused request, to see why that one was refused. Of what was
            not recorded it names the line of the log to look for.

            Examples:
              broker explain ann@example.com
              broker explain leIZ…
              broker explain kX3… --limit 3 --json
            """))

    let of: String
    let limit: Int?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "decisions": "The decision records, the latest first.",
            "mergedInto": "The localId of the user that the user of this name was merged into.",
            "refusal": "Why the request was refused.",
            "unrecorded": "The name is one of a request of which nothing is recorded.",
        ]

        package let decisions: [DecisionAnswer]
        package let mergedInto: String?
        package let refusal: RefusalAnswer?
        package let unrecorded: UnrecordedRequest?
    }

    /// The cause for which a request was refused.
    package struct RefusalAnswer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "at": "When it was refused.",
            "requestId": "The id of the request.",
            "route": "The template of its path.",
            "status": "The HTTP status of the answer.",
            "code": "The stable code of the cause.",
            "text": "The broker's text for developers.",
            "provider": "The provider entry that took part.",
            "clientId": "The OAuth client.",
        ]

        package let at: Timestamp
        package let requestId: String
        package let route: String
        package let status: Int64
        package let code: String
        package let text: String?
        package let provider: String?
        package let clientId: String?
    }

    /// A request of which the log alone says something.
    package struct UnrecordedRequest: DescribedObject {
        package static let texts: [String: MemberText] = [
            "at": "When it came.", "logLine": "What the line of the log has that says what it came to.",
        ]

        package let at: Timestamp
        package let logLine: String
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
            "ruleText": "The rule in a sentence.",
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
        package let ruleText: String?
        package let result: String
        package let evidence: JSONValue
        package let localId: String?
    }

    /// The code for a name that nothing is known by.
    static let nothingKnown = "NOTHING_KNOWN"

    package init(of: String, limit: Int? = nil) {
        self.of = of
        self.limit = limit
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        let explanation = try await call.admin.explain(of, limit: limit)
        var (refusal, unrecorded): (RefusalAnswer?, UnrecordedRequest?)
        switch explanation {
        case .user: break
        case .request(_, let recorded): refusal = recorded.map { RefusalAnswer($0) }
        case .unrecorded(let moment):
            unrecorded = UnrecordedRequest(at: moment, logLine: #""request_id":"\#(RequestID.typed(of) ?? of)""#)
        case .nothing:
            throw AdminFailure(code: Self.nothingKnown, "no user and no request has the name \(of)")
        }
        return Answer(
            decisions: explanation.decisions.map { DecisionAnswer($0) },
            mergedInto: try await call.admin.survivor(of: of), refusal: refusal, unrecorded: unrecorded)
    }

    package func isFailure(_ answer: Answer) -> Bool { answer.unrecorded != nil }

    package func text(of answer: Answer) -> TerminalText {
        var parts: [TerminalText] = []
        if let survivor = answer.mergedInto { parts.append("User \(of) was merged into \(survivor).") }
        if let refusal = answer.refusal { parts.append(refusal.page) }
        parts += answer.decisions.map(\.page)
        if let request = answer.unrecorded {
            parts.append(
                """
                Of the request \(of) nothing is recorded: it was not refused, or more were than are recorded, or \
                it was a few seconds ago at another broker.
                It came at \(request.at.text). The log has what it came to, in the line with \(request.logLine).
                """)
        }
        return parts.isEmpty ? "This user has no decisions." : parts.joined(separator: "\n\n")
    }
}

extension ExplainDecisions.DecisionAnswer {
    fileprivate init(_ decision: Decision) {
        self.init(
            at: decision.at, requestId: decision.requestID, provider: decision.provider, issuer: decision.issuer,
            subjectHash: decision.subjectHash, rule: decision.rule,
            ruleText: AccountRule(rawValue: decision.rule)?.sentence, result: decision.outcome,
            evidence: (try? JSONValue(parsing: decision.evidence.utf8)) ?? .string(decision.evidence),
            localId: decision.localID)
    }

    fileprivate var page: TerminalText {
        let address: String? =
            evidence["hasEmail"]?.bool.map { hasEmail in
                hasEmail ? (evidence["emailVerified"]?.bool == true ? "verified" : "not verified") : "none"
            }
        let facts = TerminalText.facts([
            ("  Rule", "\(rule)\(ruleText.map { ": \($0)" } ?? "")"), ("  User", localId),
            ("  Provider", issuer.isEmpty ? provider : "\(provider) (\(issuer))"),
            ("  Subject", subjectHash.isEmpty ? nil : "SHA-256 \(subjectHash)"), ("  Address", address),
            ("  Evidence", address == nil ? evidence.serialized() : nil), ("  Request", requestId),
        ])
        return "\(at.text)  \(result)\n\(facts)"
    }
}

extension ExplainDecisions.RefusalAnswer {
    init(_ refusal: RecordedRefusal) {
        self.init(
            at: refusal.at, requestId: refusal.requestID, route: refusal.route, status: refusal.status,
            code: refusal.code, text: refusal.text, provider: refusal.provider, clientId: refusal.clientID)
    }

    fileprivate var page: TerminalText {
        let facts = TerminalText.facts([
            ("  Cause", text.map { "\(code): \($0)" } ?? code), ("  Provider", provider), ("  Client", clientId),
            ("  Answer", "HTTP \(status) of \(route)"), ("  Request", requestId),
        ])
        return "\(at.text)  refused\n\(facts)"
    }
}
