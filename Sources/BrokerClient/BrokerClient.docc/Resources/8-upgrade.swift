import BrokerClient
import Foundation
import SwiftUI

struct KeepAccountButton: View {
    let auth: BrokerAuth
    let move: @MainActor (_ from: String?, _ to: String) async -> Void
    @State private var failure: String?
    @Environment(\.presentationWindow) private var window

    var body: some View {
        VStack {
            Button("Keep my notes with Apple") { Task { await keep() } }
            if let failure { Text(failure) }
        }
    }

    private func keep() async {
        let anonymous = auth.lastKnownSession?.userID
        do throws(BrokerAuthError) {
            do throws(BrokerAuthError) {
                _ = try await auth.linkApple(in: window)
            } catch .accountExists(let providers) {
                guard let credential = auth.unusedCredential else { throw .accountExists(providers: providers) }
                let result = try await auth.signIn(with: credential)
                await move(anonymous, result.session.userID)
            }
        } catch {
            if error != .userCancelled { failure = error.localizedDescription }
        }
    }
}
