import Testing

@testable import BrokerClient

@Suite("A continuation that resumes once", .timeLimit(.minutes(20)))
struct SingleResumptionTests {
    @Test func `a result that came early is returned, and later ones are dropped`() async throws {
        let resumption = SingleResumption<Int>()

        resumption.resume(with: .success(1))
        resumption.resume(with: .failure(.userCancelled))

        #expect(try await resumption.value() == 1)
    }

    @Test func `of many results one resumes the wait`() async throws {
        let resumption = SingleResumption<Int>()
        async let value = resumption.value()

        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { resumption.resume(with: .success(number)) } }
        }

        #expect((0..<50).contains(try await value))
    }

    @Test func `the cancellation of the task ends the wait`() async {
        let resumption = SingleResumption<Int>()
        let task = Task { () async throws(BrokerAuthError) in try await resumption.value() }

        task.cancel()

        await #expect(throws: BrokerAuthError.cancelled) { try await task.value }
    }
}
