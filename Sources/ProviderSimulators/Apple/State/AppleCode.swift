import Foundation
import ProviderKit

extension AppleState {
    /// Issues a code for what a user has just granted.
    mutating func issueCode(for request: SimulatedAuthorizationRequest, to personID: String) -> String {
        let value = "c\(RandomText.hex(32)).0.\(RandomText.alphanumeric(4)).\(RandomText.alphanumeric(22))"
        return memory.store(value, for: request, personID: personID, scopes: [], lifetime: 300)
    }

    /// Records a user's consent and issues a code for it.
    mutating func consentedCode(for request: SimulatedAuthorizationRequest, to personID: String, scopes: [String])
        -> String
    {
        _ = consent(key(personID, request.clientID), scopes: scopes, hidesEmail: nil)
        return issueCode(for: request, to: personID)
    }

    /// The credential that a device gives an app after consent.
    mutating func nativeCredential(
        for person: Person, _ clientID: String, rawNonce: String?, scopes: [String]
    ) -> AppleSimulator.NativeCredential {
        let nonce = rawNonce.map(AppleSimulator.hashed)
        let key = key(person.id, clientID)
        let isFirst = consent(key, scopes: scopes, hidesEmail: nil)
        let request = SimulatedAuthorizationRequest(clientID: clientID, redirectURI: nil, nonce: nonce)
        let code = issueCode(for: request, to: person.id)
        let token = idToken(
            AppleClaims(personID: person.id, clientID: clientID, nonce: nonce, code: code, isFirstOnDevice: isFirst))
        let tellsName = isFirst && scopes.contains("name")
        return AppleSimulator.NativeCredential(
            idToken: token, authorizationCode: code, givenName: tellsName ? person.givenName : nil,
            familyName: tellsName ? person.familyName : nil, email: isFirst ? address(key)?.email : nil)
    }

    /// Redeems a code, once.
    mutating func redeem(
        _ value: String, for application: Application, redirectURI: String?
    ) throws(OAuthFailure) -> SimulatedAuthorizationCode<String> {
        guard let code = memory.code(value), code.expiresAt > now, person(code.grant.personID) != nil else {
            throw .invalidGrant("The code has expired or has been revoked.")
        }
        guard code.grant.clientID.hasSameBytes(as: application.clientID) else {
            throw .invalidGrant("client_id mismatch. The code was not issued to \(application.clientID).")
        }
        guard code.redemption == nil else { throw .invalidGrant("The code has already been used.") }
        switch (code.redirectURI, redirectURI) {
        case (nil, nil): break
        case (let expected?, let given?) where expected.hasSameBytes(as: given): break
        case (nil, _?): throw .invalidGrant("redirect_uri was given for a code that was not issued to a web page.")
        default: throw .invalidGrant("redirect_uri mismatch.")
        }
        memory.codes[value]?.redemption = application.clientID
        return code
    }
}
