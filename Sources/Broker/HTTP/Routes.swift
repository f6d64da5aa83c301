import HTTPTypes
import Hummingbird

/// A router that records its paths, so that a wrong method answers 405 and an unknown path 404 in the envelope of the API.
final class Routes {
    typealias Handler = @Sendable (Request, BrokerRequestContext) async throws -> Response

    let router = Router(context: BrokerRequestContext.self)
    private(set) var table: RouteTable

    /// - Parameter envelope: The form of errors at paths that name none.
    init(_ envelope: ErrorEnvelope) {
        table = RouteTable(envelope)
    }

    /// How the requests of a path count against the rate limits.
    enum Counting: Sendable {
        /// Against their address, before the handler begins: the path takes no proof.
        case unproven
        /// By what they prove: the handler has it checked, and what proves nothing is counted at the end.
        case byProof
        /// Not at all: the answer is public and costs nothing.
        case none
    }

    /// Adds a handler at one path.
    func on(
        _ method: HTTPRequest.Method, _ path: String, in envelope: ErrorEnvelope? = nil,
        pages: CrossOrigin.Pages = .ofAPIKeys, counting: Counting = .unproven, _ handler: @escaping Handler
    ) {
        router.on(RouterPath(path), method: method, use: Self.counted(handler, counting))
        table.add(method, path, in: envelope, pages: pages)
    }

    private static func counted(_ handler: @escaping Handler, _ counting: Counting) -> Handler {
        switch counting {
        case .none: handler
        case .unproven:
            { request, context in
                try RequestAdmission.current?.countUnproven()
                return try await handler(request, context)
            }
        case .byProof:
            { request, context in
                let response = try await handler(request, context)
                RequestAdmission.current?.end()
                return response
            }
        }
    }

    /// Adds a public document, with GET and HEAD (RFC 9110 §9.3.2).
    func document(_ path: String, pages: CrossOrigin.Pages = .ofAPIKeys, _ handler: @escaping Handler) {
        on(.get, path, pages: pages, counting: .none, handler)
        on(.head, path, pages: pages, counting: .none) { try await handler($0, $1).createHeadResponse() }
    }
}

/// The paths the broker serves, with their methods.
struct RouteTable: Sendable {
    private var literals: [String: Match] = [:]
    private var patterns: [(segments: [Segment], match: Match)] = []
    /// The form of errors at paths that name none, and at unknown paths.
    let envelope: ErrorEnvelope

    init(_ envelope: ErrorEnvelope) {
        self.envelope = envelope
    }

    mutating func add(
        _ method: HTTPRequest.Method, _ path: String, in envelope: ErrorEnvelope? = nil,
        pages: CrossOrigin.Pages = .ofAPIKeys
    ) {
        let match = Match(
            template: path, methods: [method], envelope: envelope ?? self.envelope, pages: pages,
            metrics: [RouteMetrics(route: path, method: method.rawValue)])
        if path.contains("{") {
            patterns.append((path.split(separator: "/").map(Segment.init), match))
        } else if literals[path]?.add(match) == nil {
            literals[path] = match
        }
    }

    /// A part of a path between slashes.
    private struct Segment {
        /// A name in braces, whose value has any characters.
        let isParameter: Bool
        /// The whole of it, or what follows the braces, such as the verb in `{project}:createSessionCookie`.
        let text: Substring

        init(_ part: Substring) {
            let end = part.first == "{" ? part.firstIndex(of: "}") : nil
            isParameter = end != nil
            text = end.map { part[part.index(after: $0)...] } ?? part
        }

        func matches(_ part: Substring) -> Bool {
            guard isParameter else { return part == text }
            return part.utf8.count > text.utf8.count && part.hasSuffix(text)
        }
    }

    /// A path that is served.
    struct Match {
        /// The path as it was registered, with names in place of values.
        let template: String
        var methods: [HTTPRequest.Method]
        let envelope: ErrorEnvelope
        /// The pages whose scripts may call it.
        let pages: CrossOrigin.Pages
        /// Those of the methods, in their order.
        fileprivate var metrics: [RouteMetrics]

        /// What is counted of requests with a method.
        func metrics(of method: HTTPRequest.Method) -> RouteMetrics {
            methods.firstIndex(of: method).map { metrics[$0] } ?? .unmatched
        }

        fileprivate mutating func add(_ other: Match) {
            methods += other.methods
            metrics += other.metrics
        }
    }

    /// Each path once, with all its methods.
    var all: [Match] {
        var byTemplate = literals
        byTemplate.merge(patterns.map { ($0.match.template, $0.match) }) { first, next in
            var merged = first
            merged.add(next)
            return merged
        }
        return Array(byTemplate.values)
    }

    /// The entry of a path; `nil` for an unknown path.
    func match(_ path: String) -> Match? {
        if let match = literals[path] { return match }
        let segments = path.split(separator: "/")
        let hits = patterns.filter { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { $0.matches($1) }
        }
        guard var match = hits.first?.match else { return nil }
        for other in hits.dropFirst() { match.add(other.match) }
        return match
    }
}
