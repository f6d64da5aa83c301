import BrokerStore
import ProviderKit

/// `refusals.list`: the recorded causes of refused requests, newest first.
package struct ListRefusals: AdminOperation {
    private static let limits = DeclaredLimit("The maximum number of requests, 1 to 1000.", standard: 50)

    package static let declaration = OperationDeclaration(
        "refusals.list", "Lists refused requests with the cause of each, newest first.", .readConfiguration, .reads,
        [
            .option("code", "Only requests that were refused with this code.", example: "INVALID_IDP_RESPONSE"),
            .option("provider", "Only requests in which the provider with this id took part.").of(.provider),
            .option("client", "Only requests of the client with this id.").of(.client),
            limits.argument,
            .option("before", "List the requests before those of the answer with this `next`."),
        ],
        command: DeclaredCommand(
            "refusals", "List refused requests with the cause of each, newest first.",
            """
            The broker records the causes of the newest 10 000 refused requests, at most ten a minute for each client and
            address. `broker explain` shows one of them, `broker statistics` the counts of all. The brokers of a store write
            the causes every five seconds.

            Examples:
              broker refusals
              broker refusals --provider github.com --code INVALID_IDP_RESPONSE
              broker refusals --limit 1000 --json
            """))

    let code: String?
    let provider: String?
    let client: String?
    let limit: Int?
    let before: String?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "refusals": "The refused requests, newest first.",
            "next": "The `before` of the next page; absent on the last one.",
        ]

        package let refusals: [ExplainDecisions.RefusalAnswer]
        package let next: String?
    }

    package init(
        code: String? = nil, provider: String? = nil, client: String? = nil, limit: Int? = nil, before: String? = nil
    ) {
        self.code = code
        self.provider = provider
        self.client = client
        self.limit = limit
        self.before = before
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let limit = try Self.limits.checked(limit)
        try await call.admin.outcomes.turn()
        return try await call.admin.store.read { transaction in
            let found = try transaction.refusals(
                code: code, provider: provider, clientID: client, before: KeyGenerator.key(before: before),
                limit: limit + 1)
            let page = found.prefix(limit)
            return Answer(
                refusals: page.map { ExplainDecisions.RefusalAnswer($0) },
                next: found.count > limit ? page.last.map { KeyGenerator.cursor(at: $0.key) } : nil)
        }
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<ExplainDecisions.RefusalAnswer>(
            .init("TIME (UTC)") { $0.at.minuteText }, .init("REQUEST") { $0.requestId }, .init("CAUSE") { $0.code },
            .init("PROVIDER", mayBeCut: true) { $0.provider ?? "" },
            .init("CLIENT", mayBeCut: true) { $0.clientId ?? "" }, .init("TEXT", mayBeCut: true) { $0.text ?? "" })
        let more: TerminalText = answer.next.map { "\nThere are more: add --before \($0)" } ?? ""
        return answer.refusals.isEmpty ? "No refused requests." : "\(table.text(answer.refusals))\(more)"
    }

    package func rowCount(of answer: Answer) -> Int? { answer.refusals.count }
}
