import Foundation
import ProviderKit

extension CurrentSession {
    /// Seconds before the expiry at which a refresh is due.
    private static let leeway: TimeInterval = 60

    /// A session with valid tokens.
    ///
    /// - Parameter isForced: Whether to refresh in any case.
    /// - Returns: The session.
    /// - Throws: ``BrokerAuthError/signedOut`` without a session, or the error of the refresh.
    func valid(forcingRefresh isForced: Bool) async throws(BrokerAuthError) -> StoredSession {
        guard let session = try await current() else { throw .signedOut }
        let now = environment.now()
        if !isForced, session.isValid(at: now, leeway: Self.leeway) { return try await stored(session) }
        do throws(BrokerAuthError) {
            if !isForced, runningRefresh == nil, let refusal = backoff.refusal(at: now) { throw refusal }
            return try await refreshed(isForced)
        } catch {
            // A minute of validity is enough while the broker cannot be reached.
            guard case .network = error, !isForced, session.isValid(at: environment.now()) else { throw error }
            return session
        }
    }

    /// No token leaves before the refresh token that came with it is stored.
    private func stored(_ session: StoredSession) async throws(BrokerAuthError) -> StoredSession {
        guard isUnsaved else { return session }
        let epoch = epoch
        try await exclusively { current in
            do throws(BrokerAuthError) {
                return .success(try await current.saveAgain())
            } catch {
                return .failure(error)
            }
        }
        guard self.epoch == epoch else { throw .signedOut }
        return session
    }

    /// Joins the refresh that is under way, or begins one. It continues when a caller is cancelled: others wait too.
    private func refreshed(_ isForced: Bool) async throws(BrokerAuthError) -> StoredSession {
        let epoch = epoch
        let task = runningRefresh ?? beginRefresh(isForced)
        let outcome = await task.value
        guard self.epoch == epoch || (try? outcome.get()) != nil else { throw .signedOut }
        return try outcome.get()
    }

    private func beginRefresh(_ isForced: Bool) -> Task<Result<StoredSession, BrokerAuthError>, Never> {
        let epoch = epoch
        let task = Task {
            let outcome = await refreshOnce(isForced)
            runningRefresh = nil
            switch outcome {
            case .success(let session):
                backoff.succeed()
                if self.epoch == epoch, let session = session.session { events.send(.refreshed(session)) }
                // Not awaited: the handler may need tokens itself.
                Task { await finishAccountData() }
            case .failure(let error):
                backoff.fail(error, at: environment.now(), random: environment.random())
            }
            return outcome
        }
        runningRefresh = task
        return task
    }

    private func refreshOnce(_ isForced: Bool) async -> Result<StoredSession, BrokerAuthError> {
        let before = known
        do throws(BrokerAuthError) {
            return .success(
                try await exclusively { current in
                    do throws(BrokerAuthError) {
                        return .success(try await current.refresh(from: before, isForced))
                    } catch {
                        return .failure(error)
                    }
                })
        } catch {
            return .failure(error)
        }
    }

    /// Refreshes under the lock, unless another process has.
    private func refresh(from before: StoredSession?, _ isForced: Bool) async throws(BrokerAuthError) -> StoredSession {
        guard let session = try await reload() else {
            try await end(.endedByAnotherProcess)
            throw .signedOut
        }
        try await saveAgain()
        let isOfAnother = session.accessToken != before?.accessToken
        if session.isValid(at: environment.now(), leeway: Self.leeway), isOfAnother || !isForced { return session }
        return try await refresh(session, mayReadAgain: true)
    }

    private func refresh(
        _ session: StoredSession, mayReadAgain: Bool
    ) async throws(BrokerAuthError) -> StoredSession {
        guard let token = session.refreshToken else {
            try await end(.endedByBroker)
            throw .signedOut
        }
        // Read first: an answer that cannot be taken would be lost.
        let data = try await data()
        let answer = try await renewed(token)
        guard case .refusal(let refusal) = answer, refusal.kind == "invalid_grant" else {
            return try await take(try TokenAnswer(try answer.members()), after: session, data)
        }
        // A process without a lock may have stored the successor meanwhile.
        if mayReadAgain, let other = try await reload(), other.refreshToken != token {
            if other.isValid(at: environment.now(), leeway: Self.leeway) { return other }
            return try await refresh(other, mayReadAgain: false)
        }
        try await end(.endedByBroker)
        throw .signedOut
    }

    /// The answer to a refresh; where the session's user was merged into another one, that to the merge token, with which
    /// the session goes on as the other user's.
    private func renewed(_ token: String) async throws(BrokerAuthError) -> Answer {
        let answer = try await endpoints.token([
            ("grant_type", "refresh_token"), ("refresh_token", token), ("accept_merge", "true"),
        ])
        guard case .refusal(let refusal) = answer, let mergeToken = refusal.mergeToken else { return answer }
        return try await endpoints.token([
            ("grant_type", "urn:broker:oauth:grant-type:merge"), ("merge_token", mergeToken),
        ])
    }

    private func take(
        _ answer: TokenAnswer, after session: StoredSession, _ formerData: LocalAccountData
    ) async throws(BrokerAuthError) -> StoredSession {
        let epoch = epoch
        let claims: IDTokenClaims
        do throws(BrokerAuthError) {
            claims = try await endpoints.verify(answer.idToken, nonce: .unchecked, accessToken: answer.accessToken)
        } catch {
            // The session lives on with the successor, even if its ID token cannot be verified now.
            var kept = session
            kept.refreshToken = answer.refreshToken ?? session.refreshToken
            if self.epoch == epoch { try await save(kept) }
            throw error
        }
        guard self.epoch == epoch else { throw .signedOut }
        guard session.isContinued(by: claims, mergedFrom: answer.mergedFrom) else {
            await discard(answer)
            try await end(.endedByBroker)
            throw .signedOut
        }
        let tokens = VerifiedTokens(answer: answer, claims: claims, receivedAt: environment.now())
        let next = session.following(tokens, for: nil, provider: nil, isAnonymous: false)
        var data = formerData
        data.follow(tokens, after: session, with: next, for: nil)
        try await save(next, data, insteadOf: formerData)
        return next
    }

    /// Removes the session and says why. The event is sent even if the storage fails: no token is used any more.
    func end(_ reason: SignOutReason) async throws(BrokerAuthError) {
        defer { events.send(.signedOut(reason)) }
        try await remove()
    }
}
