import HTTPTypes
import HummingbirdCore

/// The paths while they are added.
final class Routes {
    typealias Handler = @Sendable (Request, BrokerRequestContext) async throws -> Response
    /// The handler of an answer that is at hand: it awaits nothing, notes nothing of the request, and logs nothing.
    typealias ImmediateHandler = @Sendable (Request, BrokerRequestContext) throws -> Response

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
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, with names in braces where it has values.
    ///   - envelope: The form of its errors; that of ``init(_:)`` when absent.
    ///   - pages: The pages whose scripts may call it.
    ///   - counting: How its requests count against the rate limits.
    ///   - takesLong: Whether the handler may compute for more than a millisecond. It then runs on threads of its own,
    ///     because the other connections of its event loop would wait for it.
    ///   - handler: Answers a request.
    func on(
        _ method: HTTPRequest.Method, _ path: String, in envelope: ErrorEnvelope? = nil,
        pages: CrossOrigin.Pages = .ofAPIKeys, counting: Counting = .unproven, takesLong: Bool = false,
        _ handler: @escaping Handler
    ) {
        let handler = takesLong ? Self.onThreadPool(handler) : handler
        table.add(method, path, in: envelope, pages: pages, .awaited(Self.counted(handler, counting)))
    }

    private static func onThreadPool(_ handler: @escaping Handler) -> Handler {
        { request, context in
            try await withTaskExecutorPreference(globalConcurrentExecutor) { try await handler(request, context) }
        }
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

    /// Adds a public document, with GET and HEAD (RFC 9110 §9.3.2). It is public and at hand, so it counts against no limit.
    func document(_ path: String, pages: CrossOrigin.Pages = .ofAPIKeys, _ handler: @escaping ImmediateHandler) {
        for method in [HTTPRequest.Method.get, .head] { table.add(method, path, pages: pages, .immediate(handler)) }
    }
}

/// The paths the broker serves, with their methods.
///
/// A path that is in no table answers 404, and a method that is not among those of its path 405, in the envelope of
/// the API.
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
        pages: CrossOrigin.Pages = .ofAPIKeys, _ handler: Operation.Handler
    ) {
        let operation = Operation(
            method: method, metrics: RouteMetrics(route: path, method: method.rawValue), handler: handler)
        let match = Match(
            template: path, operations: [operation], envelope: envelope ?? self.envelope, pages: pages)
        if path.contains("{") {
            patterns.append((Self.parts(path).map(Segment.init), match))
        } else if literals[path]?.operations.append(operation) == nil {
            literals[path] = match
        }
    }

    /// A part of a path between slashes.
    private struct Segment {
        /// The name in braces, whose value has any characters.
        let parameter: String?
        /// The whole of it, or what follows the braces, such as the verb in `{project}:createSessionCookie`.
        let text: Substring

        init(_ part: Substring) {
            let end = part.first == "{" ? part.firstIndex(of: "}") : nil
            parameter = end.map { String(part[part.index(after: part.startIndex)..<$0]) }
            text = end.map { part[part.index(after: $0)...] } ?? part
        }

        func matches(_ part: Substring) -> Bool {
            guard parameter != nil else { return part == text }
            return part.utf8.count > text.utf8.count && part.hasSuffix(text)
        }

        /// The parameter's value in a part that matches.
        func value(in part: Substring) -> String { String(part.dropLast(text.count)) }
    }

    /// The handler of one method of a path.
    struct Operation: Sendable {
        enum Handler: Sendable {
            case immediate(Routes.ImmediateHandler)
            case awaited(Routes.Handler)
        }

        let method: HTTPRequest.Method
        let metrics: RouteMetrics
        let handler: Handler
    }

    /// A path that is served.
    struct Match: Sendable {
        /// The path as it was registered, with names in place of values.
        let template: String
        fileprivate(set) var operations: [Operation]
        let envelope: ErrorEnvelope
        /// The pages whose scripts may call it.
        let pages: CrossOrigin.Pages
        /// The values of the template's names.
        fileprivate(set) var parameters: [String: String] = [:]

        var methods: [HTTPRequest.Method] { operations.map(\.method) }

        /// The handler of a method; nil for a method that the path does not have.
        func operation(_ method: HTTPRequest.Method) -> Operation? { operations.first { $0.method == method } }
    }

    /// Each path once, with all its methods.
    var all: [Match] {
        var byTemplate = literals
        byTemplate.merge(patterns.map { ($0.match.template, $0.match) }) { first, next in
            var merged = first
            merged.operations += next.operations
            return merged
        }
        return Array(byTemplate.values)
    }

    /// The parts between the slashes. Empty parts count: `//` and a slash at the end make another path (RFC 3986 §3.3),
    /// as they do for literals.
    private static func parts(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The entry of a path; `nil` for an unknown path.
    func match(_ path: String) -> Match? {
        if let match = literals[path] { return match }
        let parts = Self.parts(path)
        let hits = patterns.filter { pattern in
            pattern.segments.count == parts.count && zip(pattern.segments, parts).allSatisfy { $0.matches($1) }
        }
        guard var match = hits.first?.match else { return nil }
        for other in hits.dropFirst() { match.operations += other.match.operations }
        for (segment, part) in hits.flatMap({ zip($0.segments, parts) }) {
            guard let name = segment.parameter else { continue }
            match.parameters[name] = segment.value(in: part)
        }
        return match
    }
}
