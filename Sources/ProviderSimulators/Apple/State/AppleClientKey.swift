import Crypto
import JOSE

/// A registered key: what client secrets are checked with.
struct AppleClientKey: Sendable {
    let key: PublicVerificationKey
    let teamID: String
    let primaryAppID: String?
    var isRevoked = false

    init(key: PublicVerificationKey, teamID: String, primaryAppID: String?) {
        self.key = key
        self.teamID = teamID
        self.primaryAppID = primaryAppID
    }

    /// A key by its public half in PEM; `nil` when the text is none for P-256.
    init?(pem: String, teamID: String, primaryAppID: String? = nil) {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else { return nil }
        self.init(key: .es256(key), teamID: teamID, primaryAppID: primaryAppID)
    }
}
