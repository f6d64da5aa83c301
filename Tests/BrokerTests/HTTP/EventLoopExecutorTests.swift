import NIOCore
import NIOPosix
import Testing

@testable import Broker

@Suite("tasks on an event loop")
struct EventLoopExecutorTests {
    @Test func `a task and its children stay on the event loop, also after they waited`() async {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let places = await withTaskExecutorPreference(EventLoopExecutor(eventLoop)) {
            let before = await Self.isOn(eventLoop)
            await withCheckedContinuation { continuation in
                MultiThreadedEventLoopGroup.singleton.next().execute { continuation.resume() }
            }
            async let child = Self.isOn(eventLoop)
            return [before, await Self.isOn(eventLoop), await child]
        }

        #expect(places == [true, true, true])
    }

    @concurrent
    private static func isOn(_ eventLoop: any EventLoop) async -> Bool { eventLoop.inEventLoop }
}
