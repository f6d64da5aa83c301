import Foundation
import OAuth
import Synchronization
import Testing

@Suite("A document of another server")
struct RemoteDocumentTests {
    private struct Unreachable: Error {}

    /// A server with a document that names the number of its fetches.
    private final class Server: Sendable {
        struct State {
            var now = Date(timeIntervalSince1970: 1_000_000)
            var fetches = 0
            var isDown = false
        }

        let state = Mutex(State())

        func advance(_ seconds: TimeInterval) { state.withLock { $0.now.addTimeInterval(seconds) } }
        func goDown(_ isDown: Bool = true) { state.withLock { $0.isDown = isDown } }
        var now: Date { state.withLock(\.now) }
        var fetches: Int { state.withLock(\.fetches) }

        func document(_ limits: RemoteDocument<Int, Unreachable>.Limits) -> RemoteDocument<Int, Unreachable> {
            RemoteDocument(limits, now: { self.now })
        }

        /// The number of the fetch; negative where a later one has failed, and nil where there is none.
        func ask(_ document: RemoteDocument<Int, Unreachable>, for number: Int = 0) async -> Int? {
            let answer = await document.answer(where: { $0 >= number }) { [self] _ async throws(Unreachable) in
                let (number, isDown) = state.withLock { state in
                    state.fetches += 1
                    return (state.fetches, state.isDown)
                }
                guard !isDown else { throw Unreachable() }
                return (number, lifetime: 600)
            }
            return switch answer {
            case .current(let number): number
            case .stale(let number, _): -number
            case .absent: nil
            }
        }
    }

    @Test func `is fetched when it is first needed, and when it is old`() async {
        let server = Server()
        let document = server.document(.init())
        #expect(server.fetches == 0)

        for _ in 0..<3 { #expect(await server.ask(document) == 1) }
        server.advance(599)
        #expect(await server.ask(document) == 1)
        server.advance(1)
        #expect(await server.ask(document) == 2)
    }

    @Test func `is fetched once in each cooldown for what it lacks`() async {
        let server = Server()
        let document = server.document(.init(cooldown: 30))
        for _ in 0..<100 { #expect(await server.ask(document, for: 9) == 1) }
        server.advance(29)
        #expect(await server.ask(document, for: 9) == 1)
        server.advance(1)
        for _ in 0..<100 { #expect(await server.ask(document, for: 9) == 2) }
        #expect(server.fetches == 2)
    }

    @Test func `stays usable while its server is down, and says so`() async {
        let server = Server()
        let document = server.document(.init(cooldown: 30, longestUse: 3600))
        #expect(await server.ask(document) == 1)
        server.goDown()
        server.advance(30)
        #expect(await server.ask(document, for: 9) == -1)
        #expect(await server.ask(document) == 1, "it has what is looked for, and is not old")
        server.advance(3569)
        for _ in 0..<2 { #expect(await server.ask(document) == -1) }
        #expect(server.fetches == 3)
        server.advance(1)
        #expect(await server.ask(document) == nil)

        server.goDown(false)
        #expect(await server.ask(document) == 5)
    }

    @Test func `is not fetched again at once where there is none`() async {
        let server = Server()
        let document = server.document(.init(retryInterval: 5))
        server.goDown()
        for _ in 0..<2 { #expect(await server.ask(document) == nil) }
        server.goDown(false)
        server.advance(4)
        #expect(await server.ask(document) == nil)
        server.advance(1)
        #expect(await server.ask(document) == 2)
    }

    @Test func `is fetched again after the clock was set back`() async {
        let server = Server()
        let document = server.document(.init())
        #expect(await server.ask(document) == 1)
        server.advance(-60)
        #expect(await server.ask(document) == 2)
    }

    @Test func `is fetched once for all who wait, also where one of them gives up`() async {
        let server = Server()
        let document = server.document(.init())
        let (gate, opening) = AsyncStream<Void>.makeStream()
        let waiting = (0..<8).map { _ in
            Task {
                await document.answer { _ async throws(Unreachable) in
                    let number = server.state.withLock { state in
                        state.fetches += 1
                        return state.fetches
                    }
                    for await _ in gate {}
                    return (number, lifetime: 600)
                }
            }
        }
        waiting[0].cancel()
        opening.finish()

        for task in waiting {
            guard case .current(1) = await task.value else {
                Issue.record("not the document of the only fetch")
                continue
            }
        }
        #expect(server.fetches == 1)
    }

    @Test func `is fetched again only after the whole interval, however long a failed fetch took`() async {
        let server = Server()
        let document = server.document(.init(retryInterval: 5))

        let answer = await document.answer { _ async throws(Unreachable) in
            server.advance(4)
            throw Unreachable()
        }

        guard case .absent(_, retryAfter: 5) = answer else {
            Issue.record("\(answer)")
            return
        }
    }
}
