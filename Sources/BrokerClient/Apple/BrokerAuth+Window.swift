#if canImport(AuthenticationServices)
    /// The calls that show a page, over a window. Those of Sign in with Apple have the parameter themselves.
    extension BrokerAuth {
        /// As ``signIn(options:)``, over a window.
        @MainActor public func signIn(
            in window: PresentationWindow, options: SignInOptions = .init()
        ) async throws(BrokerAuthError) -> SignInResult {
            try await window.presenting { () async throws(BrokerAuthError) in try await signIn(options: options) }
        }

        /// As ``signIn(with:_:)``, over a window.
        @MainActor public func signIn(
            with provider: ProviderID, _ options: SignInOptions = .init(), in window: PresentationWindow
        ) async throws(BrokerAuthError) -> SignInResult {
            try await window.presenting { () async throws(BrokerAuthError) in try await signIn(with: provider, options)
            }
        }

        /// As ``link(_:_:)``, over a window.
        @MainActor public func link(
            _ provider: ProviderID, _ options: SignInOptions = .init(), in window: PresentationWindow
        ) async throws(BrokerAuthError) -> SignInResult {
            try await window.presenting { () async throws(BrokerAuthError) in try await link(provider, options) }
        }

        /// As ``reauthenticate(with:_:)``, over a window.
        @MainActor public func reauthenticate(
            with provider: ProviderID? = nil, _ options: SignInOptions = .init(), in window: PresentationWindow
        ) async throws(BrokerAuthError) -> SignInResult {
            try await window.presenting { () async throws(BrokerAuthError) in
                try await reauthenticate(with: provider, options)
            }
        }

        /// As ``highAssuranceToken(reason:with:_:)``, over a window.
        @MainActor public func highAssuranceToken(
            reason: String, with provider: ProviderID? = nil, _ options: SignInOptions = .init(),
            in window: PresentationWindow
        ) async throws(BrokerAuthError) -> String {
            try await window.presenting { () async throws(BrokerAuthError) in
                try await highAssuranceToken(reason: reason, with: provider, options)
            }
        }

        /// As ``signInToOtherAccount(with:_:)``, over a window.
        @MainActor public func signInToOtherAccount(
            with provider: ProviderID? = nil, _ options: SignInOptions = .init(), in window: PresentationWindow
        ) async throws(BrokerAuthError) -> OtherAccount {
            try await window.presenting { () async throws(BrokerAuthError) in
                try await signInToOtherAccount(with: provider, options)
            }
        }
    }
#endif
