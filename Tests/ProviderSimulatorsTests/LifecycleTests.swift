import Foundation
import NIOCore
import NIOPosix
import ProviderSimulators
import Testing

@Suite("Simulators: start and stop")
struct LifecycleTests {
    @Test func `a simulator starts with three users and one OAuth app, all random`() async throws {
        let (first, second) = (try await GitHubSimulator.start(), try await GitHubSimulator.start())

        #expect(first.people().map(\.login) == ["ada", "ben", "cleo"])
        #expect(first.applications() == [first.defaultApplication])
        #expect(first.url != second.url)
        #expect(first.defaultApplication.clientSecret != second.defaultApplication.clientSecret)
        #expect(Set(first.people().map(\.id)).isDisjoint(with: second.people().map(\.id)))
        #expect(try first.person("ben").name == nil)
        #expect(try first.person("ben").publicEmail == nil)
        #expect(try !first.person("cleo").hasVerifiedPrimaryEmail)
        await first.stop()
        await second.stop()
    }

    @Test func `a stopped simulator frees its port for the next`() async throws {
        let first = try await GitHubSimulator.start()
        let port = try #require(URLComponents(string: first.url)?.port)
        // A connection kept alive by the client would be tried on the second simulator.
        _ = try await WebClient.get(first.url + "/", headers: ["connection": "close"])
        await first.stop()

        let second = try await GitHubSimulator.start(.init(port: port))
        #expect(second.url == first.url)
        #expect(try await WebClient.get(second.url + "/").status == 200)
        await second.stop()
    }

    @Test func `a simulator that stops while clients connect closes every connection`() async throws {
        for _ in 0..<20 {
            let github = try await GitHubSimulator.start()
            let port = try #require(URLComponents(string: github.url)?.port)
            let (connected, connects) = AsyncStream<Void>.makeStream()
            await withTaskGroup { group in
                for _ in 0..<30 {
                    group.addTask {
                        // A connection that comes too late is refused.
                        let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        let channel = try? await client.connect(host: "127.0.0.1", port: port).get()
                        connects.yield()
                        try? await channel?.closeFuture.get()
                    }
                }
                for await _ in connected { break }
                await github.stop()
            }
        }
    }

    @Test func `a taken port is an error`() async throws {
        let first = try await GitHubSimulator.start()
        let port = try #require(URLComponents(string: first.url)?.port)

        await #expect(throws: (any Error).self) { try await GitHubSimulator.start(.init(port: port)) }

        await first.stop()
    }

    @Test func `users and registration can be configured`() async throws {
        let ada = GitHubSimulator.Person(id: 7, login: "ada")
        let application = GitHubSimulator.Application(clientID: "Iv1.example", name: "Mine")
        let github = try await GitHubSimulator.start(.init(application: application, people: [ada]))

        #expect(github.people() == [ada])
        #expect(github.defaultApplication == application)
        await github.stop()
    }

    @Test func `many requests at once are all answered`() async throws {
        try await GitHubSimulator.running { github in
            let token = github.accessToken(for: try github.ada, application: github.defaultApplication)

            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 { group.addTask { try await github.api("/user", token: token).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(statuses == Array(repeating: 200, count: 200))
            #expect(github.hits(.user) == 200)
        }
    }
}
