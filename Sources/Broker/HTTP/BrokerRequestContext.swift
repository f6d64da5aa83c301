import BrokerStore
package import Hummingbird
import Logging
import NIOCore

/// What travels with a request through the routes.
package struct BrokerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// Where the broker listens, as this connection has it.
    let localPort: Int?
    /// For logs, audit rows and the `X-Request-Id` of the answer.
    let requestID: String
    /// Where the request comes from, behind trusted proxies; the edge knows.
    var device = ClientDevice()

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        localPort = source.channel.localAddress?.port
        // Hummingbird counts requests up: an answer would tell how many others there were.
        requestID = RandomText.alphanumeric(20)
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = "\(requestID)"
    }
}
