import Foundation
import ProviderKit

/// The subject and context of an ID token.
struct AppleClaims: Sendable {
    let personID: String
    let clientID: String
    let nonce: String?
    /// The token that `at_hash` is computed from.
    var accessToken: String?
    /// The code that `c_hash` is computed from.
    var code: String?
    /// Whether a device reports `real_user_status`, which it does once.
    var isFirstOnDevice = false

    /// The claims of an honest token.
    func object(_ apple: inout AppleState) -> JSONObject {
        let key = apple.key(personID, clientID)
        let time = apple.now.epochSeconds
        var claims: JSONObject = [
            "iss": .string(apple.issuer), "aud": .string(clientID),
            "exp": .integer(time + apple.behaviour.idTokenLifetime), "iat": .integer(time),
            "sub": .string(apple.account(key).subject), "auth_time": .integer(time),
        ]
        claims["at_hash"] = accessToken.map(IDTokenMint.halfHash)
        claims["c_hash"] = code.map(IDTokenMint.halfHash)
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
        if let transfer = apple.transfer(of: clientID) {
            let passage = AppleTransfer.Passage(personID: personID, from: transfer.from, to: key.teamID)
            claims["transfer_sub"] = .string(apple.transferSubject(passage))
        }
        return claims
    }
}

extension AppleSimulator.BooleanStyle {
    /// A truth value in this style.
    func value(_ flag: Bool) -> JSONValue? {
        switch self {
        case .string: .string(flag ? "true" : "false")
        case .boolean: .bool(flag)
        case .absent: nil
        }
    }
}
