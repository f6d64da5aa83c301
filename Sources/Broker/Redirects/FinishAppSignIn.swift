import BrokerStore
import ProviderKit

/// A provider's answer, as an app presents it.
package struct AppSignInAnswer: Sendable {
    let response: AuthorizationResponse
    /// The URL that the provider redirected to, with its query.
    let url: String
    /// The secret that the attempt is bound to.
    let sessionID: String
    /// The provider, where the app names it.
    let provider: String?
    /// Of the user the identity is linked to.
    let idToken: String?
}

extension AppSignInAnswer {
    /// The answer that a native client received.
    ///
    /// - Parameters:
    ///   - url: The URL that the provider redirected to.
    ///   - handle: The handle of the attempt.
    ///   - provider: The provider, where the app names it.
    /// - Throws: ``BrokerError/signInAttemptUnknown`` for what is no authorization response.
    init(redirect url: String, handle: String, provider: String?) throws(BrokerError) {
        let address = String(url.prefix { $0 != "#" })
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let parts = URIParts(address),
            let pairs = FormEncoding.decode((parts.query ?? "").utf8)
        else { throw .signInAttemptUnknown }
        self.init(
            response: try AuthorizationResponse(pairs), url: url, sessionID: handle, provider: provider, idToken: nil)
    }
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
        let attempt = try await consumeAttempt(of: answer, .identityToolkit, binding: answer.sessionID) { found in
            guard let expected = found.payload.expectedUser else { return }
            guard let caller, caller.hasSameBytes(as: expected) else { throw BrokerError.signInAttemptOfAnother }
        }
        return FinishedAppSignIn(
            credential: try await redeem(answer.response, of: attempt), context: attempt.payload.context,
            isReauthentication: attempt.payload.isReauthentication)
    }

    /// Takes a provider's answer from the native client that it came back to (RFC 8252 §7): only from the client with the
    /// handle of the attempt, at the redirect URI of the attempt, for the user and the purpose it was begun for, and once.
    ///
    /// - Parameters:
    ///   - answer: The answer, with the handle.
    ///   - clientID: The authenticated client.
    ///   - user: The `localId` of the signed-in user, for everything but a sign-in.
    ///   - isReauthentication: Whether the user proves again who they are.
    ///   - check: What else is verified before the attempt is consumed, of its provider.
    /// - Returns: The verified identity.
    /// - Throws: As ``finishAppSignIn(_:)``, or what `check` throws; the attempt is not consumed then.
    func finishAppSignIn(
        _ answer: AppSignInAnswer, by clientID: String, for user: String?, isReauthentication: Bool,
        check: (_ provider: String) throws -> Void
    ) async throws -> VerifiedCredential {
        let binding = AppSignInState.binding(handle: answer.sessionID, clientID: clientID)
        let attempt = try await consumeAttempt(of: answer, .nativeClient, binding: binding) { found in
            guard found.payload.isFor(user), found.payload.isReauthentication == isReauthentication else {
                throw BrokerError.signInAttemptOfAnother
            }
            try check(found.provider)
        }
        return try await redeem(answer.response, of: attempt)
    }

    private func consumeAttempt(
        of answer: AppSignInAnswer, _ purpose: SignInAttempts.Purpose<AppSignInState>, binding: String,
        check: (SignInAttempts.Opened<AppSignInState>) throws -> Void
    ) async throws -> SignInAttempts.Opened<AppSignInState> {
        try await consumeAttempt(for: answer.response, purpose) { _ in
            binding
        } check: { found in
            guard let target = found.upstream?.redirectURI, Self.isReturn(answer.url, to: target),
                answer.provider.map({ $0.hasSameBytes(as: found.provider) }) ?? true
            else { throw BrokerError.signInAttemptUnknown }
            try check(found)
        }
    }

    /// Whether `url` is `target` byte by byte, with the provider's answer appended.
    private static func isReturn(_ url: String, to target: String) -> Bool {
        let address = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
        let separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return address.elementsEqual(target.utf8) || address.starts(with: Array((target + separator).utf8))
    }
}
