import NIOCore
import NIOPosix
import Testing

@testable import BrokerCommand

@Suite("The port of a demo", .timeLimit(.minutes(3)))
struct DemoPortTests {
    @Test func `a free port that another program takes first is replaced by another`() async throws {
        var taken: (any Channel)?

        let demo = try await DemoBroker.withPort(0) { port in
            if taken == nil { taken = try await Self.listen(on: port) }
            do {
                return try await Self.listen(on: port)
            } catch is IOError {
                throw CommandFailure(code: "LISTEN", "the port is in use")
            }
        }

        #expect(taken != nil && demo.localAddress?.port != taken?.localAddress?.port)
        try await demo.close()
        try await taken?.close()
    }

    @Test func `a port that was asked for is not replaced, and another failure is not repeated`() async throws {
        for (port, code) in [(9099, "LISTEN"), (0, "CANNOT_WRITE")] {
            var ports: [Int] = []
            await #expect(throws: CommandFailure.self) {
                try await DemoBroker.withPort(port) {
                    ports.append($0)
                    throw CommandFailure(code: code, "it failed")
                }
            }
            #expect(ports.count == 1 && (port == 0 || ports == [port]))
        }
    }

    private static func listen(on port: Int) async throws -> any Channel {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: port).get()
    }
}
