import BrokerStore
package import Hummingbird
import NIOCore

/// What travels with a request through the routes.
package struct BrokerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// For logs, audit rows and the `X-Request-Id` of the answer.
    var requestID = ""

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
    }

    func origin(_ caller: Caller) -> Origin {
        Origin(.client, actor: caller.name, requestID: requestID)
    }
}
