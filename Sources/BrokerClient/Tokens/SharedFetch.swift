import Foundation

/// A document that several tasks need: fetched once for all who wait, and kept for some time.
actor SharedFetch<Document: Sendable> {
    private let fetch: @Sendable () async throws(BrokerAuthError) -> Document
    private let now: @Sendable () -> Date
    private var latest: (document: Document, fetchedAt: Date)?
    private var running: Task<Result<Document, BrokerAuthError>, Never>?

    init(
        now: @escaping @Sendable () -> Date, _ fetch: @escaping @Sendable () async throws(BrokerAuthError) -> Document
    ) {
        self.now = now
        self.fetch = fetch
    }

    /// The document, fetched unless a copy is at most `age` seconds old.
    func document(at mostSecondsOld: TimeInterval) async throws(BrokerAuthError) -> Document {
        if let latest, abs(now().timeIntervalSince(latest.fetchedAt)) <= mostSecondsOld { return latest.document }
        let task = running ?? start()
        return try await task.value.get()
    }

    private func start() -> Task<Result<Document, BrokerAuthError>, Never> {
        let task = Task {
            do throws(BrokerAuthError) {
                let document = try await fetch()
                finish(document)
                return Result<Document, BrokerAuthError>.success(document)
            } catch {
                finish(nil)
                return .failure(error)
            }
        }
        running = task
        return task
    }

    private func finish(_ document: Document?) {
        running = nil
        if let document { latest = (document, now()) }
    }
}
