import Foundation
import Locks

/// The ways of a platform to show an authorization page.
protocol PresentationPlatform: Sendable {
    /// Opens a universal link in the app that has claimed it. Returns false if no installed app has; nothing is opened
    /// then, in particular no browser.
    func openUniversalLink(_ url: URL) async -> Bool

    /// Shows a page in a web session of the system until `answer` has a result: the redirect to `callback`, the user's
    /// cancellation, or one from elsewhere.
    ///
    /// - Returns: The URL of the redirect.
    func runWebSession(
        _ url: URL, until callback: RedirectCallback, isEphemeral: Bool, answer: SingleResumption<URL>
    ) async throws(BrokerAuthError) -> URL
}

/// Opens a provider's authorization page in the app that has claimed its address, or else in a web session; a page of the
/// broker in a web session.
///
/// A web session alone would always stay on the web: an installed app of the identity provider is entered by its universal
/// link only, and a redirect to that link enters none. From the app the redirect arrives as a URL of the client, at ``BrokerAuth/handle(_:)``.
final class AppFirstPresentation: AuthorizationPresenter {
    private let platform: any PresentationPlatform
    private let answers = Mutex<[SingleResumption<URL>]>([])

    init(_ platform: any PresentationPlatform) {
        self.platform = platform
    }

    func authorize(_ request: AuthorizationPresentation) async throws(BrokerAuthError) -> URL {
        guard let callback = RedirectCallback(redirectURI: request.redirectURI) else {
            throw .notConfigured("a web session cannot wait for the redirect URI \(request.redirectURI)")
        }
        // Before anything is shown: a cancellation may be faster than this task.
        let answer = SingleResumption<URL>()
        answers.withLock { $0.append(answer) }
        defer { answers.withLock { $0.removeAll { $0 === answer } } }
        if request.opensProviderApp, await platform.openUniversalLink(request.url) { return try await answer.value() }
        return try await platform.runWebSession(
            request.url, until: callback, isEphemeral: request.isEphemeral, answer: answer)
    }

    func cancel() {
        for answer in answers.withLock({ $0 }) { answer.resume(with: .failure(.cancelled)) }
    }
}
