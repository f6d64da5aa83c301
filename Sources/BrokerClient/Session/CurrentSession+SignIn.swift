import Foundation
import ProviderKit

/// The tokens of a sign-in, with what their ID token must say.
struct SignInTokens: Sendable {
    let answer: TokenAnswer
    let nonce: NonceExpectation
    let purpose: SignInPurpose
    /// The user of the session that the sign-in began with, for everything but a sign-in.
    var expectedUser: String?
    var provider: ProviderID?
    var isAnonymous = false
}

extension CurrentSession {
    /// Begins a session with verified tokens, or continues it.
    ///
    /// - Throws: ``BrokerAuthError``; the former session is unchanged then.
    func adopt(_ tokens: SignInTokens) async throws(BrokerAuthError) {
        let claims: IDTokenClaims
        do throws(BrokerAuthError) {
            claims = try await endpoints.verify(
                tokens.answer.idToken, nonce: tokens.nonce, accessToken: tokens.answer.accessToken)
            try check(claims, tokens)
        } catch {
            await discard(tokens.answer)
            throw error
        }
        let verified = VerifiedTokens(answer: tokens.answer, claims: claims, receivedAt: environment.now())
        let (former, session): (StoredSession?, StoredSession)
        do throws(BrokerAuthError) {
            (former, session) = try await exclusively { current in
                do throws(BrokerAuthError) {
                    return .success(try await current.store(verified, tokens))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            await discard(tokens.answer)
            throw error
        }
        if tokens.purpose == .signIn, let former { await endHighAssurance(of: former) }
        if let token = former?.refreshToken, token != session.refreshToken, former?.sessionID != session.sessionID {
            try? await endpoints.revoke(token)
        }
        await finishAccountData()
    }

    private func check(_ claims: IDTokenClaims, _ tokens: SignInTokens) throws(BrokerAuthError) {
        guard let expected = tokens.expectedUser, claims.subject != expected,
            !tokens.answer.mergedFrom.contains(expected)
        else { return }
        throw .userMismatch
    }

    private func store(
        _ verified: VerifiedTokens, _ tokens: SignInTokens
    ) async throws(BrokerAuthError) -> (former: StoredSession?, session: StoredSession) {
        let former = try await reload()
        if tokens.purpose != .signIn { try check(former, still: tokens, verified.claims) }
        let session = (former ?? StoredSession()).following(
            verified, for: tokens.purpose, provider: tokens.provider, isAnonymous: tokens.isAnonymous)
        let formerData = try await data()
        var data = formerData
        data.follow(verified, after: former, with: session, for: tokens.purpose)
        if tokens.purpose == .signIn {
            // Of the session before, or of a sign-in that this one has overtaken.
            try? await storage.remove(highAssuranceKey)
            try? await storage.remove(pendingKey)
        }
        try await replace(former, with: session, data, insteadOf: formerData)
        backoff.succeed()
        return (former, session)
    }

    /// Another process with the same storage may have signed another user in meanwhile.
    private func check(
        _ session: StoredSession?, still tokens: SignInTokens, _ claims: IDTokenClaims
    ) throws(BrokerAuthError) {
        guard let session else { throw .signedOut }
        let expected = [tokens.expectedUser, claims.subject] + tokens.answer.mergedFrom
        guard expected.contains(session.userID) else { throw .userMismatch }
    }

    /// Announces a sign-in, unless the session has ended meanwhile.
    ///
    /// - Returns: The session.
    /// - Throws: ``BrokerAuthError/signedOut``.
    func announceSignIn() throws(BrokerAuthError) -> AuthSession {
        guard let session = known?.session else { throw .signedOut }
        events.send(.signedIn(session))
        return session
    }

    /// Ends the session of tokens that are not used.
    func discard(_ answer: TokenAnswer) async {
        if let token = answer.refreshToken { try? await endpoints.revoke(token) }
    }

    /// Restores the stored session at the start of the app.
    func restore() async throws(BrokerAuthError) -> AuthSession? {
        if isForgotten { try await forget(.requested) }
        guard let stored = try await reload() else { return nil }
        if stored.userID == nil {
            do throws(BrokerAuthError) {
                _ = try await valid(forcingRefresh: false)
            } catch .signedOut {
                return nil
            }
        }
        await finishAccountData()
        return try await current()?.session
    }

    /// Ends the session here, and at the broker as far as it can be reached. A cancelled caller changes nothing about it.
    func signOut() async throws(BrokerAuthError) {
        let work = Task { await revokeAndForget() }
        if let failure = await work.value { throw failure }
    }

    /// - Returns: The first failure.
    private func revokeAndForget() async -> BrokerAuthError? {
        abandonRefresh()
        let session = try? await current()
        var failure: BrokerAuthError?
        do throws(BrokerAuthError) {
            try await forget(.requested)
        } catch {
            failure = error
        }
        guard let session else { return failure }
        await endHighAssurance(of: session)
        guard let token = session.refreshToken else { return failure }
        do throws(BrokerAuthError) {
            try await endpoints.revoke(token)
        } catch {
            failure = failure ?? error
        }
        return failure
    }

    /// Removes the session from this device.
    func forget(_ reason: SignOutReason) async throws(BrokerAuthError) {
        do throws(BrokerAuthError) {
            try await exclusively { current in
                do throws(BrokerAuthError) {
                    try await current.removeCredentials(after: reason)
                    if (try? await current.current()) != nil {
                        try await current.end(reason)
                    } else {
                        try await current.remove()
                    }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            // Without the lock nothing was removed; the user is signed out nevertheless.
            if !isForgotten {
                forgetInMemory()
                events.send(.signedOut(reason))
            }
            throw error
        }
    }
}
