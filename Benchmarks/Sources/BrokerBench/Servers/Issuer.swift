import BenchmarkLoad
import Crypto
import CryptoExtras
import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// An OpenID Connect provider as far as a sign-in by ID token needs one: discovery, a key set, and RS256 ID tokens.
///
/// The broker asks it once an hour at most, so it takes nothing from what is measured.
final class Issuer: Sendable {
    let url: String
    /// One for each person, in no order; good for the whole run.
    let idTokens: [String]
    private let people: Int
    /// How many users of the population lie between two people.
    private let spacing: Int
    private let signer: IDTokenSigner
    private let signed: Atomic<Int>
    private let serving: Task<Void, any Error>

    /// Starts it and signs a token for each of `people`, who are spread evenly over a `population`.
    init(people: Int, of population: Int? = nil) async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let keyID = UUID().uuidString
        let documents = IssuerDocuments()
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: documents.router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
            // Nobody wants to read of its connections between the tables.
            logger: Logger(label: "issuer") { _ in SwiftLogNoOpLogHandler() })
        serving = Task {
            defer { continuation.finish() }
            try await application.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            throw BenchmarkFailure("the issuer does not listen")
        }
        let url = "http://127.0.0.1:\(port)"
        self.url = url
        try documents.publish(url: url, keyID: keyID, key: key.publicKey)
        signer = IDTokenSigner(key: key, keyID: keyID, issuer: url)
        self.people = people
        spacing = max((population ?? people) / max(people, 1), 1)
        signed = Atomic(people)
        idTokens = try await signer.sign(0..<people, of: people, every: spacing)
    }

    /// ID tokens that were never used: a broker takes each only once. All people take turns, or the first so many.
    func freshTokens(_ count: Int, of people: Int? = nil) async throws -> [String] {
        let first = signed.wrappingAdd(count, ordering: .relaxed).oldValue
        return try await signer.sign(first..<first + count, of: people ?? self.people, every: spacing)
    }

    func stop() async {
        serving.cancel()
        _ = await serving.result
    }
}

/// What an ``Issuer`` publishes, once it knows its own URL.
private final class IssuerDocuments: Sendable {
    private let documents = Mutex<[String: String]>([:])

    func publish(url: String, keyID: String, key: _RSA.Signing.PublicKey) throws {
        let primitives = try key.getKeyPrimitives()
        let (modulus, exponent) = (Base64URL.encode(primitives.modulus), Base64URL.encode(primitives.publicExponent))
        documents.withLock { documents in
            documents["openid-configuration"] = """
                {"issuer":"\(url)","authorization_endpoint":"\(url)/authorize","token_endpoint":"\(url)/token",\
                "jwks_uri":"\(url)/.well-known/keys","id_token_signing_alg_values_supported":["RS256"]}
                """
            documents["keys"] = """
                {"keys":[{"kty":"RSA","alg":"RS256","use":"sig","kid":"\(keyID)","n":"\(modulus)","e":"\(exponent)"}]}
                """
        }
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        for name in ["openid-configuration", "keys"] {
            router.get(RouterPath(".well-known/\(name)")) { [self] _, _ in
                let text = documents.withLock { $0[name] ?? "" }
                return Response(
                    status: .ok, headers: [.contentType: "application/json"],
                    body: .init(byteBuffer: ByteBuffer(string: text)))
            }
        }
        return router
    }
}
