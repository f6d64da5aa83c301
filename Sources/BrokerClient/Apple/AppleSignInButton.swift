#if canImport(AuthenticationServices) && canImport(SwiftUI)
    public import AuthenticationServices
    import Foundation
    public import SwiftUI

    /// The system's button of Sign in with Apple, which signs in at the broker. Its look, its text and its translations are
    /// Apple's.
    public struct AppleSignInButton: View {
        private let label: SignInWithAppleButton.Label
        private let auth: BrokerAuth
        private let completed: @MainActor (Result<SignInResult, BrokerAuthError>) -> Void
        @State private var apple = AppleSignIn()
        @Environment(\.colorScheme) private var colorScheme

        /// - Parameters:
        ///   - label: The text: sign in, sign up or continue.
        ///   - auth: Where to sign in.
        ///   - onCompletion: Called with the outcome.
        public init(
            _ label: SignInWithAppleButton.Label = .signIn, auth: BrokerAuth,
            onCompletion: @escaping @MainActor (Result<SignInResult, BrokerAuthError>) -> Void
        ) {
            self.label = label
            self.auth = auth
            completed = onCompletion
        }

        /// The button, white on dark backgrounds.
        public var body: some View {
            SignInWithAppleButton(label) { request in
                apple.prepare(request)
            } onCompletion: { result in
                complete(result)
            }
            .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
            // The smallest target that Apple's guidelines allow for touch.
            .frame(height: 44)
        }

        private func complete(_ result: Result<ASAuthorization, any Error>) {
            let credential: ProviderCredential
            do throws(BrokerAuthError) {
                credential = try apple.credential(from: result)
            } catch {
                return completed(.failure(error))
            }
            Task {
                do throws(BrokerAuthError) {
                    completed(.success(try await auth.signIn(with: credential)))
                } catch {
                    completed(.failure(error))
                }
            }
        }
    }
#endif
