import Foundation
import ProviderKit
import StrictJSON

extension BrokerAuth {
    /// An access token for a sensitive call, from a login of its own that the user has just made or confirms by biometry.
    ///
    /// It is stored apart from the session under ``StorageKey/highAssuranceService``, which the Keychain protects with the
    /// biometrics that are enrolled now, and it is never refreshed: when it has expired, or other biometrics were enrolled, the
    /// user logs in again. Call it in the foreground only. The end of the session ends it too.
    ///
    /// - Parameters:
    ///   - reason: The text of the biometric prompt: what the user is about to do.
    ///   - provider: A provider of the user for the login; `nil` lets the user choose.
    ///   - options: Options of the login, such as `acr_values` among ``SignInOptions/parameters``.
    /// - Returns: The token: a secret. Its `auth_time` is that of its login.
    /// - Throws: ``BrokerAuthError``; ``BrokerAuthError/userCancelled`` when the user does not confirm,
    ///   ``BrokerAuthError/userMismatch`` when another user logs in, ``BrokerAuthError/signedOut``.
    public func highAssuranceToken(
        reason: String, with provider: ProviderID? = nil, _ options: SignInOptions = .init()
    ) async throws(BrokerAuthError) -> String {
        guard let userID = try await current.current()?.userID else { throw .signedOut }
        if let token = try await current.highAssuranceToken(of: userID, prompt: reason) { return token.accessToken }
        let endpoints = endpoints.requesting(scopesApart)
        let tokens = try await loginApart { session throws(BrokerAuthError) in
            let goal = AuthorizationGoal(
                purpose: .reauthenticate, provider: provider, options: options, session: session)
            return try await flowApart(endpoints).tokens(for: goal)
        }
        do throws(BrokerAuthError) {
            try await current.storeHighAssurance(tokens, of: userID)
        } catch {
            try? await endpoints.revoke(tokens.answer.accessToken)
            throw error
        }
        return tokens.answer.accessToken
    }
}

extension CurrentSession {
    /// The stored token, if it is the user's and valid for a minute more. Reading it asks the user.
    func highAssuranceToken(
        of userID: String, prompt: String
    ) async throws(BrokerAuthError) -> HighAssuranceToken? {
        guard let item = try await storage.load(highAssuranceKey, prompt: prompt),
            let token = HighAssuranceToken(content: item.content), token.userID == userID,
            environment.now().addingTimeInterval(60) < token.expiresAt
        else { return nil }
        return token
    }

    /// Stores the token of a login, and the login's session, which ends with this one.
    func storeHighAssurance(_ tokens: VerifiedTokens, of userID: String) async throws(BrokerAuthError) {
        guard tokens.claims.subject == userID else { throw .userMismatch }
        try await exclusively { current in
            do throws(BrokerAuthError) {
                guard var session = try await current.reload(), session.userID == userID else { throw .signedOut }
                let token = HighAssuranceToken(
                    userID: userID, accessToken: tokens.answer.accessToken, expiresAt: tokens.expiresAt)
                try await current.storage.save(
                    StoredItem(key: current.highAssuranceKey, content: try token.content()))
                session.highAssuranceSessionID = tokens.claims.sessionID
                try await current.save(session)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Ends the login of the token for sensitive calls at the broker, as far as it can be reached. The token itself could not
    /// be read without the user.
    func endHighAssurance(of session: StoredSession) async {
        guard let id = session.highAssuranceSessionID, let token = session.accessToken,
            session.isValid(at: environment.now()), let url = try? endpoints.me(AccountEndpoint.session(id))
        else { return }
        _ = try? await endpoints.connection.submit([:] as JSONObject, to: url, bearer: token)
    }
}
