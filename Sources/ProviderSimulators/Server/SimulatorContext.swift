import Hummingbird
import NIOCore

/// The context of a request: the connection, so that a fault can cut it.
struct SimulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Whether the client is on this machine.
    var isLoopback: Bool {
        let address = channel.remoteAddress?.ipAddress ?? ""
        return address.hasPrefix("127.") || address == "::1"
    }
}
