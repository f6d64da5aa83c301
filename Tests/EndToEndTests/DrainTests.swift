import Foundation
import NIOCore
import NIOPosix
import PostgreSQLTesting
import ProviderKit
import Synchronization
import Testing

@Suite("A broker that stops under load", .timeLimit(.minutes(20)))
struct DrainTests {
    @Test func `answers every request on its connections, and leaves a closed store`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try await broker.serve { process, client in
                let answers = AnswerList()

                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<16 {
                        group.addTask {
                            // Ends when the broker takes no more connections; those it has are told in time.
                            do {
                                while true {
                                    if answers.append(try await client.signUp()) == 100 { process.terminate() }
                                }
                            } catch let error as IOError where error.errnoCode == ECONNREFUSED {
                                // The next connection, not a request.
                            } catch {
                                answers.note(lost: error)
                            }
                        }
                    }
                }
                let exitCode = try await process.exitCode()

                let received = answers.all
                let logged = process.log.text.split(separator: "\n").count { $0.contains("accounts:signUp") }
                #expect(exitCode == 0)
                #expect(answers.lost == [])
                #expect(received.allSatisfy { $0.status == 200 }, "\(received.filter { $0.status != 200 })")
                #expect(logged == received.count)
                let tables = StoreTables(of: broker)
                #expect(try tables.rows("SELECT count(*) FROM users") == [["\(received.count)"]])
            }
        }
    }

    @Test func `leaves nothing beside the store's file`() async throws {
        try await Installation.run(anonymousSignIn: true, engine: .sqlite) { broker in
            try await broker.serve { process, client in
                _ = try IdentityToolkitApp.Session(try await client.signUp())
                try await process.stop()
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: broker.folder.file("data")) == ["broker.sqlite"])
        }
    }

    @Test func `accepts no new connections while it waits for a client, with a time limit`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try await broker.serve { process, client in
                let stuck = try await StuckClient(client)

                process.terminate()
                try await Self.untilRefused(client)
                let exitCode = try await process.exitCode()

                #expect(exitCode == 0)
                #expect(process.log.text.contains("accounts:signUp"), "it had waited for the request")
                try await stuck.channel.closeFuture.get()
            }
        }
    }

    @Test func `ends at once at the second signal, and keeps what was acknowledged`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            let session = try await broker.serve { process, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                let stuck = try await StuckClient(client)
                process.terminate()
                try await Self.untilRefused(client)

                process.terminate()
                let exitCode = try await process.exitCode()

                #expect(exitCode == 143)
                #expect(!process.log.text.contains("broke off"))
                try await stuck.channel.closeFuture.get()
                return session
            }
            let found = try await broker.serve { _, client in try await client.lookup(session.idToken) }
            #expect(found.status == 200, "\(found)")
        }
    }

    /// Returns when the broker accepts no connection any more.
    private static func untilRefused(_ client: IdentityToolkitApp) async throws {
        let port = try #require(URL(string: client.url)?.port)
        while let channel = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        {
            // The broker may have been faster.
            try? await channel.close().get()
        }
    }
}

/// What several clients were answered.
private final class AnswerList: Sendable {
    private let answers = Mutex<[IdentityToolkitApp.Answer]>([])
    private let errors = Mutex<[String]>([])

    /// What became of requests on a connection that was there.
    var lost: [String] { errors.withLock(\.self) }

    func note(lost error: any Error) { errors.withLock { $0.append("\(error)") } }

    var all: [IdentityToolkitApp.Answer] { answers.withLock { $0 } }

    /// Returns how many there are now.
    func append(_ answer: IdentityToolkitApp.Answer) -> Int {
        answers.withLock { answers in
            answers.append(answer)
            return answers.count
        }
    }
}

/// A client that begins a request and never ends it.
private struct StuckClient {
    let channel: any Channel

    /// The broker waits for what a connection may be sending once it has answered there.
    init(_ client: IdentityToolkitApp) async throws {
        let port = try #require(URL(string: client.url)?.port)
        let answered = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { $0.pipeline.addHandler(FirstAnswer(answered)) }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")).get()
        try await answered.futureResult.get()
        let request = """
            POST /v1/accounts:signUp?key=\(client.apiKey) HTTP/1.1\r
            Host: 127.0.0.1:9099\r
            Content-Type: application/json\r
            Content-Length: 100\r
            \r
            {
            """
        try await channel.writeAndFlush(ByteBuffer(string: request)).get()
    }
}

/// Tells when the first bytes of an answer have come, or the connection has ended.
private final class FirstAnswer: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let came: EventLoopPromise<Void>

    init(_ came: EventLoopPromise<Void>) { self.came = came }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { came.succeed() }

    func channelInactive(context: ChannelHandlerContext) { came.fail(ChannelError.eof) }
}
