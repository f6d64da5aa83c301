import BrokerStore
import Logging

/// The context of a request: its id, its client and the values in its path.
struct BrokerRequestContext: Sendable {
    let client: RequestClient
    /// For logs, audit rows and the `X-Request-Id` of the answer. It is random: numbers in sequence would disclose how
    /// many requests there are.
    let requestID: String
    /// The values of the names in the route's template, as they were sent.
    let parameters: [String: String]
    /// The reason an administrator makes the request.
    let reason: String?
    private let userAgent: String?

    init(
        client: RequestClient, requestID: String, parameters: [String: String] = [:], reason: String? = nil,
        userAgent: String? = nil
    ) {
        self.client = client
        self.requestID = requestID
        self.parameters = parameters
        self.reason = reason
        self.userAgent = userAgent
    }

    /// The client's device and address, behind trusted proxies.
    var device: ClientDevice { ClientDevice(userAgent: userAgent, address: client.address) }
}
