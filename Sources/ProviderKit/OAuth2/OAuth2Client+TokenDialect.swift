import StrictJSON

extension OAuth2Client.Dialect.TokenRequest {
    /// A request with the parameters of the protocol and those of the provider, in the provider's place.
    func request(
        _ request: UpstreamRequest, sending protocolParameters: [(name: String, value: String)]
    ) -> UpstreamRequest {
        let further = parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let all = protocolParameters + further
        return switch format {
        case .form: request.sending(form: all)
        case .json: request.sending(json: .object(JSONObject(all.map { ($0.name, .string($0.value)) })))
        // A code and a client's secret are among them.
        case .query: all.reduce(request) { $0.secretParameter($1.name, $1.value) }
        }
    }
}

extension OAuth2Client.Dialect.TokenResponse {
    /// The response with its members where OAuth 2 has them (RFC 6749 §5.1).
    func standardized(_ document: JSONValue) -> JSONValue {
        guard self != OAuth2Client.Dialect.TokenResponse(), document.object != nil else { return document }
        var members = JSONObject()
        members["access_token"] = document[accessToken]
        members["refresh_token"] = document[refreshToken]
        members["expires_in"] = document[expiresIn]
        members["scope"] = document[scope]
        let type = document[JSONPointer(names: accessToken.tokens.dropLast() + ["token_type"])]
        if !isBearer(type) { members["token_type"] = type }
        for name in ["id_token", "error", "interval"] { members[name] = document[name] }
        return .object(members)
    }

    private func isBearer(_ type: JSONValue?) -> Bool {
        guard let type = type?.string?.lowercasedASCII else { return false }
        return bearerTypes.contains { $0.lowercasedASCII.hasSameBytes(as: type) }
    }

    /// The response without its tokens, which apps are shown as the profile of a user.
    func rest(of document: JSONValue) -> JSONValue {
        document.removing([accessToken, refreshToken]).removing(namesOfTokens: OAuth2Client.namesOfTokens)
    }
}

extension JSONValue {
    /// The document without the members at some places.
    fileprivate func removing(_ pointers: [JSONPointer]) -> JSONValue {
        pointers.reduce(self) { $0.removing($1.tokens[...]) }
    }

    private func removing(_ names: ArraySlice<String>) -> JSONValue {
        guard case .object(var members) = self, let name = names.first else { return self }
        members[name] = names.count == 1 ? Optional.none : members[name]?.removing(names.dropFirst())
        return .object(members)
    }

    fileprivate func removing(namesOfTokens names: Set<String>) -> JSONValue {
        switch self {
        case .object(let members):
            .object(
                JSONObject(
                    members.compactMap { name, value in
                        names.contains(name) ? nil : (name, value.removing(namesOfTokens: names))
                    }))
        case .array(let elements): .array(elements.map { $0.removing(namesOfTokens: names) })
        case .null, .bool, .number, .string: self
        }
    }
}
