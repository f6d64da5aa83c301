import BrokerStore
import ProviderKit

/// `clients.check`: asks the registered addresses of a client whether something answers there.
package struct CheckClient: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.check", "Asks each registered https address of a client whether something answers there.",
        .readConfiguration, .reads, [.client],
        command: DeclaredCommand(
            "check", "Ask the registered addresses of a client whether something answers there.",
            """
            Sends one HEAD request to each https address, without anything of a user, and follows no redirect. An
            address of an app on a device cannot be asked. Exits 1 when an address does not answer, or answers that
            nothing is there.

            Examples:
              broker clients check 4fJqW8…
              broker clients check 4fJqW8… --json
            """))

    let client: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["addresses": "The addresses, in their registered order."]

        package let addresses: [Finding]
    }

    /// What came of asking an address.
    package struct Finding: DescribedObject {
        package static let texts: [String: MemberText] = [
            "use": "What it is registered for.",
            "uri": "The address.",
            "state":
                "`answers`, `missing` for the answers 404 and 410, `failing` for 5xx, `unreachable`, or `on-device`.",
            "text": "What was found, in words.",
        ]

        package let use: Use
        package let uri: String
        package let state: State
        package let text: String

        package var isProblem: Bool { [.missing, .failing, .unreachable].contains(state) }
    }

    /// What an address is registered for.
    package enum Use: String, Codable, Sendable, CaseIterable {
        case redirect, logout, page
    }

    package enum State: String, Codable, Sendable, CaseIterable {
        case answers, missing, failing, unreachable
        case onDevice = "on-device"
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let found = try await call.admin.openID.clients.client(id: client) else {
            throw AdminFailure.clientNotFound
        }
        let pages = [found.homeURL, found.termsURL, found.privacyURL, found.supportURL].compactMap(\.self)
        // Nothing posts to the back-channel address but a logout, and mailto: is no place.
        let addresses =
            found.redirectURIs.map { (Use.redirect, $0) } + found.postLogoutRedirectURIs.map { (.logout, $0) }
            + pages.filter { $0.hasPrefix("https:") }.map { (.page, $0) }
        let check = AddressCheck(clients: call.admin.providers.clients)
        return await withTaskGroup(of: (Int, Finding).self) { group in
            for (index, (use, uri)) in addresses.enumerated() {
                group.addTask { (index, Finding(use, uri, await check.ask(uri))) }
            }
            var findings: [(Int, Finding)] = []
            for await finding in group { findings.append(finding) }
            return Answer(addresses: findings.sorted { $0.0 < $1.0 }.map(\.1))
        }
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<Finding>(
            .init("USE") { $0.use.rawValue }, .init("ADDRESS", mayBeCut: true) { $0.uri }, .init("RESULT") { $0.text })
        return answer.addresses.isEmpty ? "The client has no addresses." : table.text(answer.addresses)
    }

    package func isFailure(_ answer: Answer) -> Bool { answer.addresses.contains(where: \.isProblem) }
}

extension CheckClient.Finding {
    fileprivate init(_ use: CheckClient.Use, _ uri: String, _ outcome: AddressCheck.Outcome?) {
        (self.use, self.uri) = (use, uri)
        switch outcome {
        case .answered(let status) where [404, 410].contains(status):
            (state, text) = (.missing, "answers \(status): nothing is there")
        case .answered(let status) where status >= 500: (state, text) = (.failing, "answers \(status)")
        case .answered(let status): (state, text) = (.answers, "answers \(status)")
        case .unanswered(let reason): (state, text) = (.unreachable, reason)
        case nil: (state, text) = (.onDevice, "an app on a device, which cannot be asked")
        }
    }
}
