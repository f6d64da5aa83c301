import BrokerClient
import Foundation
import SwiftUI

struct StartView: View {
    let auth: BrokerAuth
    @State private var failure: String?

    var body: some View {
        Text(failure ?? "Your notes")
            .task { await begin() }
    }

    private func begin() async {
        do throws(BrokerAuthError) {
            if try await auth.restore() == nil { _ = try await auth.signInAnonymously() }
        } catch {
            failure = error.localizedDescription
        }
    }
}
