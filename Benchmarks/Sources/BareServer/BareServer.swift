import Foundation
import Hummingbird
import NIOCore

/// The yardstick: Hummingbird with two routes that do nothing, in a process of its own.
///
/// Prints `{"port": …}` once it listens, and ends when its standard input does, so it never outlives who started it.
@main
struct BareServer {
    static func main() async throws {
        exitWithStandardInput()
        let router = Router()
        router.get("hello") { _, _ in "ok" }
        router.post("echo") { request, context in try await request.decode(as: Note.self, context: context) }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in announce(channel.localAddress?.port ?? 0) })
        try await application.run()
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

/// As much JSON as a small request of the broker's has: in and out again.
private struct Note: ResponseCodable {
    let text: String
    let number: Int
}
