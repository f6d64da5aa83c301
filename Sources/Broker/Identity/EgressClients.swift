import AsyncHTTPClient
import Foundation
import NIOCore

/// The HTTP clients of this process: one per address policy, shared by all providers.
///
/// Redirects are off, answers stay compressed as they come, proxies from the environment are ignored: what is asked is
/// what was configured.
package struct EgressClients: Sendable {
    private let publicInternet: HTTPClient
    private let loopback: HTTPClient
    private let privateHosts: [String: HTTPClient]

    package init(privateNetworks: [String: [AddressRange]] = [:]) {
        publicInternet = Self.client(.publicInternet)
        loopback = Self.client(.loopback)
        privateHosts = Dictionary(
            privateNetworks.map { ($0.key.lowercased(), Self.client(.ranges($0.value))) },
            uniquingKeysWith: { _, new in new })
    }

    /// The client for a host of an entry.
    func client(host: String, allowsLoopback: Bool) -> HTTPClient {
        if let client = privateHosts[host] { return client }
        return allowsLoopback ? loopback : publicInternet
    }

    package func shutdown() async {
        for client in [publicInternet, loopback] + privateHosts.values {
            try? await client.shutdown()
        }
    }

    private static func client(_ policy: AddressPolicy) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(3), read: .seconds(5))
        configuration.httpVersion = .http1Only
        // A provider that refuses connections is down: its callers learn it now, not after three seconds of trying.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
        configuration.http1_1ConnectionDebugInitializer = { channel in
            guard policy.allows(channel.remoteAddress) else {
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RefusedConnection(), position: .first)
                }
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}

/// The provider's host name led to an address the operator has not allowed.
struct AddressNotAllowed: Error {}

/// Lets nothing out to an address that is not allowed: the first write ends the connection.
///
/// The initializer itself must not fail. The client would then try again for three seconds, never close what it has
/// opened, and end the process when the other side closes it first.
private final class RefusedConnection: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = Any

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.fail(AddressNotAllowed())
        context.fireErrorCaught(AddressNotAllowed())
        context.close(promise: nil)
    }
}
