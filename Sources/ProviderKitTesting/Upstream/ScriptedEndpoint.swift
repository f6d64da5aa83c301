public import ProviderKit

/// An endpoint of a scripted provider: its responses, and the secrets it receives.
public struct ScriptedEndpoint: Sendable {
    /// A secret that the protocol sends to an endpoint. Without a user's token the endpoint refuses a request; other
    /// secrets must not reach it.
    public enum Confidence: Sendable, Hashable {
        /// Our client's secret.
        case clientSecret
        /// A user's code, verifier or token.
        case personToken
    }

    /// Makes the response to a request, by the number of the endpoint's request from 0.
    typealias Answer = @Sendable (_ request: UpstreamRequest, _ number: Int) -> UpstreamResponse

    private enum Address: Hashable {
        /// The method and the URL without its query.
        case exactly(UpstreamRequest.Method, String)
        /// Any method, any URL that contains the text.
        case containing(String)
    }

    private let address: Address
    private(set) var receives: Set<Confidence>
    let isDiscovery: Bool
    let answer: Answer
    /// The user of the requests instead of the script's.
    private var exchange: UserExchange?

    /// Makes an endpoint whose response depends on the request.
    ///
    /// - Parameters:
    ///   - method: The only accepted method.
    ///   - url: Its absolute URL; a request may add a query.
    ///   - receives: The secrets that it needs, and alone may receive.
    ///   - isDiscovery: Whether its responses name further trusted addresses, like discovery documents.
    ///   - answering: Makes the response.
    public init(
        _ method: UpstreamRequest.Method, _ url: String, receives: Set<Confidence> = [], isDiscovery: Bool = false,
        answering: @escaping @Sendable (UpstreamRequest) -> UpstreamResponse
    ) {
        self.init(address: .exactly(method, url), receives, isDiscovery) { request, _ in answering(request) }
    }

    /// Makes an endpoint with a constant response; the parameters are those of the other initializer.
    public init(
        _ method: UpstreamRequest.Method, _ url: String, receives: Set<Confidence> = [], isDiscovery: Bool = false,
        _ answer: UpstreamResponse
    ) {
        self.init(method, url, receives: receives, isDiscovery: isDiscovery) { _ in answer }
    }

    /// Makes an endpoint for all URLs that contain `text`, with these responses in order; the last one repeats.
    init(containing text: String, _ answers: [UpstreamResponse]) {
        self.init(address: .containing(text), [.clientSecret, .personToken], false) { _, number in
            answers.isEmpty ? .status(404) : answers[min(number, answers.count - 1)]
        }
    }

    private init(address: Address, _ receives: Set<Confidence>, _ isDiscovery: Bool, answer: @escaping Answer) {
        self.address = address
        self.receives = receives
        self.isDiscovery = isDiscovery
        self.answer = answer
    }

    /// This endpoint as the replacement of another at the same address, with the same allowed secrets.
    fileprivate func replacing(_ other: ScriptedEndpoint) -> ScriptedEndpoint {
        var copy = self
        copy.receives.formUnion(other.receives)
        return copy
    }

    /// This endpoint for another user, whose values replace those of the script's user in requests and responses.
    func exchanging(_ exchange: UserExchange) -> ScriptedEndpoint {
        let answer = answer
        var copy = ScriptedEndpoint(address: address, receives, isDiscovery) { request, number in
            exchange.forward(answer(exchange.backward(request), number))
        }
        copy.exchange = exchange
        return copy
    }

    /// This endpoint while the provider is unavailable.
    var unavailable: ScriptedEndpoint {
        ScriptedEndpoint(address: address, receives, isDiscovery) { _, _ in .status(503) }
    }

    func isAtAddress(of other: ScriptedEndpoint) -> Bool { address == other.address }

    /// The length of the match with a request; `nil` without a match.
    func fit(_ request: UpstreamRequest) -> Int? {
        let request = exchange?.backward(request) ?? request
        switch address {
        case .exactly(let method, let url):
            let asked = request.url.utf8.prefix { $0 != UInt8(ascii: "?") }
            return method == request.method && asked.elementsEqual(url.utf8) ? Int.max : nil
        case .containing(let text): return request.url.contains(text) ? text.utf8.count : nil
        }
    }
}

extension [ScriptedEndpoint] {
    /// These endpoints, with some of them replaced.
    func replacing(_ others: [ScriptedEndpoint]) -> [ScriptedEndpoint] {
        filter { endpoint in !others.contains { $0.isAtAddress(of: endpoint) } }
            + others.map { other in first { $0.isAtAddress(of: other) }.map(other.replacing) ?? other }
    }
}
