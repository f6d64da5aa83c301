import BrokerStore
import ProviderKit

/// A provider's answer, as an app presents it.
package struct AppSignInAnswer: Sendable {
    let response: AuthorizationResponse
    /// The URL that the provider redirected to, with its query.
    let url: String
    let sessionID: String
    /// The provider, where the app names it.
    let provider: String?
    /// Of the user the identity is linked to.
    let idToken: String?
}

/// A sign-in of an app whose answer was redeemed.
struct FinishedAppSignIn: Sendable {
    let credential: VerifiedCredential
    /// The app's state.
    let context: String?
    let isReauthentication: Bool
}

extension RedirectContext {
    /// Takes a provider's answer from the app it came back to (contract §3.8): only from the app with the session id of
    /// the attempt, at the redirect URI of the attempt, and once.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown`` and ``BrokerError/signInAttemptOfAnother``, which do not consume the
    ///   attempt, or the error of redeeming the code.
    func finishAppSignIn(_ answer: AppSignInAnswer) async throws -> FinishedAppSignIn {
        var caller: String?
        if let token = answer.idToken {
            caller = try await sessions.verifier.claims(of: token, at: now).localID
        }
        let attempt = try await consumeAttempt(for: answer.response, .identityToolkit) { _ in
            answer.sessionID
        } check: { found in
            guard let target = found.upstream?.redirectURI, Self.isReturn(answer.url, to: target),
                answer.provider.map({ $0.hasSameBytes(as: found.provider) }) ?? true
            else { throw BrokerError.signInAttemptUnknown }
            guard let expected = found.payload.expectedUser else { return }
            guard let caller, caller.hasSameBytes(as: expected) else { throw BrokerError.signInAttemptOfAnother }
        }
        return FinishedAppSignIn(
            credential: try await redeem(answer.response, of: attempt), context: attempt.payload.context,
            isReauthentication: attempt.payload.isReauthentication)
    }

    /// Whether `url` is `target` byte by byte, with the provider's answer appended.
    private static func isReturn(_ url: String, to target: String) -> Bool {
        let address = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
        let separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return address.elementsEqual(target.utf8) || address.starts(with: Array((target + separator).utf8))
    }
}
