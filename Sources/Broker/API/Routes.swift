import HTTPTypes
import Hummingbird

/// The router with a memory of what it serves, so that a wrong method answers 405 and an unknown path 404, both in the
/// envelope.
final class Routes {
    typealias Handler = @Sendable (Request, BrokerRequestContext) async throws -> Response

    let router = Router(context: BrokerRequestContext.self)
    private(set) var table = RouteTable()

    /// A path that stands on its own.
    func on(
        _ method: HTTPRequest.Method, _ path: String, in envelope: ErrorEnvelope = .identityToolkit,
        isPage: Bool = false, _ handler: @escaping Handler
    ) {
        router.on(RouterPath(path), method: method, use: handler)
        table.add(method, path, in: envelope, isPage: isPage)
    }

    /// A document that anybody may read, or ask for the head of (RFC 9110 §9.3.2).
    func document(_ path: String, _ handler: @escaping Handler) {
        on(.get, path, handler)
        on(.head, path) { try await handler($0, $1).createHeadResponse() }
    }

    /// An Identity Toolkit path, bare and under the production host's name as unmodified SDKs send it.
    func identityToolkit(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        on(method, path, handler)
        on(method, "/identitytoolkit.googleapis.com" + path, handler)
    }

    /// An `accounts:` method with the name the legacy v3 API has for it.
    func account(_ name: String, legacy: String?, _ handler: @escaping Handler) {
        identityToolkit(.post, "/v1/accounts:\(name)", handler)
        guard let legacy else { return }
        on(.post, "/identitytoolkit/v3/relyingparty/\(legacy)", handler)
        on(.post, "/www.googleapis.com/identitytoolkit/v3/relyingparty/\(legacy)", handler)
    }
}

/// What the clients of a path read errors in.
enum ErrorEnvelope: Sendable {
    /// Contract §1.5.
    case identityToolkit
    /// RFC 6749 §5.2.
    case oauth
}

/// The paths the broker serves, with their methods.
struct RouteTable: Sendable {
    private var literals: [String: Match] = [:]
    private var patterns: [(segments: [Substring], match: Match)] = []

    mutating func add(
        _ method: HTTPRequest.Method, _ path: String, in envelope: ErrorEnvelope = .identityToolkit,
        isPage: Bool = false
    ) {
        let match = Match(template: path, methods: [method], envelope: envelope, isPage: isPage)
        if path.contains("{") {
            patterns.append((path.split(separator: "/"), match))
        } else if literals[path]?.methods.append(method) == nil {
            literals[path] = match
        }
    }

    /// A path that is served.
    struct Match {
        /// As it was registered, without anybody's values in it.
        let template: String
        var methods: [HTTPRequest.Method]
        var envelope = ErrorEnvelope.identityToolkit
        /// Whether browsers open it as a page, as opposed to apps that call it.
        var isPage = false
    }

    /// What serves a path; `nil` when nothing does.
    func match(_ path: String) -> Match? {
        if let match = literals[path] { return match }
        let segments = path.split(separator: "/")
        let hits = patterns.filter { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        guard var match = hits.first?.match else { return nil }
        match.methods = hits.flatMap(\.match.methods)
        return match
    }
}
