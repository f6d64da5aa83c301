import BrokerClient
import Foundation
import SwiftUI

struct LinkButton: View {
    let auth: BrokerAuth
    @State private var outcome: String?
    @Environment(\.presentationWindow) private var window

    var body: some View {
        VStack {
            Button("Link GitLab") { Task { outcome = await link() } }
            if let outcome { Text(outcome) }
        }
    }

    private func link() async -> String? {
        do throws(BrokerAuthError) {
            do throws(BrokerAuthError) {
                _ = try await auth.link(.gitLab, in: window)
            } catch .recentLoginRequired {
                _ = try await auth.reauthenticate(in: window)
                _ = try await auth.link(.gitLab, in: window)
            }
            return "GitLab is linked."
        } catch {
            return error == .userCancelled ? nil : error.localizedDescription
        }
    }
}
