import Crypto
import JOSE
public import ProviderKit

extension AppleSimulator {
    /// A private key as the developer site hands it out once, in a `.p8` file; made when it is asked for.
    public struct Key: Sendable, Hashable {
        /// The key's id (`kid`), ten characters.
        public let keyID: String
        /// The team whose clients it speaks for; empty for the simulator's own.
        public var teamID: String
        /// The App ID it was made for; `nil` for all of the team's.
        public let primaryAppID: String?
        /// The file's text: PKCS#8 in PEM.
        public let pem: String

        /// Makes a new key.
        ///
        /// - Parameters:
        ///   - keyID: What it is called; random unless given.
        ///   - teamID: The team it belongs to; empty for the simulator's own.
        ///   - primaryAppID: The App ID whose group it is for.
        public init(keyID: String? = nil, teamID: String = "", primaryAppID: String? = nil) {
            self.keyID = keyID ?? RandomText.capital(10)
            self.teamID = teamID
            self.primaryAppID = primaryAppID
            pem = P256.Signing.PrivateKey().pemRepresentation
        }

        /// A key that was made before.
        ///
        /// - Throws: swift-crypto's error when `pem` is no private key.
        public init(pem: String, keyID: String, teamID: String) throws {
            self.pem = try P256.Signing.PrivateKey(pemRepresentation: pem).pemRepresentation
            self.keyID = keyID
            self.teamID = teamID
            primaryAppID = nil
        }
    }

    /// A public key that is none: neither PEM nor a JSON Web Key for ES256.
    public struct UnusableKey: Error, Sendable, Hashable {}

    /// Registers a key of which only the public half is at hand, as PEM.
    ///
    /// - Throws: ``UnusableKey``.
    public func register(
        publicKeyPEM pem: String, keyID: String, teamID: String? = nil, primaryAppID: String? = nil
    ) throws(UnusableKey) {
        guard let key = AppleClientKey(pem: pem, teamID: teamID ?? self.teamID, primaryAppID: primaryAppID) else {
            throw UnusableKey()
        }
        core.withState { $0.keys[keyID] = key }
    }

    /// Registers a key of which only the public half is at hand, as a JSON Web Key (RFC 7517).
    ///
    /// - Throws: ``UnusableKey``.
    public func register(
        publicJWK jwk: JSONValue, keyID: String, teamID: String? = nil, primaryAppID: String? = nil
    ) throws(UnusableKey) {
        guard let key = try? JSONWebKey(importing: jwk).key, key.algorithm == .es256 else { throw UnusableKey() }
        register(key: key, keyID: keyID, teamID: teamID, primaryAppID: primaryAppID)
    }

    /// Registers a key, or replaces the one of the same name.
    @discardableResult
    public func register(_ key: Key) -> Key {
        var key = key
        if key.teamID.isEmpty { key.teamID = teamID }
        guard let privateKey = try? P256.Signing.PrivateKey(pemRepresentation: key.pem) else { return key }
        register(
            key: .es256(privateKey.publicKey), keyID: key.keyID, teamID: key.teamID, primaryAppID: key.primaryAppID)
        return key
    }

    /// Revokes a key, as a developer can on Apple's site: nothing it signs counts any more.
    public func revoke(keyID: String) {
        core.withState { $0.keys[keyID]?.isRevoked = true }
    }

    private func register(key: PublicVerificationKey, keyID: String, teamID: String?, primaryAppID: String?) {
        let registered = AppleClientKey(key: key, teamID: teamID ?? self.teamID, primaryAppID: primaryAppID)
        core.withState { $0.keys[keyID] = registered }
    }
}
