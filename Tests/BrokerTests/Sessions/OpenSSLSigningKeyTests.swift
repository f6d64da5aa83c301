import JOSE
import Synchronization
import Testing

@testable import Broker

@Suite("RS256 by OpenSSL")
struct OpenSSLSigningKeyTests {
    private static let messages: [[UInt8]] = [
        [], [0], Array("eyJhbGciOiJSUzI1NiJ9.e30".utf8), [UInt8](repeating: 0xA5, count: 100_000),
    ]

    @Test func `OpenSSL and BoringSSL make the same signature, and it is valid`() throws {
        let key = try PrivateSigningKey.generate(.rs256)
        let openSSL = try #require(LibcryptoKey(takingOver: key), "libcrypto is one of the requirements of the tests")

        for message in Self.messages {
            let signature = try openSSL.sign(message)

            #expect(try signature == key.sign(message))
            #expect(key.publicKey.isValid(signature: signature, for: message))
            #expect(!key.publicKey.isValid(signature: signature, for: message + [1]))
        }
    }

    @Test(arguments: [true, false])
    func `a key goes over to libcrypto once, with its first signature, or stays`(isThere: Bool) async throws {
        let key = try PrivateSigningKey.generate(.rs256)
        let calls = Mutex(0)
        let signing = OpenSSLSigningKey(key) { key in
            calls.withLock { $0 += 1 }
            return isThere ? LibcryptoKey(takingOver: key) : nil
        }
        #expect(calls.withLock { $0 } == 0)

        let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 { group.addTask { try signing.sign([1, 2, 3]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        let expected = try key.sign([1, 2, 3])
        #expect(signatures == Array(repeating: expected, count: 16))
        #expect(calls.withLock { $0 } == 1)
        #expect(signing.algorithm == .rs256)
        #expect(signing.publicKey.isValid(signature: expected, for: [1, 2, 3]))
    }

    @Test func `a key that is no RSA key is refused by libcrypto's caller`() throws {
        let elliptic = try #require(LibcryptoKey(takingOver: try .generate(.es256)))

        #expect(throws: JOSEError.self) { try elliptic.sign([1]) }
    }
}
