import BrokerClient
import Foundation
import SwiftUI

struct RootView: View {
    let auth: BrokerAuth

    var body: some View {
        Text("Notes")
            .readsPresentationWindow()
            .onOpenURL { url in
                if !auth.handle(url) { openNote(url) }
            }
    }

    private func openNote(_ url: URL) {}
}
