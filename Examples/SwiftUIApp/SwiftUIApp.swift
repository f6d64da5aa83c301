import BrokerClient
import Foundation
import SwiftUI

/// An app for iOS and macOS whose users sign in at a broker.
@main struct SwiftUIApp: App {
    @State private var model = AppModel()

    var body: some Scene {
        WindowGroup {
            RootView()
                .environment(model)
                .readsPresentationWindow()
                .onOpenURL { url in
                    // The redirect of a sign-in; other links are the app's own.
                    if !model.auth.handle(url) { model.openLink(url) }
                }
                .task { await model.state.follow() }
        }
    }
}

/// The page for the state of the session.
struct RootView: View {
    @Environment(AppModel.self) private var model

    var body: some View {
        NavigationStack {
            switch model.state.phase {
            case .restoring: RestoringView()
            case .signedOut: SignInView()
            case .signedIn(let session): AccountView(session: session)
            }
        }
        .alert("That did not work", isPresented: model.isFailureShown) {
            Button("OK") {}
        } message: {
            Text(model.failure ?? "")
        }
    }
}

/// The time until the stored session is read: long only while the device is locked.
struct RestoringView: View {
    @Environment(AppModel.self) private var model

    var body: some View {
        VStack {
            ProgressView()
            if let error = model.state.restoreError {
                Text(error.localizedDescription)
                Button("Try again") { Task { await model.state.restore() } }
            }
        }
    }
}
