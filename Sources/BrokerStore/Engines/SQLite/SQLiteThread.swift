import Foundation

/// A thread that opens a connection, works on it, and closes it.
///
/// Blocking calls run here: on Swift's cooperative pool they would block unrelated tasks.
struct SQLiteThread: Sendable {
    private let finished = Completion()

    /// Starts the thread and waits until its connection is open.
    ///
    /// - Parameters:
    ///   - name: what tools for the operator show.
    ///   - open: makes the connection, on the thread.
    ///   - work: runs on the thread until there is nothing left to do.
    /// - Throws: what `open` threw; then there is no thread.
    init<Connection>(
        _ name: String, open: @escaping @Sendable () throws(StoreError) -> Connection,
        work: @escaping @Sendable (Connection) -> Void
    ) async throws(StoreError) {
        let opened: Result<Void, StoreError> = await withCheckedContinuation { [finished] continuation in
            let thread = Thread {
                do throws(StoreError) {
                    let connection = try open()
                    continuation.resume(returning: .success(()))
                    work(connection)
                } catch {
                    continuation.resume(returning: .failure(error))
                }
                finished.reach()
            }
            thread.name = name
            thread.start()
        }
        try opened.get()
    }

    /// Returns when the thread has closed its connection.
    func end() async {
        await finished.wait()
    }
}
