#if canImport(AuthenticationServices)
    public import AuthenticationServices
    import Foundation

    /// Sign in with Apple by the system's sheet: makes the request and turns its answer into a credential.
    ///
    /// ``BrokerAuth/signInWithApple(in:)`` and its like use it. It is needed itself only where an app draws the system's
    /// button by other means than ``AppleSignInButton``.
    @MainActor public final class AppleSignIn {
        private let requests = AppleRequests()
        private var current: (controller: ASAuthorizationController, listener: AppleSheetListener)?

        /// A coordinator without a request.
        public init() {}

        /// Sets the scopes and the nonce of a request, as ``credential(from:)`` expects them. Each request gets a nonce of
        /// its own.
        ///
        /// - Parameter request: A new request.
        public func prepare(_ request: ASAuthorizationAppleIDRequest) {
            // Apple sends both with the first sign-in only; the broker stores them.
            request.requestedScopes = [.fullName, .email]
            request.nonce = requests.begin().sha256Hex
        }

        /// Turns the answer to the prepared request into a credential.
        ///
        /// - Parameter result: What the system's button or controller completed with.
        /// - Returns: The credential, for one use.
        /// - Throws: ``BrokerAuthError/userCancelled``, ``BrokerAuthError/noPendingRequest`` if no request was prepared,
        ///   ``BrokerAuthError/missingIdentityToken``, ``BrokerAuthError/invalidTokenText``.
        public func credential(
            from result: Result<ASAuthorization, any Error>
        ) throws(BrokerAuthError) -> ProviderCredential {
            try authorization(from: result).credential()
        }

        private func authorization(
            from result: Result<ASAuthorization, any Error>
        ) throws(BrokerAuthError) -> AppleAuthorization {
            let authorization: ASAuthorization
            switch result {
            case .success(let success): authorization = success
            case .failure(let error):
                requests.cancel()
                throw Self.authError(error)
            }
            guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
                throw .missingIdentityToken
            }
            return try requests.authorization(
                for: AppleAnswer(
                    identityToken: credential.identityToken, authorizationCode: credential.authorizationCode,
                    fullName: credential.fullName, email: credential.email))
        }

        /// Shows the system's sheet.
        ///
        /// - Parameter window: The window to show it over; nil for the task's, see ``PresentationWindow``.
        /// - Returns: The credential, for one use.
        /// - Throws: As ``credential(from:)``, and ``BrokerAuthError/alreadyInProgress`` while a sheet is shown.
        public func credential(in window: PresentationWindow? = nil) async throws(BrokerAuthError) -> ProviderCredential
        {
            try await authorization(in: window).credential()
        }

        /// Shows the system's sheet.
        func authorization(in window: PresentationWindow?) async throws(BrokerAuthError) -> AppleAuthorization {
            guard current == nil else { throw .alreadyInProgress }
            guard let anchor = window?.window ?? PresentationWindow.anchor else {
                throw .notConfigured("the app shows no window")
            }
            let answer = SingleResumption<AppleAuthorization>()
            let request = ASAuthorizationAppleIDProvider().createRequest()
            prepare(request)
            let listener = AppleSheetListener(anchor) { result in
                do throws(BrokerAuthError) {
                    answer.resume(with: .success(try self.authorization(from: result)))
                } catch {
                    answer.resume(with: .failure(error))
                }
            }
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = listener
            controller.presentationContextProvider = listener
            // The controller holds both weakly.
            current = (controller, listener)
            defer { current = nil }
            controller.performRequests()
            do throws(BrokerAuthError) {
                return try await answer.value()
            } catch {
                // The sheet is still shown when the task was cancelled.
                if error == .cancelled { controller.cancel() }
                throw error
            }
        }

        private static func authError(_ error: any Error) -> BrokerAuthError {
            guard let error = error as? ASAuthorizationError else {
                return .notConfigured("Sign in with Apple failed")
            }
            return error.code == .canceled
                ? .userCancelled
                : .notConfigured("Sign in with Apple failed: ASAuthorizationError \(error.code.rawValue)")
        }
    }

    /// The delegate of one sheet.
    @MainActor
    private final class AppleSheetListener: NSObject, ASAuthorizationControllerDelegate,
        ASAuthorizationControllerPresentationContextProviding
    {
        private let window: ASPresentationAnchor
        private let complete: (Result<ASAuthorization, any Error>) -> Void

        init(_ window: ASPresentationAnchor, complete: @escaping (Result<ASAuthorization, any Error>) -> Void) {
            self.window = window
            self.complete = complete
        }

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            complete(.success(authorization))
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            complete(.failure(error))
        }

        func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
    }
#endif
