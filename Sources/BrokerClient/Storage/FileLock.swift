#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An exclusive lock of an open file (`flock`). It belongs to this opening of the file: another one, in this process or
/// another, waits.
struct FileLock: Sendable {
    private let file: Int32

    /// How long to wait. A refresh takes longer only where the broker answers each of its requests at the last moment.
    private static let patience: Duration = .seconds(60)

    init(_ file: Int32) { self.file = file }

    /// Waits for the lock.
    ///
    /// - Throws: ``BrokerAuthError/storageLocked``, ``BrokerAuthError/cancelled``, ``BrokerAuthError/storageFailed(_:)``.
    func acquire() async throws(BrokerAuthError) {
        let end = ContinuousClock.now + Self.patience
        // Polled, since a call that blocks would keep a thread of the pool for as long as a request takes.
        var pause: Duration = .milliseconds(2)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .storageFailed("flock failed") }
            guard ContinuousClock.now < end else { throw .storageLocked }
            guard (try? await Task.sleep(for: pause)) != nil else { throw .cancelled }
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    /// Releases the lock.
    func close() {
        #if canImport(Darwin)
            _ = Darwin.close(file)
        #elseif canImport(Glibc)
            _ = Glibc.close(file)
        #else
            _ = Musl.close(file)
        #endif
    }
}
