import Crypto
import Foundation
import JOSE
import ProviderKit

/// What an ID token is made of, besides the person.
struct AppleClaims: Sendable {
    let personID: String
    let clientID: String
    let nonce: String?
    /// What `at_hash` is of.
    var accessToken: String?
    /// What `c_hash` is of.
    var code: String?
    /// Whether a device says for the first time what it makes of the person.
    var isFirstOnDevice = false

    /// The claims of an honest token.
    func object(_ apple: inout AppleState, now: Date) -> JSONObject {
        let key = apple.key(personID, clientID)
        let time = now.epochSeconds
        var claims: JSONObject = [
            "iss": .string(apple.issuer), "aud": .string(clientID),
            "exp": .integer(time + apple.behaviour.idTokenLifetime), "iat": .integer(time),
            "sub": .string(apple.account(key).subject), "auth_time": .integer(time),
        ]
        claims["at_hash"] = accessToken.map(Self.halfHash)
        claims["c_hash"] = code.map(Self.halfHash)
        let booleans = apple.behaviour.booleans
        if apple.behaviour.supportsNonce { claims["nonce"] = nonce.map(JSONValue.string) }
        // A token that cannot carry one says so in every style.
        let support = booleans.value(apple.behaviour.supportsNonce)
        claims["nonce_supported"] = apple.behaviour.supportsNonce ? support : support ?? false
        if let address = apple.address(key) {
            claims["email"] = .string(address.email)
            claims["email_verified"] = booleans.value(address.isVerified)
            claims["is_private_email"] = address.isPrivate ? booleans.value(true) : nil
        }
        let person = apple.person(personID)
        claims["org_id"] = person?.organizationID.map(JSONValue.string)
        if isFirstOnDevice { claims["real_user_status"] = person.map { .integer($0.realUserStatus.rawValue) } }
        if let transfer = apple.transfer(of: clientID, now: now) {
            let passage = AppleTransfer.Passage(personID: personID, from: transfer.from, to: key.teamID)
            claims["transfer_sub"] = .string(apple.transferSubject(passage))
        }
        return claims
    }

    /// OpenID Connect Core §3.1.3.6 and §3.3.2.11: the left half of the hash.
    private static func halfHash(_ text: String) -> JSONValue {
        .string(Base64URL.encode(Array(SHA256.hash(data: Data(text.utf8)).prefix(16))))
    }
}

extension AppleSimulator.BooleanStyle {
    /// The truth in this style.
    func value(_ flag: Bool) -> JSONValue? {
        switch self {
        case .string: .string(flag ? "true" : "false")
        case .boolean: .bool(flag)
        case .absent: nil
        }
    }
}
