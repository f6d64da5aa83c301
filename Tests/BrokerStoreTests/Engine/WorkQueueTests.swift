import Foundation
import Synchronization
import Testing

@testable import BrokerStore

@Suite("A queue whose thread is woken later while work comes together")
struct WorkQueueTests {
    /// What a calling thread has to do once it has done what is at hand.
    private final class Postponed: Sendable {
        private let work = Mutex<[@Sendable () -> Void]>([])

        var isEmpty: Bool { work.withLock { $0.isEmpty } }

        func add(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0.append(work) } }

        /// The thread that had to do it stands still.
        func forget() { work.withLock { $0 = [] } }

        func run() {
            let work = work.withLock { work in
                defer { work = [] }
                return work
            }
            for work in work { work() }
        }
    }

    private let postponed = Postponed()
    private let queue: WorkQueue<Int>

    init() {
        queue = WorkQueue(waking: postponed.add)
    }

    /// Has work come together as often as it takes.
    private func comeTogether() {
        for _ in 0..<10 {
            for work in 0..<WorkQueue<Int>.maximumGathered { #expect(queue.append(work)) }
            #expect(queue.next(atMost: 100).count == WorkQueue<Int>.maximumGathered)
        }
    }

    /// What a thread takes, each time.
    private func batchesOfThread() -> AsyncStream<[Int]> {
        let (batches, continuation) = AsyncStream<[Int]>.makeStream()
        Thread { [queue] in
            while case let batch = queue.next(atMost: 100), !batch.isEmpty { continuation.yield(batch) }
            continuation.finish()
        }.start()
        return batches
    }

    private static func next(of batches: AsyncStream<[Int]>) async -> [Int]? {
        for await batch in batches { return batch }
        return nil
    }

    /// A thread that was idle when 0 came, and is not woken yet.
    private func waitingThread() async -> AsyncStream<[Int]> {
        comeTogether()
        let batches = batchesOfThread()
        while !queue.hasIdleThread { await Task.yield() }
        #expect(queue.append(0))
        #expect(!postponed.isEmpty)
        return batches
    }

    @Test func `begins at once with work that comes alone`() async {
        let batches = batchesOfThread()

        for work in 1...20 {
            #expect(queue.append(work))
            #expect(await Self.next(of: batches) == [work])
        }

        #expect(postponed.isEmpty)
        queue.close()
    }

    @Test func `finds all work of a moment`() async {
        let batches = await waitingThread()

        for work in 1...3 { #expect(queue.append(work)) }
        postponed.run()

        #expect(await Self.next(of: batches) == [0, 1, 2, 3])
        queue.close()
        #expect(await Self.next(of: batches) == nil)
    }

    @Test func `begins when one of the callers has done what it had at hand`() async {
        let batches = await waitingThread()
        postponed.forget()

        #expect(queue.append(1))
        postponed.run()

        #expect(await Self.next(of: batches) == [0, 1])
        queue.close()
    }

    @Test func `begins before where much is waiting`() async {
        let batches = await waitingThread()

        for work in 1..<WorkQueue<Int>.maximumGathered { #expect(queue.append(work)) }

        #expect(await Self.next(of: batches) == Array(0..<WorkQueue<Int>.maximumGathered))
        postponed.run()
        #expect(queue.append(100))
        postponed.run()
        #expect(await Self.next(of: batches) == [100])
        queue.close()
    }

    @Test func `begins when the queue is closed`() async {
        let batches = await waitingThread()

        queue.close()

        #expect(await Self.next(of: batches) == [0])
        #expect(await Self.next(of: batches) == nil)
        #expect(!queue.append(1))
    }
}
