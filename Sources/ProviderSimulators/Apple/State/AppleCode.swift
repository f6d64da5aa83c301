import Foundation

/// What a person is asked to consent to.
struct AppleAuthorization: Sendable {
    /// How the answer travels (OAuth 2.0 Multiple Response Type Encoding Practices, OAuth 2.0 Form Post Response Mode).
    enum ResponseMode: String, Sendable {
        case query, fragment
        case formPost = "form_post"
    }

    let clientID: String
    let redirectURI: String
    let mode: ResponseMode
    /// Whether the answer has an ID token beside the code.
    let wantsIDToken: Bool
    let scopes: [String]
    let state: String?
    let nonce: String?
    let expiresAt: Date
}

/// A code that waits to be redeemed.
struct AppleCode: Sendable {
    /// Five minutes.
    static let lifetime: TimeInterval = 300

    let clientID: String
    let personID: String
    /// The redirect URI of the web page that got it; `nil` for a native app's.
    let redirectURI: String?
    let nonce: String?
    let expiresAt: Date
    var isUsed = false
}

extension AppleState {
    /// Makes a code for what a person has just granted.
    mutating func makeCode(
        for personID: String, _ clientID: String, redirectURI: String?, nonce: String?, now: Date
    ) -> String {
        // Dead ones are kept for a while: the answer tells used from expired.
        codes = codes.filter { $0.value.expiresAt.addingTimeInterval(3600) > now }
        let code = "c\(RandomText.hex(32)).0.\(RandomText.alphanumeric(4)).\(RandomText.alphanumeric(22))"
        codes[code] = AppleCode(
            clientID: clientID, personID: personID, redirectURI: redirectURI, nonce: nonce,
            expiresAt: now.addingTimeInterval(AppleCode.lifetime))
        return code
    }

    /// Redeems a code, once.
    mutating func redeem(
        _ value: String, for application: AppleSimulator.Application, redirectURI: String?, now: Date
    ) throws(OAuthFailure) -> AppleCode {
        guard value.isASCII, let code = codes[value], code.expiresAt > now, person(code.personID) != nil else {
            throw .invalidGrant("The code has expired or has been revoked.")
        }
        guard code.clientID.utf8.elementsEqual(application.clientID.utf8) else {
            throw .invalidGrant("client_id mismatch. The code was not issued to \(application.clientID).")
        }
        guard !code.isUsed else { throw .invalidGrant("The code has already been used.") }
        switch (code.redirectURI, redirectURI) {
        case (nil, nil): break
        case (let expected?, let given?) where expected.utf8.elementsEqual(given.utf8): break
        case (nil, _?): throw .invalidGrant("redirect_uri was given for a code that was not issued to a web page.")
        default: throw .invalidGrant("redirect_uri mismatch.")
        }
        codes[value]?.isUsed = true
        return code
    }
}
