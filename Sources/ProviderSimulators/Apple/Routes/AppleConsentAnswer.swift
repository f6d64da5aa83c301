import ProviderKit

/// What the browser takes back to the web site: a code or an error, in the way the request chose.
struct AppleConsentAnswer: Sendable {
    let core: AppleCore
    let authorization: AppleAuthorization

    /// What the site learns when the person agrees. `user` comes the first time only.
    func granted(by personID: String, hidesEmail: Bool?) -> FormFields {
        let (authorization, now) = (authorization, core.clock.now)
        let (code, user) = core.withState { state in
            let key = state.key(personID, authorization.clientID)
            let isFirst = state.consent(key, scopes: authorization.scopes, hidesEmail: hidesEmail)
            let code = state.makeCode(
                for: personID, authorization.clientID, redirectURI: authorization.redirectURI,
                nonce: authorization.nonce, now: now)
            return (code, isFirst ? state.firstTimeUser(key, scopes: authorization.scopes) : nil)
        }
        let idToken =
            authorization.wantsIDToken
            ? core.idToken(
                AppleClaims(
                    personID: personID, clientID: authorization.clientID, nonce: authorization.nonce, code: code))
            : nil
        return FormFields([
            "state": authorization.state, "code": code, "id_token": idToken, "user": user?.serialized(),
        ])
    }

    /// What the site learns when the person does not.
    var cancelled: FormFields {
        FormFields(["state": authorization.state, "error": "user_cancelled_authorize"])
    }

    /// Sends the browser back with these fields.
    func response(_ fields: FormFields) -> SimulatorResponse {
        switch authorization.mode {
        case .formPost: ApplePages.formPost(to: authorization.redirectURI, fields)
        case .query: CallbackURI(authorization.redirectURI).redirect(carrying: fields)
        case .fragment: CallbackURI(authorization.redirectURI).redirect(carrying: fields, in: .fragment)
        }
    }
}

extension AppleState {
    /// The `user` field: unsigned, and never sent again.
    fileprivate mutating func firstTimeUser(_ key: ConsentKey, scopes: [String]) -> JSONValue? {
        guard let person = person(key.personID) else { return nil }
        var user = JSONObject()
        if scopes.contains("name") {
            user["name"] = ["firstName": .string(person.givenName ?? ""), "lastName": .string(person.familyName ?? "")]
        }
        if scopes.contains("email") { user["email"] = address(key).map { .string($0.email) } }
        return user.isEmpty ? nil : .object(user)
    }
}
