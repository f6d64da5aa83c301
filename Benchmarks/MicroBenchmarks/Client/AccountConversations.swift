import NIOCore
import NIOHTTP1
import ProviderKit

/// `accounts:lookup` with one ID token after the other.
struct LookupConversation: Conversation {
    private let head = HTTPRequestHead.benchmark(
        .POST, "/v1/accounts:lookup?key=\(BenchmarkBroker.apiKey)", contentType: "application/json")
    private let bodies: Ring<ByteBuffer>

    init(idTokens: [String]) {
        bodies = Ring(idTokens.map { ByteBuffer(string: #"{"idToken":"\#($0)"}"#) })
    }

    func ask() -> (head: HTTPRequestHead, body: ByteBuffer?, turn: Void) { (head, bodies.take().value, ()) }

    func accept(_ body: ByteBuffer, of turn: Void) throws(BenchmarkFailure) {
        guard body.readableBytesView.starts(with: #"{"kind":"#.utf8) else {
            throw BenchmarkFailure("an answer without kind")
        }
    }
}

/// The exchange of refresh tokens, each for its successor, as SDKs do it: a form in, JSON out.
struct RefreshConversation: Conversation {
    private let head = HTTPRequestHead.benchmark(
        .POST, "/v1/token?key=\(BenchmarkBroker.apiKey)", contentType: "application/x-www-form-urlencoded")
    private let tokens: Ring<String>

    init(refreshTokens: [String]) {
        tokens = Ring(refreshTokens)
    }

    func ask() -> (head: HTTPRequestHead, body: ByteBuffer?, turn: Int) {
        let (place, token) = tokens.take()
        return (head, ByteBuffer(string: "grant_type=refresh_token&refresh_token=\(token)"), place)
    }

    func accept(_ body: ByteBuffer, of turn: Int) throws {
        guard let successor = try JSONValue(parsing: body.readableBytesView)["refresh_token"]?.string else {
            throw BenchmarkFailure("an answer without refresh token")
        }
        tokens.put(successor, at: turn)
    }
}
