import Foundation
import Synchronization

@testable import BrokerClient

/// A phone: opens universal links in the app that has claimed them, and web sessions otherwise. It records what opened, in
/// order.
final class FakePhone: PresentationPlatform {
    enum Opening: Sendable, Hashable {
        case universalLink(URL)
        case webSession(URL)
    }

    typealias App = @Sendable (_ link: URL) async -> Bool
    typealias Page = @Sendable (_ url: URL) async -> URL?

    private let app: App
    private let page: Page
    private let record = Mutex<[Opening]>([])

    /// - Parameters:
    ///   - app: Opens a link in an installed app; false where none has claimed it.
    ///   - page: The redirect that a page of the web session ends with; nil cancels it.
    init(app: @escaping App = { _ in false }, page: @escaping Page = { _ in nil }) {
        self.app = app
        self.page = page
    }

    var opened: [Opening] { record.withLock { $0 } }

    func openUniversalLink(_ url: URL) async -> Bool {
        record.withLock { $0.append(.universalLink(url)) }
        return await app(url)
    }

    func runWebSession(
        _ url: URL, until callback: RedirectCallback, isEphemeral: Bool, answer: SingleResumption<URL>
    ) async throws(BrokerAuthError) -> URL {
        record.withLock { $0.append(.webSession(url)) }
        answer.resume(with: await page(url).map(Result.success) ?? .failure(.userCancelled))
        return try await answer.value()
    }
}
