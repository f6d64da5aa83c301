import Broker
import Foundation
import ProviderKit

/// A sign-in with a provider's device flow (RFC 8628): shows the user code and waits for the approval.
struct DevicePrompt {
    /// Whether to print one JSON document per line.
    let json: Bool

    /// - Throws: ``CommandFailure`` after Ctrl-C, `BrokerError` when the sign-in fails.
    func credential(from id: String, _ core: BrokerCore) async throws -> VerifiedCredential {
        let (json, showsProgress) = (json, !json && isatty(STDERR_FILENO) == 1)
        return try await Interruption.heeding {
            let attempt = try await core.redirects.startDeviceFlow(at: id)
            Self.show(attempt.authorization, of: id, json: json)
            defer { if showsProgress { Countdown.report("") } }
            return try await core.redirects.finishDeviceFlow(attempt) { left in
                if showsProgress { Countdown.report("Waiting, \(Countdown.time(left)) left.") }
            }
        }
    }

    private static func show(_ authorization: DeviceAuthorization, of id: String, json: Bool) {
        (json ? TerminalText(json: document(authorization, of: id)) : text(authorization)).show()
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
}
