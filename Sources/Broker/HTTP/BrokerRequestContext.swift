import BrokerStore
package import Hummingbird
import Logging
import NIOCore

/// The context of a request: its connection, its id and its client.
package struct BrokerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    let remoteAddress: SocketAddress?
    /// The local port of the connection.
    let localPort: Int?
    /// For logs, audit rows and the `X-Request-Id` of the answer.
    let requestID: String
    /// The client's device and address, behind trusted proxies. ``Edge`` sets it.
    var device = ClientDevice()
    /// Why an administrator makes the request. ``Edge`` sets it.
    var reason: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        localPort = source.channel.localAddress?.port
        // Hummingbird numbers requests in sequence: an answer would disclose the number of requests.
        requestID = RandomText.alphanumeric(20)
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = "\(requestID)"
    }
}
