import BrokerStore
import Foundation

/// Takes a provider's answer from the app it came back to (contract §3.8): only the app that holds the session id it
/// was begun with, at the address it was to come back to, and once.
package struct FinishAppSignIn: Sendable {
    let finish: FinishRedirect
    let verifier: IDTokenVerifier

    /// What an app says it was answered.
    package struct Answer: Sendable {
        let response: AuthorizationResponse
        /// The URL the browser came back to, whole.
        let url: String
        let sessionID: String
        /// The provider, where the app names it.
        let provider: String?
        /// Of the user who is to be linked.
        let idToken: String?
    }

    /// What came of it.
    struct Finished: Sendable {
        let proven: ProvenSource
        /// What the app wanted to have back.
        let context: String?
        let isReauthentication: Bool
    }

    /// - Throws: ``BrokerError/signInAttemptUnknown`` and ``BrokerError/signInAttemptOfAnother``, which leave the
    ///   attempt to whom it belongs, or what the provider says to the code.
    func callAsFunction(_ answer: Answer) async throws -> Finished {
        var caller: String?
        if let token = answer.idToken {
            caller = try await verifier.claims(of: token, at: Timestamp(finish.now())).localID
        }
        let attempt = try await finish.attempt(for: answer.response, .identityToolkit) { _ in
            answer.sessionID
        } check: { found in
            guard let target = found.luggage.redirectURI, Self.isReturn(answer.url, to: target),
                answer.provider.map({ $0.utf8.elementsEqual(found.provider.utf8) }) ?? true
            else { throw BrokerError.signInAttemptUnknown }
            guard let bound = try found.request(AppSignInLuggage.self).localID else { return }
            guard let caller, caller.utf8.elementsEqual(bound.utf8) else { throw BrokerError.signInAttemptOfAnother }
        }
        let luggage = try attempt.request(AppSignInLuggage.self)
        return Finished(
            proven: try await finish.prove(answer.response, of: attempt), context: luggage.context,
            isReauthentication: luggage.isReauthentication ?? false)
    }

    /// Whether a provider told to come back to `target` comes back at `url`: byte by byte, with its answer behind it.
    private static func isReturn(_ url: String, to target: String) -> Bool {
        let address = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
        let separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return address.elementsEqual(target.utf8) || address.starts(with: Array((target + separator).utf8))
    }
}
