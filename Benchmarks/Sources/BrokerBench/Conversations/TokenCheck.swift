import BenchmarkLoad
import Crypto
import CryptoExtras
import Foundation
import NIOCore

/// Whether an ID token is signed by the broker that answered with it; not by code of the broker's.
struct TokenCheck: Sendable {
    private let keys: [String: Key]

    private enum Key: Sendable {
        case es256(P256.Signing.PublicKey)
        case rs256(_RSA.Signing.PublicKey)
    }

    /// Takes the keys a broker publishes at this moment.
    ///
    /// - Throws: when it has none that can be read.
    init(port: Int) async throws {
        let document = try await SingleRequest.get("/\(BrokerFiles.project)/.well-known/jwks.json", port: port)
        let set = try JSONDecoder().decode(KeySet.self, from: Data(document.readableBytesView))
        keys = try Dictionary(set.keys.map { ($0.kid, try Self.key($0)) }) { first, _ in first }
        guard !keys.isEmpty else { throw BenchmarkFailure("the broker publishes no key") }
    }

    /// - Throws: ``BenchmarkFailure`` unless `token` is signed by one of the keys.
    func callAsFunction(_ token: String) throws {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let signature = Base64URL.decode(parts[2])
        else { throw BenchmarkFailure("an ID token that is no JWT") }
        let keyID = try JSONDecoder().decode(Header.self, from: header).kid
        let input = Data("\(parts[0]).\(parts[1])".utf8)
        let isValid =
            switch keys[keyID] {
            case .es256(let key): try key.isValidSignature(.init(rawRepresentation: signature), for: input)
            case .rs256(let key):
                key.isValidSignature(.init(rawRepresentation: signature), for: input, padding: .insecurePKCS1v1_5)
            case nil: false
            }
        guard isValid else { throw BenchmarkFailure("an ID token that is not signed by a published key") }
    }

    private static func key(_ key: KeySet.Key) throws -> Key {
        func bytes(_ text: String?) throws(BenchmarkFailure) -> Data {
            guard let bytes = text.flatMap({ Base64URL.decode($0) }) else {
                throw BenchmarkFailure("a published key that cannot be read")
            }
            return bytes
        }
        if key.kty == "EC" { return .es256(try .init(rawRepresentation: bytes(key.x) + bytes(key.y))) }
        return .rs256(try .init(n: bytes(key.n), e: bytes(key.e)))
    }

    private struct Header: Decodable { let kid: String }

    private struct KeySet: Decodable {
        let keys: [Key]

        struct Key: Decodable {
            let kid: String
            let kty: String
            let x: String?
            let y: String?
            let n: String?
            let e: String?
        }
    }
}
