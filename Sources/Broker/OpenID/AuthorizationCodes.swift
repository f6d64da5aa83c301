package import BrokerStore
import Crypto
import Foundation

/// Makes authorization codes: 256 random bits, of which the store has the hash.
package enum AuthorizationCodes {
    /// How long a code may be exchanged: as long as a browser needs to bring it to the client.
    package static let lifetime = Duration.seconds(60)

    /// A new code for a grant, and its row, to be inserted in the transaction of the decision.
    package static func make(
        _ grant: AuthorizationGrant, key: Int64, at now: Timestamp
    ) -> (code: String, row: AuthorizationCode) {
        let code = RandomText.secret()
        let row = AuthorizationCode(
            key: key, codeHash: RandomText.hash(of: code), clientID: grant.clientID,
            redirectURI: grant.redirectURI.text,
            codeChallenge: grant.codeChallenge?.text ?? AuthorizationCode.noChallenge, scope: grant.scopes.text,
            nonce: grant.nonce,
            userKey: grant.userKey, epoch: grant.epoch, provider: grant.provider, authTime: grant.authTime,
            authenticationMethods: grant.authenticationMethods.joined(separator: " "), sessionID: grant.sessionID,
            parentID: grant.parentID, createdAt: now, expiresAt: now.advanced(by: lifetime))
        return (code, row)
    }
}
