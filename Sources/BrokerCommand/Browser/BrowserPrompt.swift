import Broker
import Foundation
import ProviderKit

/// A sign-in of the terminal's user in a browser, on this or another machine, awaited by the command.
struct BrowserPrompt {
    /// Whether to print one JSON document per line.
    let json: Bool
    /// Whether the command may open a browser on this machine.
    let mayOpen: Bool
    /// Whether the provider must reauthenticate the user.
    let requiresLogin: Bool

    /// - Throws: ``CommandFailure`` on Ctrl-C or when the broker does not answer, `BrokerError` when the sign-in fails.
    func outcome(from id: String, _ core: BrokerCore) async throws -> TerminalSignIn.Outcome {
        try await reach(core.configuration)
        guard mayOpen, let browser = LocalBrowser() else {
            return try await wait(from: id, core, TerminalSignIn.Request(requiresLogin: requiresLogin)) { _ in
            } then: { _ in
            }
        }
        return try await LoopbackListener.listening { listener in
            let request = TerminalSignIn.Request(loopback: listener.url, requiresLogin: requiresLogin)
            return try await wait(from: id, core, request) { attempt in
                browser.open(attempt.localURL)
            } then: { outcome in
                if outcome.returnsToTerminal { await listener.visited(within: .seconds(3)) }
            }
        }
    }

    /// Checks that the broker answers, before its address is shown.
    private func reach(_ configuration: Configuration) async throws(CommandFailure) {
        let publicly = HealthProbe(url: configuration.publicURL + "/healthz")
        if (try? await publicly()) != nil { return }
        // The public address may be unreachable from this host.
        let listen = configuration.listen
        if listen.port > 0,
            (try? await HealthProbe(of: listen, overTLS: configuration.tls != nil, path: "/healthz")()) != nil
        {
            return
        }
        throw CommandFailure(
            code: "CANNOT_REACH",
            """
            no broker answers at \(configuration.publicURL): start it with broker serve, pass a credential with \
            --credential, or sign in at the provider with --device
            """)
    }

    private func wait(
        from id: String, _ core: BrokerCore, _ request: TerminalSignIn.Request,
        opening open: @escaping @Sendable (TerminalSignIn.Attempt) -> Void,
        then finish: @escaping @Sendable (TerminalSignIn.Outcome) async -> Void
    ) async throws -> TerminalSignIn.Outcome {
        let attempt = try await core.openID.terminal.begin(at: id, request)
        let (json, showsProgress) = (json, !json && isatty(STDERR_FILENO) == 1)
        do {
            return try await Interruption.heeding {
                Self.show(attempt, opens: request.loopback != nil, json: json)
                open(attempt)
                defer { if showsProgress { Countdown.report("") } }
                let outcome = try await core.openID.terminal.outcome(of: attempt) {
                    try await Task.sleep(for: .seconds(1))
                } progress: { left in
                    if showsProgress { Countdown.report("Waiting, \(Countdown.time(left)) left.") }
                }
                await finish(outcome)
                return outcome
            }
        } catch {
            // The browser page then reports that the sign-in was cancelled.
            try? await core.openID.terminal.abandon(attempt)
            throw error
        }
    }

    private static func show(_ attempt: TerminalSignIn.Attempt, opens: Bool, json: Bool) {
        (json ? TerminalText(json: document(attempt, opens: opens)) : text(attempt, opens: opens)).show()
    }

    private static let lifetime = DeviceAuthorizations.lifetime.components.seconds

    private static func document(_ attempt: TerminalSignIn.Attempt, opens: Bool) -> JSONValue {
        [
            "event": "browser-sign-in", "provider": .string(attempt.provider), "url": .string(attempt.url),
            "userCode": .string(attempt.userCode.text), "expiresIn": .integer(lifetime), "opensBrowser": .bool(opens),
        ]
    }

    private static func text(_ attempt: TerminalSignIn.Attempt, opens: Bool) -> TerminalText {
        let code = TerminalText(bold: attempt.userCode.text)
        return """

                \(opens ? "A browser opens. If none does, open" : "Open with any browser")

                    \(attempt.url)

                and compare the code it shows with this one:

                    \(code)

                The code expires in \(Countdown.time(Int(lifetime))).

            """
    }
}
