import BrokerClient
import SwiftUI

/// The user's sessions on all devices.
struct SessionsView: View {
    @Environment(AppModel.self) private var model
    @Environment(\.presentationWindow) private var window
    @State private var sessions: [AccountSession] = []

    var body: some View {
        List {
            ForEach(sessions, id: \.id) { session in
                HStack {
                    Text(session.isCurrent ? "This device" : session.userAgent ?? "Unknown device")
                    Button("End", role: .destructive) { end(session) }
                }
            }
            Button("Sign out everywhere", role: .destructive) {
                model.perform(over: window) { auth throws(BrokerAuthError) in try await auth.signOutEverywhere() }
            }
        }
        .disabled(model.isBusy)
        .navigationTitle("Sessions")
        .task { await load() }
    }

    private func end(_ session: AccountSession) {
        model.perform(over: window) { auth throws(BrokerAuthError) in
            try await auth.signOut(sessionID: session.id)
            if !session.isCurrent { sessions = try await auth.sessions() }
        }
    }

    private func load() async {
        do throws(BrokerAuthError) {
            sessions = try await model.auth.sessions()
        } catch {
            model.report(error)
        }
    }
}
