public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    public init(uncheckedState initialState: State) {}
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }
}
