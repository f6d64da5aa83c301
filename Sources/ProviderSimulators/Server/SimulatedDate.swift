import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Writes the simulator's own time into every answer's `Date`: clients see the clock the simulator lives by.
final class SimulatedDate: ChannelOutboundHandler, RemovableChannelHandler, Sendable {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// RFC 9110 §5.6.7.
    private static let format: DateFormatter = {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format
    }()

    private let clock: SimulatorClock

    init(_ clock: SimulatorClock) {
        self.clock = clock
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.headerFields[.date] = Self.format.string(from: clock.now)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
