import Foundation
import Logging
import Synchronization

/// The log of a server on standard error: lines are gathered for a few milliseconds and written together, on a thread of
/// their own, because one write for each request costs more than the request's line.
///
/// Lines above the level info are written at once, with all before them. A full buffer makes its writers wait for the
/// reader of standard error, so that no line is dropped.
final class StandardErrorLog: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        /// Whether the thread was woken for what is in the buffer.
        var isAwaited = false
    }

    /// How long a line waits for others.
    private static let delay: TimeInterval = 0.005
    /// Bytes.
    private static let capacity = 256 << 10

    private let state = Mutex(State())
    /// The bytes being written; held during the write, so that lines keep their order.
    private let output = Mutex<[UInt8]>([])
    private let wakeUp = DispatchSemaphore(value: 0)

    init() {
        let thread = Thread { [self] in
            while true {
                wakeUp.wait()
                Thread.sleep(forTimeInterval: Self.delay)
                flush()
            }
        }
        thread.name = "log"
        thread.stackSize = 128 << 10
        thread.start()
    }

    /// Takes a line without its end.
    func append(_ line: String, at level: Logger.Level) {
        let (isFirst, isFull) = state.withLock { state in
            state.buffer += line.utf8
            state.buffer.append(UInt8(ascii: "\n"))
            defer { state.isAwaited = true }
            return (!state.isAwaited, state.buffer.count >= Self.capacity)
        }
        if level > .info || isFull {
            flush()
        } else if isFirst {
            wakeUp.signal()
        }
    }

    /// Writes all lines. To be called before the process ends.
    func flush() {
        output.withLock { output in
            state.withLock { state in
                swap(&state.buffer, &output)
                state.isAwaited = false
            }
            // A full disk or a reader that has gone costs the lines, not the broker.
            try? FileHandle.standardError.write(contentsOf: output)
            output.removeAll(keepingCapacity: true)
        }
    }
}
