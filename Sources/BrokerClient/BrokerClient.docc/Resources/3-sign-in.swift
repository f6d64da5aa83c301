import BrokerClient
import Foundation
import SwiftUI

struct SignInView: View {
    let auth: BrokerAuth
    @State private var failure: String?
    @Environment(\.presentationWindow) private var window

    var body: some View {
        VStack {
            AppleSignInButton(auth: auth) { result in
                if case .failure(let error) = result { show(error) }
            }
            Button("Continue with GitHub") { signIn(with: .gitHub) }
            Button("Continue with GitLab") { signIn(with: .gitLab) }
            if let failure { Text(failure) }
        }
    }

    private func signIn(with provider: ProviderID) {
        Task {
            do throws(BrokerAuthError) {
                _ = try await auth.signIn(with: provider, in: window)
            } catch {
                show(error)
            }
        }
    }

    private func show(_ error: BrokerAuthError) {
        if error != .userCancelled { failure = error.localizedDescription }
    }
}
