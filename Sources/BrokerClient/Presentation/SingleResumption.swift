import Locks

/// A continuation that the first result resumes. Later ones are dropped: a framework may call back after a cancellation.
final class SingleResumption<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case idle
        case waiting(CheckedContinuation<Result<Value, BrokerAuthError>, Never>)
        case ended(Result<Value, BrokerAuthError>)
    }

    private let state = Mutex(State.idle)

    /// Waits for the first result, which may have come already. The cancellation of the task is one.
    func value() async throws(BrokerAuthError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early: Result<Value, BrokerAuthError>? = state.withLock { state in
                    if case .ended(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            resume(with: .failure(.cancelled))
        }
        return try result.get()
    }

    func resume(with result: Result<Value, BrokerAuthError>) {
        let continuation: CheckedContinuation<Result<Value, BrokerAuthError>, Never>? = state.withLock { state in
            switch state {
            case .ended: return nil
            case .idle:
                state = .ended(result)
                return nil
            case .waiting(let continuation):
                state = .ended(result)
                return continuation
            }
        }
        continuation?.resume(returning: result)
    }
}
