import Foundation
import Synchronization
import Testing

@testable import BrokerClient

@Suite("The page in an app, or else in a web session", .timeLimit(.minutes(20)))
struct AppFirstPresentationTests {
    @Test func `an installed app is entered, and no web session is shown`() async throws {
        let platform = FakePlatform(hasApp: true)
        let presentation = AppFirstPresentation(platform)
        let request = try Self.request("com.example.app:/callback")

        let answer = Task { () async throws(BrokerAuthError) in try await presentation.authorize(request) }
        await platform.opened()
        // The redirect arrives at the app, which ends the wait.
        presentation.cancel()

        await #expect(throws: BrokerAuthError.cancelled) { try await answer.value }
        #expect(platform.links == [request.url.absoluteString])
        #expect(platform.callbacks == [])
    }

    @Test func `the wait for an app ends with its task`() async throws {
        let platform = FakePlatform(hasApp: true)
        let request = try Self.request("com.example.app:/callback")

        let answer = Task { () async throws(BrokerAuthError) in
            try await AppFirstPresentation(platform).authorize(request)
        }
        await platform.opened()
        answer.cancel()

        await #expect(throws: BrokerAuthError.cancelled) { try await answer.value }
    }

    @Test(arguments: [
        ("com.example.app:/callback", RedirectCallback.customScheme("com.example.app")),
        ("https://app.example/signed-in", .https(host: "app.example", path: "/signed-in")),
        ("https://app.example", .https(host: "app.example", path: "/")),
    ])
    func `without an app a web session waits for the redirect`(redirectURI: String, callback: RedirectCallback)
        async throws
    {
        let redirect = try #require(URL(string: redirectURI + "?code=c"))
        let platform = FakePlatform(hasApp: false, outcome: .success(redirect))

        let url = try await AppFirstPresentation(platform).authorize(try Self.request(redirectURI))

        #expect(url == redirect)
        #expect(platform.links.count == 1, "the app is tried first")
        #expect(platform.callbacks == [callback])
    }

    @Test func `a page of the broker is shown in a web session, whatever app is installed`() async throws {
        let redirect = try #require(URL(string: "com.example.app:/callback?code=c"))
        let platform = FakePlatform(hasApp: true, outcome: .success(redirect))

        let url = try await AppFirstPresentation(platform)
            .authorize(try Self.request("com.example.app:/callback", opensProviderApp: false))

        #expect(url == redirect && platform.links == [] && platform.callbacks.count == 1)
    }

    @Test func `a cancelled login of the web session comes out unchanged`() async throws {
        let platform = FakePlatform(hasApp: false, outcome: .failure(.userCancelled))
        let request = try Self.request("com.example.app:/callback")

        await #expect(throws: BrokerAuthError.userCancelled) {
            try await AppFirstPresentation(platform).authorize(request)
        }
    }

    @Test func `a web session ends when the redirect has arrived elsewhere, and a later one stays open`() async throws {
        let platform = FakePlatform(hasApp: false)
        let presentation = AppFirstPresentation(platform)
        let request = try Self.request("com.example.app:/callback")
        func begin() -> Task<URL, any Error> { Task { try await presentation.authorize(request) } }

        let first = begin()
        await platform.opened(2)
        presentation.cancel()
        let second = begin()
        await #expect(throws: BrokerAuthError.cancelled) { try await first.value }
        await platform.opened(2)
        second.cancel()

        await #expect(throws: BrokerAuthError.cancelled) { try await second.value }
        #expect(platform.callbacks.count == 2)
    }

    @Test func `a loopback redirect is refused before anything is shown`() async throws {
        let platform = FakePlatform(hasApp: true)
        let request = try Self.request("http://127.0.0.1/callback")

        await #expect {
            _ = try await AppFirstPresentation(platform).authorize(request)
        } throws: {
            if case .notConfigured(let text)? = $0 as? BrokerAuthError { text.contains("127.0.0.1") } else { false }
        }
        #expect(platform.links == [])
    }

    private static func request(
        _ redirectURI: String, opensProviderApp: Bool = true
    ) throws -> AuthorizationPresentation {
        let url = try #require(URL(string: "https://provider.example/oauth/authorize?state=s"))
        return AuthorizationPresentation(
            url: url, redirectURI: redirectURI, callbackScheme: "com.example.app", isEphemeral: true,
            state: "s", opensProviderApp: opensProviderApp)
    }

    private final class FakePlatform: PresentationPlatform {
        private let hasApp: Bool
        private let outcome: Result<URL, BrokerAuthError>?
        private let record = Mutex((links: [String](), callbacks: [RedirectCallback]()))
        private let (openings, opening) = AsyncStream.makeStream(of: Void.self)

        /// - Parameters:
        ///   - hasApp: Whether an app has claimed the link.
        ///   - outcome: What the web session ends with; nil if it stays open.
        init(hasApp: Bool, outcome: Result<URL, BrokerAuthError>? = nil) {
            self.hasApp = hasApp
            self.outcome = outcome
        }

        var links: [String] { record.withLock { $0.links } }
        var callbacks: [RedirectCallback] { record.withLock { $0.callbacks } }

        /// Waits for calls: the link, and the web session that follows it.
        func opened(_ calls: Int = 1) async {
            var left = calls
            for await _ in openings {
                left -= 1
                if left == 0 { return }
            }
        }

        func openUniversalLink(_ url: URL) async -> Bool {
            record.withLock { $0.links.append(url.absoluteString) }
            opening.yield()
            return hasApp
        }

        func runWebSession(
            _ url: URL, until callback: RedirectCallback, isEphemeral: Bool, answer: SingleResumption<URL>
        ) async throws(BrokerAuthError) -> URL {
            record.withLock { $0.callbacks.append(callback) }
            if let outcome { answer.resume(with: outcome) }
            opening.yield()
            return try await answer.value()
        }
    }
}
