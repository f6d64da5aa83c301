import Foundation
import ProviderKit
import ProviderKitTesting
import Synchronization

/// What 1Pass signs with: RSA keys with hexadecimal names, published beside a key of another type, which clients have
/// to pass over. An earlier key stays published for ninety days.
final class OnePassKeys: Sendable {
    private static let grace: TimeInterval = 90 * 86_400

    let idTokens: IDTokenMint
    let accessTokens: IDTokenMint
    private let issuer: IssuerKeys
    private let rotatedAt = Mutex<Date?>(nil)

    init() {
        issuer = IssuerKeys(style: .hexadecimal(count: 16))
        issuer.publishUnusedKey(.es256)
        idTokens = IDTokenMint(keys: issuer)
        accessTokens = IDTokenMint(keys: issuer)
    }

    /// Signs with a new key from now on.
    func rotate(now: Date) {
        issuer.rotate()
        rotatedAt.withLock { $0 = now }
    }

    /// The published set.
    func document(now: Date) -> JSONValue {
        let isGraceOver = rotatedAt.withLock { $0.map { now >= $0.addingTimeInterval(Self.grace) } ?? false }
        if isGraceOver { issuer.retireEarlierKeys() }
        return issuer.document
    }

    /// The keys themselves, for tests that publish nonsense among them.
    var issuerKeys: IssuerKeys { issuer }
}
