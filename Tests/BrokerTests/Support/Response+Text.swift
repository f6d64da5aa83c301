import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension Response {
    /// The body as text.
    func text() async throws -> String {
        let collected = CollectedBody()
        try await body.write(collected)
        return collected.bytes.withLock { String(buffer: $0) }
    }
}

private final class CollectedBody: ResponseBodyWriter {
    let bytes = Mutex(ByteBuffer())

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
