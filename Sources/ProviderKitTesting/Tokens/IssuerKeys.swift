public import Foundation
import JOSE
public import ProviderKit
import Synchronization

/// The keys of a simulated issuer, and its tokens, valid or forged.
public final class IssuerKeys: Sendable {
    /// The format of the issuer's key ids.
    public enum KeyIDStyle: Sendable, Hashable {
        /// 43 characters of base64url, like a SHA-256 thumbprint.
        case thumbprint
        /// Letters and digits, like Apple's ten.
        case alphanumeric(count: Int)
        /// Lower-case hexadecimal digits, like 1Pass's sixteen.
        case hexadecimal(count: Int)
    }

    private struct State {
        /// The keys; the first one signs.
        var keys: [(keyID: String, key: IssuerKey)]
        /// Further entries of the document: unused or invalid keys.
        var decoys: [JSONValue] = []
    }

    private let style: KeyIDStyle
    private let makeKey: @Sendable () -> IssuerKey
    private let state: Mutex<State>

    /// Makes an issuer with its first key.
    public convenience init(style: KeyIDStyle = .thumbprint, algorithm: IDTokenPolicy.Algorithm = .rs256) {
        self.init(style) { .pair(TestKeys.next(algorithm)) }
    }

    /// Makes an issuer that signs with the secret of its one client (HS256) and publishes no key.
    public convenience init(clientSecret: String) {
        self.init(.thumbprint) { .shared(secret: clientSecret) }
    }

    private init(_ style: KeyIDStyle, _ makeKey: @escaping @Sendable () -> IssuerKey) {
        self.style = style
        self.makeKey = makeKey
        state = Mutex(State(keys: [(Self.keyID(style), makeKey())]))
    }

    /// The id of the signing key.
    public var currentKeyID: String { state.withLock { $0.keys[0].keyID } }

    /// The published set (RFC 7517 §5), decoys included.
    public var document: JSONValue {
        state.withLock { state in
            let keys = state.keys.compactMap { $0.key.published(keyID: $0.keyID) }
            return ["keys": .array(keys + state.decoys)]
        }
    }

    /// Rotates the signing key; the earlier keys stay published.
    public func rotate() {
        state.withLock { $0.keys.insert((Self.keyID(style), makeKey()), at: 0) }
    }

    /// Publishes only the signing key.
    public func retireEarlierKeys() {
        state.withLock { $0.keys = Array($0.keys.prefix(1)) }
    }

    /// Publishes an additional entry.
    public func publish(_ decoy: JSONValue) {
        state.withLock { $0.decoys.append(decoy) }
    }

    /// Publishes a valid key that never signs, and returns its id.
    @discardableResult
    public func publishUnusedKey(_ algorithm: IDTokenPolicy.Algorithm = .rs256) -> String {
        let keyID = Self.keyID(style)
        if let key = try? TestKeys.foreign(algorithm).publicKey.jwk(keyID: keyID).jsonValue { publish(key) }
        return keyID
    }

    /// Removes all additional entries.
    public func removeDecoys() {
        state.withLock { $0.decoys = [] }
    }

    /// Signs a token.
    ///
    /// - Parameters:
    ///   - claims: The claims of a valid token.
    ///   - type: The header's `typ`.
    ///   - forgery: The fault of the token.
    ///   - now: The issuer's time.
    /// - Returns: The token, in compact form.
    public func token(
        _ claims: JSONObject, type: String? = "JWT", forging forgery: IDTokenForgery? = nil, now: Date = Date()
    ) -> String {
        let (keyID, key) = state.withLock { $0.keys[0] }
        let forge = TokenForge(keyID: keyID, key: key, type: type)
        let spoilt = forgery?.spoil(claims, now: Int64(now.timeIntervalSince1970)) ?? claims
        return forge.token(spoilt, forging: forgery)
    }

    private static func keyID(_ style: KeyIDStyle) -> String {
        func draw(_ alphabet: String, _ count: Int) -> String {
            let letters = Array(alphabet)
            return String((0..<count).map { _ in letters[Int.random(in: letters.indices)] })
        }
        return switch style {
        case .thumbprint:
            draw("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 43)
        case .alphanumeric(let count): draw("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", count)
        case .hexadecimal(let count): draw("0123456789abcdef", count)
        }
    }
}
