import BrokerStore
package import Hummingbird
import Logging
import NIOCore

/// What travels with a request through the routes.
package struct BrokerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// For logs, audit rows and the `X-Request-Id` of the answer.
    let requestID: String

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        // Hummingbird's own accessor traps when the log handler keeps no metadata.
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? RandomText.alphanumeric(32)
    }

    func origin(_ caller: Caller) -> Origin {
        Origin(.client, actor: caller.name, requestID: requestID)
    }
}
