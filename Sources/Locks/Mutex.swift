#if canImport(os)
    import os

    /// A value that one caller at a time reads or changes: what apps need of `Synchronization.Mutex`, which begins with
    /// iOS 18 and macOS 15.
    package struct Mutex<Value: Sendable>: ~Copyable, Sendable {
        private let lock: OSAllocatedUnfairLock<Value>

        /// - Parameter initialValue: The value at first.
        package init(_ initialValue: Value) { lock = OSAllocatedUnfairLock(uncheckedState: initialValue) }

        /// Runs `body` while no other caller's runs.
        ///
        /// - Parameter body: Reads or changes the value. It must not use the lock again.
        /// - Returns: What `body` returns.
        /// - Throws: What `body` throws.
        package borrowing func withLock<Output, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Output
        ) throws(Failure) -> Output {
            let outcome: Result<Output, Failure> = lock.withLockUnchecked { value in
                do throws(Failure) {
                    return .success(try body(&value))
                } catch {
                    return .failure(error)
                }
            }
            return try outcome.get()
        }
    }
#else
    @_exported public import Synchronization

    /// A value that one caller at a time reads or changes. On Linux the standard library's, in a broker's hot paths too.
    package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
