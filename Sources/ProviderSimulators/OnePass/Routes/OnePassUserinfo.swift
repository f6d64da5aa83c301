import ProviderKit

/// `GET /oauth/userinfo`, which also answers at `/api/v1/oauth/userinfo`: half of the documentation has it there.
extension OnePassState {
    mutating func userinfo(_ request: SimulatorRequest) -> SimulatorResponse {
        OnePassAPI.answer(&self) { state throws(OAuthFailure) in
            guard let token = state.accessToken(request.authorization(scheme: "bearer")),
                let claims = state.claims(behind: token)
            else { throw .onePassInvalidToken }
            return SimulatorResponse.json(.object(claims)).uncached
        }
    }

    /// The claims for the holder of a token; `nil` when the user was deleted.
    fileprivate func claims(behind token: OnePassAccessToken) -> JSONObject? {
        let canonical = survivor(of: token.grant.personID)
        guard let person = person(canonical) else { return nil }
        let subject = grants[token.grant]?.subject ?? token.grant.personID
        var claims: JSONObject = [
            "sub": written(subject), "canonical_sub": written(canonical), "is_canonical": .bool(subject == canonical),
            "previously_anonymous": .bool(person.wasAnonymous), "anonymous": .bool(person.isAnonymous),
        ]
        if behaviour.linkedSubjects != .absent {
            let absorbed = merges.filter { $0.survivor == canonical }
            claims["linked_subs"] = .array(absorbed.compactMap { $0.listed(as: behaviour.linkedSubjects) })
        }
        for scope in token.scopes { claims = claims.merging(person.claims(for: scope)) }
        return claims
    }

    private func written(_ id: Int64) -> JSONValue {
        behaviour.writesNumericSubjects ? .integer(id) : .string(String(id))
    }
}

extension OnePassSimulator.Person {
    /// The claims of a scope.
    fileprivate func claims(for scope: String) -> JSONObject {
        var claims = JSONObject()
        switch scope {
        case "profile:basic":
            claims["preferred_name"] = preferredName.map(JSONValue.string)
            claims["full_name"] = fullName.map(JSONValue.string)
            claims["picture"] = pictureURL.map(JSONValue.string)
        case "email":
            claims["email"] = email.map { .string($0.address) }
            claims["email_verified"] = email?.verified.map(JSONValue.bool)
        case "phone": claims["phone_number"] = phoneNumber.map(JSONValue.string)
        case "identity:level": claims["identity_verified_level"] = .integer(identityLevel)
        default: break
        }
        return claims
    }
}
