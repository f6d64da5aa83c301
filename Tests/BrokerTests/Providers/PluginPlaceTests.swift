import NIOCore
import NIOPosix
import ProviderKit
import Testing

@testable import Broker

@Suite("where the code of plugins runs")
struct PluginPlaceTests {
    private static let eventLoop = MultiThreadedEventLoopGroup.singleton.next()

    /// A plugin whose subjects say where it runs.
    private struct LocatedProvider: IdentityProvider {
        struct Options: Decodable, Sendable {}
        static let kind: ProviderKind = "located"
        static let isNonBlocking = true
        let instance = "https://located.example"
        let clientID = "client"
        let accepts: Set<Credential.Kind> = [.accessToken, .idToken]

        init() {}

        init(_ options: Options, in context: ProviderContext) throws(ProviderError) {}

        func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
            ExternalIdentity(subject: PluginPlaceTests.eventLoop.inEventLoop ? "event loop" : "threads")
        }
    }

    /// The same without the declaration.
    private struct SilentProvider: IdentityProvider {
        static let kind: ProviderKind = "silent"
        let located = LocatedProvider()
        var instance: String { located.instance }
        var clientID: String { located.clientID }
        var accepts: Set<Credential.Kind> { located.accepts }

        init() {}

        init(_ options: LocatedProvider.Options, in context: ProviderContext) throws(ProviderError) {}

        func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
            try await located.verify(credential)
        }
    }

    /// The place at which a plugin verifies a credential for a request on the event loop.
    private static func place(_ provider: any IdentityProvider, _ credential: Credential) async throws -> String {
        let configured = ConfiguredProvider(id: "x", kind: "x", trustsEmail: false, provider: provider)
        return try await withTaskExecutorPreference(EventLoopExecutor(eventLoop)) {
            try await configured.ask(about: credential) { try await provider.verify(credential).subject }
        }
    }

    @Test func `an ID token alone is verified on the event loop by a plugin that does not block`() async throws {
        let token = Credential(.idToken(.init(token: "t", rawNonce: "n")))

        #expect(try await Self.place(LocatedProvider(), token) == "event loop")
        #expect(try await Self.place(SilentProvider(), token) == "threads")
    }

    @Test(arguments: [
        Credential(.accessToken("t")), Credential(.idToken(.init(token: "t", accessToken: "a"))),
        Credential(.idToken(.init(token: "t", authorizationCode: "c"))),
    ])
    func `a credential for which the provider is asked leaves the event loop`(credential: Credential) async throws {
        #expect(try await Self.place(LocatedProvider(), credential) == "threads")
    }

    @Test func `outside of event loops it runs on the plugin's threads`() async throws {
        let isOnLoop = try await PluginCalls().run(within: .seconds(60), staysOnEventLoop: true) {
            MultiThreadedEventLoopGroup.currentEventLoop != nil
        }

        #expect(!isOnLoop)
    }

    @Test func `work on the event loop ends at its deadline as well`() async throws {
        let (calls, door) = (PluginCalls(), Door())

        await #expect(throws: DeadlineExceeded.self) {
            try await withTaskExecutorPreference(EventLoopExecutor(Self.eventLoop)) {
                try await calls.run(within: .milliseconds(1), staysOnEventLoop: true) { await door.pass() }
            }
        }

        #expect(calls.hang.unended == 1)
        door.open()
        while calls.hang.unended > 0 { await Task.yield() }
    }
}
