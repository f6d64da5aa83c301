import BrokerClient
import SwiftUI

/// The ways to sign in.
struct SignInView: View {
    @Environment(AppModel.self) private var model
    @Environment(\.presentationWindow) private var window

    var body: some View {
        List {
            Section("Sign in") {
                AppleSignInButton(auth: model.auth) { result in
                    if case .failure(let error) = result { model.report(error) }
                }
                Button("Continue with GitHub") { signIn(with: .gitHub) }
                Button("Continue with GitLab") { signIn(with: .gitLab) }
                Button("Continue with 1Pass") { signIn(with: .onePass) }
            }
            Section {
                Button("Choose on the broker's page") {
                    model.perform(over: window) { auth throws(BrokerAuthError) in _ = try await auth.signIn() }
                }
                Button("Try it without an account") {
                    model.perform(over: window) { auth throws(BrokerAuthError) in
                        _ = try await auth.signInAnonymously()
                    }
                }
            }
            if let reason = model.state.signOutReason {
                Section { Text(reason.explanation) }
            }
        }
        .disabled(model.isBusy)
        .navigationTitle("Welcome")
    }

    private func signIn(with provider: ProviderID) {
        model.perform(over: window) { auth throws(BrokerAuthError) in _ = try await auth.signIn(with: provider) }
    }
}
