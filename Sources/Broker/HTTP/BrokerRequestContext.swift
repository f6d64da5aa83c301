import BrokerStore
import HTTPTypes

/// The context of a request: its id, its client and the values in its path.
struct BrokerRequestContext: Sendable {
    let client: RequestClient
    /// For logs, audit rows and the `X-Request-Id` of the answer. It is random: numbers in sequence would disclose how
    /// many requests there are.
    let requestID: String
    /// The values of the names in the route's template, as they were sent.
    let parameters: [String: String]
    /// Few routes read one, so that nothing is read in advance.
    private let fields: HTTPFields

    init(
        client: RequestClient, requestID: String, parameters: [String: String] = [:], fields: HTTPFields = [:]
    ) {
        self.client = client
        self.requestID = requestID
        self.parameters = parameters
        self.fields = fields
    }

    /// The reason an administrator makes the request.
    var reason: String? { AdministratorReason.of(fields) }

    /// The client's device and address, behind trusted proxies.
    var device: ClientDevice { ClientDevice(userAgent: fields.value(of: .userAgent), address: client.address) }
}
