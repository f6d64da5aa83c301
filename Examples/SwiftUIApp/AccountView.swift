import BrokerClient
import SwiftUI

/// The user, the linked providers, and the ways out.
struct AccountView: View {
    let session: AuthSession
    @Environment(AppModel.self) private var model
    @Environment(\.presentationWindow) private var window
    @State private var account: Account?
    @State private var isDeleting = false

    private static let providers: [ProviderID] = [.apple, .gitHub, .gitLab, .onePass]

    var body: some View {
        List {
            Section("You") {
                LabeledContent("Name", value: session.name ?? "-")
                LabeledContent("E-mail", value: session.email ?? "-")
            }
            Section("Sign-in methods") {
                ForEach(Self.providers, id: \.rawValue) { provider in
                    if account?.identity(at: provider) == nil {
                        Button("Link \(provider.rawValue)") { link(provider) }
                    } else {
                        Button("Unlink \(provider.rawValue)", role: .destructive) { unlink(provider) }
                    }
                }
                Button("Confirm that it is you") {
                    perform(notice: "Confirmed.") { auth throws(BrokerAuthError) in
                        _ = try await auth.reauthenticate()
                    }
                }
            }
            Section {
                NavigationLink("Sessions") { SessionsView() }
                Button("Sign out") {
                    perform { auth throws(BrokerAuthError) in try await auth.signOut() }
                }
                Button("Delete account", role: .destructive) { isDeleting = true }
            }
            if let notice = model.notice {
                Section { Text(notice) }
            }
        }
        .disabled(model.isBusy)
        .navigationTitle("Account")
        .task { await load() }
        .confirmationDialog("Delete your account and everything in it?", isPresented: $isDeleting) {
            Button("Delete account", role: .destructive) { deleteAccount() }
        }
    }

    private func link(_ provider: ProviderID) {
        perform(notice: "Linked.") { auth throws(BrokerAuthError) in
            _ = provider == .apple ? try await auth.linkApple() : try await auth.link(provider)
        }
    }

    private func unlink(_ provider: ProviderID) {
        perform(notice: "Unlinked.") { auth throws(BrokerAuthError) in try await auth.unlink(provider) }
    }

    /// With an Apple account the system's sheet gives a fresh proof and a fresh code, by which Apple's grant is revoked.
    /// Without one the broker requires a recent login.
    private func deleteAccount() {
        let hasApple = account?.identity(at: .apple) != nil
        perform(notice: "Your account is deleted.") { auth throws(BrokerAuthError) in
            if hasApple {
                try await auth.deleteAccountWithApple()
                return
            }
            do throws(BrokerAuthError) {
                try await auth.deleteAccount()
            } catch .recentLoginRequired {
                _ = try await auth.reauthenticate()
                try await auth.deleteAccount()
            }
        }
    }

    private func perform(
        notice: String? = nil, _ call: @escaping @MainActor (BrokerAuth) async throws(BrokerAuthError) -> Void
    ) {
        model.perform(over: window, notice: notice) { auth throws(BrokerAuthError) in
            try await call(auth)
            if await auth.session != nil { account = try await auth.account() }
        }
    }

    private func load() async {
        do throws(BrokerAuthError) {
            account = try await model.auth.account()
        } catch {
            model.report(error)
        }
    }
}
