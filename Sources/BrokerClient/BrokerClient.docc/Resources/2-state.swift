import BrokerClient
import SwiftUI

struct SessionView: View {
    private let auth: BrokerAuth
    @State private var state: BrokerAuthState

    init(auth: BrokerAuth) {
        self.auth = auth
        _state = State(initialValue: BrokerAuthState(auth))
    }

    var body: some View {
        VStack {
            switch state.phase {
            case .restoring: ProgressView()
            case .signedOut: Text("No user is signed in.")
            case .signedIn(let session): Text("Hello \(session.name ?? "there")")
            }
        }
        .task { await state.follow() }
    }
}
