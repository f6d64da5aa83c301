#if canImport(AuthenticationServices)
    extension BrokerAuth {
        /// Signs a user in with the system's sheet of Sign in with Apple.
        ///
        /// - Parameter window: The window to show it over; nil for the task's, see ``PresentationWindow``.
        /// - Returns: The session and what Apple says.
        /// - Throws: ``BrokerAuthError``.
        @MainActor public func signInWithApple(
            in window: PresentationWindow? = nil
        ) async throws(BrokerAuthError) -> SignInResult {
            // Apple sends the name once: no sheet for a sign-in that could not begin.
            try receiver.checkIdle()
            return try await signIn(with: try await AppleSignIn().credential(in: window))
        }

        /// Links an Apple account to the signed-in user.
        ///
        /// - Parameter window: The window to show the sheet over; nil for the task's.
        /// - Returns: The session and what Apple says.
        /// - Throws: ``BrokerAuthError``, as ``link(_:_:)``.
        @MainActor public func linkApple(
            in window: PresentationWindow? = nil
        ) async throws(BrokerAuthError) -> SignInResult {
            // Apple sends the name once: no sheet for a sign-in that could not begin.
            try receiver.checkIdle()
            return try await link(try await AppleSignIn().credential(in: window))
        }

        /// Authenticates the signed-in user again with Apple, as sensitive calls require.
        ///
        /// - Parameter window: The window to show the sheet over; nil for the task's.
        /// - Returns: The session and what Apple says.
        /// - Throws: ``BrokerAuthError``, as ``reauthenticate(with:_:)``.
        @MainActor public func reauthenticateWithApple(
            in window: PresentationWindow? = nil
        ) async throws(BrokerAuthError) -> SignInResult {
            // Apple sends the name once: no sheet for a sign-in that could not begin.
            try receiver.checkIdle()
            return try await reauthenticate(with: try await AppleSignIn().credential(in: window))
        }

        /// Deletes a user who has an Apple account linked: the sheet gives a fresh proof of the user and a fresh
        /// authorization code, by which the broker revokes Apple's grant.
        ///
        /// - Parameter window: The window to show the sheet over; nil for the task's.
        /// - Returns: What becomes of the grants at all providers.
        /// - Throws: ``BrokerAuthError``, as ``deleteAccount(appleAuthorizationCode:)``;
        ///   ``BrokerAuthError/userMismatch`` if the sheet names another user.
        @MainActor @discardableResult public func deleteAccountWithApple(
            in window: PresentationWindow? = nil
        ) async throws(BrokerAuthError) -> [Withdrawal] {
            let (proof, authorizationCode) = try await AppleSignIn().authorization(in: window).deletion()
            let user = await session?.userID
            let owner = try await reauthenticate(with: proof).session.userID
            if let user, owner != user { throw .accountMerged(into: owner) }
            return try await deleteAccount(appleAuthorizationCode: authorizationCode)
        }
    }
#endif
