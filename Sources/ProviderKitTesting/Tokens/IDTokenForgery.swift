public import ProviderKit

/// A fault of an ID token that its verification must detect.
public enum IDTokenForgery: String, Sendable, Hashable, CaseIterable {
    // Audience and issuer.
    case wrongAudience, audienceInOtherCase, longerAudience, shorterAudience, emptyAudience, missingAudience,
        severalAudiencesWithoutParty, wrongAuthorizedParty
    case wrongIssuer, missingIssuer
    // Subject.
    case missingSubject, emptySubject, numericSubject, unprintableSubject, duplicateSubject
    // Times.
    case expired, missingExpiration, fractionalExpiration, issuedInFuture, missingIssuedAt, notYetValid
    // Binding to the request.
    case wrongNonce, missingNonce, wrongAccessTokenHash
    // Signature.
    case noneAlgorithm, symmetricAlgorithm, otherAlgorithm, foreignKey, unknownKeyID, missingKeyID, embeddedKey,
        keySetAddress, certificateAddress
    case brokenSignature, criticalExtension
    // Type and format.
    case securityEvent, anotherType, deepClaims, tooLong, notAToken

    /// The expected fault: the nonce's, or the credential's for everything else.
    public var expectedFault: ProviderError.Fault {
        switch self {
        case .wrongNonce, .missingNonce: .nonce
        default: .credential
        }
    }
}

extension IDTokenForgery {
    /// The claims of a valid token, changed if this forgery concerns claims.
    ///
    /// - Parameters:
    ///   - claims: The valid claims.
    ///   - now: The issuer's time, in seconds since 1970.
    /// - Returns: The claims to sign.
    func spoil(_ claims: JSONObject, now: Int64) -> JSONObject {
        var claims = claims
        switch self {
        case .wrongAudience: claims["aud"] = "client-of-somebody-else"
        case .audienceInOtherCase: claims["aud"] = changedAudience(claims) { $0.hasCase ? $0.inOtherCase : $0 + "2" }
        case .longerAudience: claims["aud"] = changedAudience(claims) { $0 + "2" }
        case .shorterAudience: claims["aud"] = changedAudience(claims) { String($0.dropLast()) }
        case .emptyAudience: claims["aud"] = []
        case .missingAudience: claims["aud"] = nil
        case .severalAudiencesWithoutParty:
            claims["aud"] = .array([claims["aud"] ?? "", "client-of-somebody-else"])
            claims["azp"] = nil
        case .wrongAuthorizedParty: claims["azp"] = "client-of-somebody-else"
        case .wrongIssuer: claims["iss"] = .string((claims["iss"]?.string ?? "") + ".example")
        case .missingIssuer: claims["iss"] = nil
        case .missingSubject: claims["sub"] = nil
        case .emptySubject: claims["sub"] = ""
        case .numericSubject: claims["sub"] = 42
        case .unprintableSubject: claims["sub"] = "4\u{200B}2"
        case .expired:
            claims["iat"] = .integer(now - 7200)
            claims["exp"] = .integer(now - 3600)
        case .missingExpiration: claims["exp"] = nil
        case .fractionalExpiration: claims["exp"] = (try? JSONValue(parsing: "\(now + 600).5")) ?? .null
        case .issuedInFuture: claims["iat"] = .integer(now + 3600)
        case .missingIssuedAt: claims["iat"] = nil
        case .notYetValid: claims["nbf"] = .integer(now + 3600)
        case .wrongNonce: claims["nonce"] = "nonce-of-somebody-else"
        case .missingNonce: claims["nonce"] = nil
        case .wrongAccessTokenHash: claims["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA"
        case .securityEvent: claims["events"] = #"{"type":"consent-revoked"}"#
        case .deepClaims: claims["deep"] = (0..<40).reduce(JSONValue.null) { inner, _ in .array([inner]) }
        case .tooLong: claims["padding"] = .string(String(repeating: "x", count: 20_000))
        case .duplicateSubject, .noneAlgorithm, .symmetricAlgorithm, .otherAlgorithm, .foreignKey, .unknownKeyID,
            .missingKeyID, .embeddedKey, .keySetAddress, .certificateAddress, .brokenSignature, .criticalExtension,
            .anotherType, .notAToken:
            break
        }
        return claims
    }

    private func changedAudience(_ claims: JSONObject, _ change: (String) -> String) -> JSONValue? {
        claims["aud"]?.string.map { .string(change($0)) }
    }
}
