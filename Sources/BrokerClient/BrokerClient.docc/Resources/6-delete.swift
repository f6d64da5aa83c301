import BrokerClient
import Foundation
import SwiftUI

struct DeleteAccountButton: View {
    let auth: BrokerAuth
    @State private var isAsking = false
    @State private var outcome: String?

    var body: some View {
        VStack {
            Button("Delete account", role: .destructive) { isAsking = true }
            if let outcome { Text(outcome) }
        }
        .confirmationDialog("Delete your account and everything in it?", isPresented: $isAsking) {
            Button("Delete account", role: .destructive) {
                Task { outcome = await deleteAccount() }
            }
        }
    }

    private func deleteAccount() async -> String {
        do throws(BrokerAuthError) {
            if try await auth.account().identity(at: .apple) != nil {
                try await auth.deleteAccountWithApple()
            } else {
                _ = try await auth.reauthenticate()
                try await auth.deleteAccount()
            }
            return "Your account is deleted."
        } catch {
            return error.localizedDescription
        }
    }
}
