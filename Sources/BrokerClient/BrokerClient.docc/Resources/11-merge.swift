import BrokerClient
import Foundation
import SwiftUI

struct JoinAccountsView: View {
    let auth: BrokerAuth
    @State private var other: OtherAccount?
    @State private var preview: MergePreview?
    @State private var outcome: String?
    @Environment(\.presentationWindow) private var window

    var body: some View {
        List {
            Button("Log in to your other account") { perform(begin) }
            if let other, let preview {
                ForEach(preview.users, id: \.userID) { user in
                    Text(
                        "\(user.displayName ?? user.userID): \(user.providers.map(\.rawValue).joined(separator: ", "))")
                }
                ForEach(preview.choices.filter { $0.refusal == nil }, id: \.survivor) { choice in
                    Button("Keep \(choice.email ?? choice.survivor)") {
                        perform { () async throws(BrokerAuthError) in
                            try await auth.merge(with: other, keeping: choice.survivor)
                            outcome = "Your accounts are one."
                        }
                    }
                }
            }
            if let outcome { Text(outcome) }
        }
    }

    private func begin() async throws(BrokerAuthError) {
        let account = try await auth.signInToOtherAccount(in: window)
        preview = try await auth.previewMerge(with: account)
        other = account
    }

    private func perform(_ call: @escaping @MainActor () async throws(BrokerAuthError) -> Void) {
        Task {
            do throws(BrokerAuthError) {
                try await call()
            } catch {
                if error != .userCancelled { outcome = error.localizedDescription }
            }
        }
    }
}
