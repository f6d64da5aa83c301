import Foundation
import Hummingbird
import NIOCore
import NIOPosix

/// The yardstick: Hummingbird with two routes that do nothing, in a process of its own.
///
/// `--executor pool` runs handlers on Swift's thread pool, as a program without any setting does; `--executor event-loops`
/// runs them on NIO's event loops. Prints `{"port": …}` once it listens, and ends when its standard input does, so it never
/// outlives the program that started it.
@main
struct BareServer {
    static func main() async throws {
        // Before anything else is asynchronous: what is already waiting for the pool stays there.
        try chooseExecutor(Array(CommandLine.arguments.dropFirst()))
        exitWithStandardInput()
        let router = Router()
        router.get("hello") { _, _ in "ok" }
        router.post("echo") { request, context in try await request.decode(as: Note.self, context: context) }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in announce(channel.localAddress?.port ?? 0) })
        try await application.run()
    }

    private static func chooseExecutor(_ arguments: [String]) throws(ArgumentFailure) {
        switch arguments {
        case [], ["--executor", "pool"]: break
        case ["--executor", "event-loops"]:
            guard NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor() else {
                throw ArgumentFailure(description: "this build of NIO cannot install its event loops as the executor")
            }
        default: throw ArgumentFailure(description: "usage: BareServer [--executor pool|event-loops]")
        }
    }

    private static func announce(_ port: Int) {
        FileHandle.standardOutput.write(Data("{\"port\":\(port)}\n".utf8))
    }

    /// On a thread, since waiting would otherwise take one from the server.
    private static func exitWithStandardInput() {
        Thread.detachNewThread {
            _ = FileHandle.standardInput.availableData
            exit(0)
        }
    }
}

private struct ArgumentFailure: Error, CustomStringConvertible {
    let description: String
}

/// As much JSON as a small request of the broker's has: in and out again.
private struct Note: ResponseCodable {
    let text: String
    let number: Int
}
