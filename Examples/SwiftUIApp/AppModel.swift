import BrokerClient
import Foundation
import Observation
import SwiftUI

/// What every page of the app shares.
@MainActor @Observable final class AppModel {
    let auth: BrokerAuth
    let state: BrokerAuthState
    /// Whether a call is under way; its buttons are disabled meanwhile.
    private(set) var isBusy = false
    /// The last failure, until the user has read it.
    private(set) var failure: String?
    /// The last success that no page shows by itself.
    private(set) var notice: String?

    init() {
        let configuration: BrokerConfiguration
        do {
            configuration = try Self.configuration()
        } catch {
            // Broker.plist belongs to the build: without it, no user could do anything.
            preconditionFailure("Broker.plist: \(error.localizedDescription)")
        }
        let auth = BrokerAuth(configuration)
        self.auth = auth
        state = BrokerAuthState(auth)
    }

    /// Runs a call with its pages over `window`, and shows its failure.
    func perform(
        over window: PresentationWindow, notice: String? = nil,
        _ call: @escaping @MainActor (BrokerAuth) async throws(BrokerAuthError) -> Void
    ) {
        guard !isBusy else { return }
        isBusy = true
        Task {
            do throws(BrokerAuthError) {
                try await window.presenting { () async throws(BrokerAuthError) in try await call(auth) }
                self.notice = notice
            } catch {
                report(error)
            }
            isBusy = false
        }
    }

    /// Shows a failure. That the user cancelled is none.
    func report(_ error: BrokerAuthError) {
        if error != .userCancelled { failure = error.localizedDescription }
    }

    func openLink(_ url: URL) {
        notice = "Opened \(url.absoluteString)"
    }

    var isFailureShown: Binding<Bool> {
        Binding {
            self.failure != nil
        } set: { isShown in
            if !isShown { self.failure = nil }
        }
    }

    /// What `broker clients plist` wrote.
    private static func configuration() throws(BrokerAuthError) -> BrokerConfiguration {
        guard let file = Bundle.main.url(forResource: "Broker", withExtension: "plist") else {
            throw .notConfigured("the app's bundle has no Broker.plist")
        }
        return try BrokerConfiguration(propertyList: file)
    }
}
