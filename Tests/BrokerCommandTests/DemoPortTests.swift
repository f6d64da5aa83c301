import NIOCore
import NIOPosix
import Testing

@testable import BrokerCommand

@Suite("The port of a demo", .timeLimit(.minutes(20)))
struct DemoPortTests {
    @Test func `a free port that another program takes first is replaced by another`() async throws {
        var ports: [Int] = []
        var other: (any Channel)?

        let demo = try await DemoBroker.withPort(0) { port in
            ports.append(port)
            do {
                // Where a program beside the tests was faster, the port is taken just the same.
                if ports.count == 1 { other = try await Self.listen(on: port) }
                return try await Self.listen(on: port)
            } catch is IOError {
                throw CommandFailure(code: "LISTEN", "the port is in use")
            }
        }

        #expect(ports.count > 1 && demo.localAddress?.port == ports.last && ports.last != ports.first)
        try await demo.close()
        try await other?.close()
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
