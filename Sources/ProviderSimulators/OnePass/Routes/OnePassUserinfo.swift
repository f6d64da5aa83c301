import ProviderKit

/// `GET /oauth/userinfo`, which also answers at `/api/v1/oauth/userinfo`: half of the documentation has it there. Below
/// `/api/v1` a device's personal key is valid as well.
extension OnePassState {
    mutating func userinfo(_ request: SimulatorRequest, takesPersonalKeys: Bool) -> SimulatorResponse {
        SimulatedOnePassAPI.answer(&self) { state throws(OAuthFailure) in
            let value = request.authorization(scheme: "bearer")
            guard let claims = state.claims(behind: value, takesPersonalKeys: takesPersonalKeys) else {
                throw .onePassInvalidToken
            }
            return SimulatorResponse.json(.object(claims)).uncached
        }
    }

    private mutating func claims(behind value: String?, takesPersonalKeys: Bool) -> JSONObject? {
        if takesPersonalKeys, let value, let key = personalKeys[value], key.expiresAt > now {
            return claims(of: key.personID, known: key.personID, scopes: key.scopes + ["email"])
        }
        guard let token = accessToken(value) else { return nil }
        let subject = grants[token.grant]?.subject ?? token.grant.personID
        return claims(of: token.grant.personID, known: subject, scopes: token.scopes)
    }

    /// The claims about an account that the client knows as `subject`; `nil` when the user was deleted.
    private func claims(of personID: Int64, known subject: Int64, scopes: [String]) -> JSONObject? {
        let canonical = survivor(of: personID)
        guard let person = person(canonical) else { return nil }
        var claims: JSONObject = [
            "sub": written(subject), "canonical_sub": written(canonical), "is_canonical": .bool(subject == canonical),
            "previously_anonymous": .bool(person.wasAnonymous), "anonymous": .bool(person.isAnonymous),
        ]
        if behaviour.linkedSubjects != .absent {
            let absorbed = merges.filter { $0.survivor == canonical }
            claims["linked_subs"] = .array(absorbed.compactMap { $0.listed(as: behaviour.linkedSubjects) })
        }
        for scope in scopes { claims = claims.merging(person.claims(for: scope)) }
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
