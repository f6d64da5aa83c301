public import ProviderKit

/// One address of a stand-in provider: what it answers, and what it may be told.
public struct ScriptedEndpoint: Sendable {
    /// What an endpoint has to be told for the protocol to work; whatever is not listed must never reach it.
    public enum Confidence: Sendable, Hashable {
        /// Our client's secret.
        case clientSecret
        /// A person's code, verifier or token.
        case personToken
    }

    /// What becomes of a request; its number counts this endpoint's requests from 0.
    typealias Answer = @Sendable (_ request: UpstreamRequest, _ number: Int) -> UpstreamResponse

    private enum Address: Hashable {
        /// The method and the URL without its query.
        case exactly(UpstreamRequest.Method, String)
        /// Any method, any URL with this in it.
        case containing(String)
    }

    private let address: Address
    private(set) var receives: Set<Confidence>
    let isDiscovery: Bool
    let answer: Answer

    /// An endpoint whose answer depends on the request.
    ///
    /// - Parameters:
    ///   - method: The only method it takes.
    ///   - url: Its absolute URL; a request may add a query.
    ///   - receives: What it may be told.
    ///   - isDiscovery: Whether its answers name further addresses that are to be trusted, as discovery documents do.
    ///   - answering: Makes the answer.
    public init(
        _ method: UpstreamRequest.Method, _ url: String, receives: Set<Confidence> = [], isDiscovery: Bool = false,
        answering: @escaping @Sendable (UpstreamRequest) -> UpstreamResponse
    ) {
        self.init(address: .exactly(method, url), receives, isDiscovery) { request, _ in answering(request) }
    }

    /// An endpoint that always answers the same; the parameters are those of the other initializer.
    public init(
        _ method: UpstreamRequest.Method, _ url: String, receives: Set<Confidence> = [], isDiscovery: Bool = false,
        _ answer: UpstreamResponse
    ) {
        self.init(method, url, receives: receives, isDiscovery: isDiscovery) { _ in answer }
    }

    /// Whatever has `text` in its URL gets these answers in order, the last one again and again.
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

    /// This endpoint in the place of another at the same address: it may be told whatever that one may.
    fileprivate func replacing(_ other: ScriptedEndpoint) -> ScriptedEndpoint {
        var copy = self
        copy.receives.formUnion(other.receives)
        return copy
    }

    fileprivate func isAtAddress(of other: ScriptedEndpoint) -> Bool { address == other.address }

    /// How closely this endpoint's address fits a request; `nil` when it does not.
    func fit(_ request: UpstreamRequest) -> Int? {
        switch address {
        case .exactly(let method, let url):
            let asked = request.url.utf8.prefix { $0 != UInt8(ascii: "?") }
            return method == request.method && asked.elementsEqual(url.utf8) ? Int.max : nil
        case .containing(let text): return request.url.contains(text) ? text.utf8.count : nil
        }
    }
}

extension [ScriptedEndpoint] {
    /// These endpoints, with some of them answering otherwise.
    func replacing(_ others: [ScriptedEndpoint]) -> [ScriptedEndpoint] {
        filter { endpoint in !others.contains { $0.isAtAddress(of: endpoint) } }
            + others.map { other in first { $0.isAtAddress(of: other) }.map(other.replacing) ?? other }
    }
}
