import Broker
import Foundation
import ProviderKit

/// A device authorization (RFC 8628) that a command requests: it shows the user code and waits until the user has finished
/// in a browser, on this or another machine.
struct DevicePrompt {
    /// Whether to print one JSON document per line.
    let json: Bool

    /// A sign-in with the provider's device flow.
    ///
    /// - Throws: ``CommandFailure`` after Ctrl-C, `BrokerError` when the sign-in fails.
    func credential(from id: String, _ core: BrokerCore) async throws -> VerifiedCredential {
        let prompt = self
        return try await Interruption.heeding {
            let attempt = try await core.redirects.startDeviceFlow(at: id)
            prompt.show(Self.document(attempt.authorization, of: id), Self.text(attempt.authorization))
            return try await prompt.countingDown { try await core.redirects.finishDeviceFlow(attempt, progress: $0) }
        }
    }

    /// A sign-in at the provider by way of the broker's own device authorization.
    ///
    /// - Parameters:
    ///   - id: The provider's id.
    ///   - core: The broker.
    ///   - browser: The browser to open; the address is shown in any case.
    ///   - requiresLogin: Whether the provider must reauthenticate the user.
    /// - Returns: The identity.
    /// - Throws: ``CommandFailure`` on Ctrl-C or when the broker does not answer, `BrokerError` when the sign-in fails.
    func identity(
        of id: String, _ core: BrokerCore, opening browser: LocalBrowser?, requiresLogin: Bool
    ) async throws -> DeviceIdentity {
        try await Self.requirePages(
            of: core.configuration,
            otherwise: ", pass a credential with --credential, or sign in at the provider with --device")
        let authorization = try await core.openID.requestDeviceIdentity(of: id, requiresLogin: requiresLogin)
        let url = authorization.verificationURIComplete ?? authorization.verificationURI
        let prompt = self
        do {
            return try await Interruption.heeding {
                prompt.show(
                    Self.document(authorization, of: id, url: url, opens: browser != nil),
                    Self.text(authorization, url: url, opens: browser != nil))
                browser?.open(url)
                return try await prompt.countingDown {
                    try await core.openID.deviceIdentity(of: authorization, progress: $0)
                }
            }
        } catch {
            // The browser page then reports that the sign-in was cancelled.
            try? await core.openID.cancel(authorization)
            throw error
        }
    }

    /// Checks that the broker serves the page, before its address is shown.
    ///
    /// - Parameters:
    ///   - configuration: The broker's configuration.
    ///   - otherwise: What else the user of the command can do.
    /// - Throws: ``CommandFailure`` `CANNOT_REACH`.
    static func requirePages(
        of configuration: Configuration, otherwise: String
    ) async throws(CommandFailure) {
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
            "no broker answers at \(configuration.publicURL): start it with broker serve\(otherwise)")
    }

    private func show(_ document: JSONValue, _ text: TerminalText) {
        (json ? TerminalText(json: document) : text).show()
    }

    /// Shows the time that is left while `work` waits.
    private func countingDown<Value>(
        _ work: (_ progress: @escaping @Sendable (Int) -> Void) async throws -> Value
    ) async throws -> Value {
        let isShown = !json && StatusLine.isPossible
        defer { StatusLine.clear() }
        return try await work { left in if isShown { StatusLine.show("Waiting, \(Countdown.time(left)) left.") } }
    }

    private static func document(_ authorization: DeviceAuthorization, of id: String) -> JSONValue {
        var document: JSONObject = [
            "event": "device-authorization", "provider": .string(id), "userCode": .string(authorization.userCode),
            "verificationUri": .string(authorization.verificationURI),
            "expiresIn": .integer(Int64(authorization.expiresIn)),
            "interval": .integer(Int64(authorization.interval)),
        ]
        document["verificationUriComplete"] = authorization.verificationURIComplete.map(JSONValue.string)
        return .object(document)
    }

    private static func document(
        _ authorization: DeviceAuthorization, of id: String, url: String, opens: Bool
    ) -> JSONValue {
        [
            "event": "browser-sign-in", "provider": .string(id), "url": .string(url),
            "userCode": .string(authorization.userCode), "expiresIn": .integer(Int64(authorization.expiresIn)),
            "opensBrowser": .bool(opens),
        ]
    }

    private static func text(_ authorization: DeviceAuthorization) -> TerminalText {
        let code = TerminalText(bold: authorization.userCode)
        let link: TerminalText =
            authorization.verificationURIComplete.map { "\n    or open  \($0)  and compare the code" } ?? ""
        return """

                Open     \(authorization.verificationURI)
                and type

                    \(code)
            \(link)
                The code expires in \(Countdown.time(authorization.expiresIn)).

            """
    }

    private static func text(_ authorization: DeviceAuthorization, url: String, opens: Bool) -> TerminalText {
        let code = TerminalText(bold: authorization.userCode)
        return """

                \(opens ? "A browser opens. If none does, open" : "Open with any browser")

                    \(url)

                and compare the code it shows with this one:

                    \(code)

                The code expires in \(Countdown.time(authorization.expiresIn)).

            """
    }
}
