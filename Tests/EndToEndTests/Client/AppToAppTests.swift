import BrowserTesting
import Foundation
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@testable import BrokerClient

@Suite("BrokerClient signs in through 1Pass's app", .oneEngine("BrokerClient"), .timeLimit(.minutes(20)))
struct AppToAppTests {
    @Test func `the first address that opens is 1Pass's, and its answer signs the user in`() async throws {
        try await PhoneApp.run { app in
            let result = try await app.auth.signIn(with: .onePass)

            let first = try #require(app.phone.opened.first)
            #expect(app.phone.opened.count == 1 && first.hasPrefix(app.onePass.url + "/oauth/authorize?"))
            #expect(result.provider == .onePass && result.isNewUser)
            #expect(try await app.auth.account().identities.map(\.provider) == [.onePass])
            try await app.auth.signOut()

            let again = try await app.auth.signIn(with: .onePass)

            #expect(again.session.userID == result.session.userID && !again.isNewUser)
        }
    }

    @Test func `without the app 1Pass's page is shown, and without the entry the broker's`() async throws {
        try await PhoneApp.run { app in
            app.phone.hasApp = false
            let result = try await app.auth.signIn(with: .onePass)
            #expect(app.phone.opened.allSatisfy { $0.hasPrefix(app.onePass.url + "/oauth/authorize?") })
            #expect(app.phone.opened.count == 2 && result.isNewUser)

            let other = try await app.auth.link(.gitHub)

            #expect(other.session.userID == result.session.userID)
            #expect(app.phone.opened.last?.hasPrefix(app.broker.url + "/oauth/authorize?") == true)
        }
    }

    @Test func `links and reauthenticates, and a decline is a cancellation`() async throws {
        try await PhoneApp.run { app in
            let anonymous = try await app.auth.signInAnonymously()
            let linked = try await app.auth.link(.onePass)
            let proven = try await app.auth.reauthenticate(with: .onePass)
            app.phone.declines = true

            #expect(linked.session.userID == anonymous.session.userID && !linked.session.isAnonymous)
            #expect(proven.session.userID == anonymous.session.userID)
            #expect(await refusal { try await app.auth.reauthenticate(with: .onePass) } == .userCancelled)
            #expect(await app.auth.session?.userID == anonymous.session.userID)
            #expect(app.phone.opened.allSatisfy { $0.hasPrefix(app.onePass.url) })
        }
    }

    @Test func `the end of the app during the hand-off interrupts nothing`() async throws {
        try await PhoneApp.run { app in
            app.phone.endsApp = true
            let running = Task { await refusal { try await app.auth.signIn(with: .onePass) } }
            let redirect = try await app.phone.redirect()

            let restarted = app.restarted()
            let before = try await restarted.restore()
            let result = try await restarted.resumeSignIn(with: redirect)
            let again = await refusal { try await restarted.resumeSignIn(with: redirect) }
            running.cancel()
            _ = await running.value

            #expect(before == nil && result.provider == .onePass && result.isNewUser)
            #expect(again == .noPendingRequest && restarted.handle(redirect))
        }
    }
}

/// An app on a phone with 1Pass's app, at a running broker.
struct PhoneApp: Sendable {
    let broker: HostedBroker
    let auth: BrokerAuth
    let phone: Phone
    private let configuration: BrokerConfiguration
    private let storage: FileSessionStorage

    var onePass: OnePassSimulator { broker.providers.onePass }

    static func run<Value>(_ body: (PhoneApp) async throws -> Value) async throws -> Value {
        try await NativeApp.prepare { native in
            let broker = native.broker
            let client = OnePassSimulator.Application(type: .public, redirectURIs: [NativeApp.redirectURI])
            broker.providers.onePass.register(client)
            let entries = try #require(
                try JSONValue(parsing: try broker.folder.text(of: "plugins.json"))["providers"]?.array)
            let changed = entries.map { entry -> JSONValue in
                guard entry["use"] == "1pass", var members = entry.object, var options = members["options"]?.object
                else { return entry }
                options["additionalClientIds"] = [.string(client.clientID)]
                members["options"] = .object(options)
                members["appRedirects"] = [
                    ["redirectUri": .string(NativeApp.redirectURI), "clientId": .string(client.clientID)]
                ]
                return .object(members)
            }
            try broker.folder.write(
                JSONValue.object(["providers": .array(changed)]).serialized(), to: "plugins.json")
            return try await broker.serve { _ in try await body(PhoneApp(native)) }
        }
    }

    private init(_ native: NativeApp) {
        broker = native.broker
        configuration = native.auth.configuration
        storage = FileSessionStorage(folder: URL(filePath: broker.folder.file("phone")))
        phone = Phone(broker.providers.onePass)
        auth = BrokerAuth(configuration, storage: storage, presenter: AppFirstPresentation(phone))
        phone.open(in: auth)
    }

    /// The app after the system has ended it.
    func restarted() -> BrokerAuth { BrokerAuth(configuration, storage: storage) }
}

/// A phone on which 1Pass's app may be installed, and its user.
final class Phone: PresentationPlatform {
    private struct State {
        var auth: BrokerAuth?
        var opened: [String] = []
        var hasApp = true
        var declines = false
        var endsApp = false
    }

    private let onePass: OnePassSimulator
    private let browser = SimulatedUser("ada")
    private let state = Mutex(State())
    private let (redirects, delivered) = AsyncStream.makeStream(of: URL.self)

    init(_ onePass: OnePassSimulator) {
        self.onePass = onePass
    }

    /// Every address that was opened, in order.
    var opened: [String] { state.withLock { $0.opened } }
    var hasApp: Bool {
        get { state.withLock { $0.hasApp } }
        set { state.withLock { $0.hasApp = newValue } }
    }
    var declines: Bool {
        get { state.withLock { $0.declines } }
        set { state.withLock { $0.declines = newValue } }
    }
    /// Whether the app is gone when the redirect arrives.
    var endsApp: Bool {
        get { state.withLock { $0.endsApp } }
        set { state.withLock { $0.endsApp = newValue } }
    }

    /// The app that has the scheme of the redirect URI.
    func open(in auth: BrokerAuth) { state.withLock { $0.auth = auth } }

    /// A redirect that found no app.
    func redirect() async throws -> URL {
        for await url in redirects { return url }
        throw CancellationError()
    }

    func openUniversalLink(_ url: URL) async -> Bool {
        let link = url.absoluteString
        let state = state.withLock { state in
            state.opened.append(link)
            return state
        }
        guard state.hasApp, let person = onePass.person(named: "ada"),
            let answer = onePass.openUniversalLink(link, deciding: state.declines ? .decline : .approve(person)),
            let redirect = URL(string: answer)
        else { return false }
        if state.endsApp {
            delivered.yield(redirect)
        } else if let auth = state.auth {
            Task { _ = auth.handle(redirect) }
        }
        return true
    }

    func runWebSession(
        _ url: URL, until callback: RedirectCallback, isEphemeral: Bool, answer: SingleResumption<URL>
    ) async throws(BrokerAuthError) -> URL {
        state.withLock { $0.opened.append(url.absoluteString) }
        do {
            browser.will(.authorize(as: url.absoluteString.hasPrefix(onePass.url) ? "ada" : "Ada"))
            let landed = try await browser.visit(url.absoluteString, until: "com.example.app:")
            answer.resume(with: URL(string: landed).map(Result.success) ?? .failure(.userCancelled))
        } catch {
            answer.resume(with: .failure(.cancelled))
        }
        return try await answer.value()
    }
}
