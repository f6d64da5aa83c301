import ProviderKit

/// `options.tokenRequest`: the request of `tokenUrl`, where it is not the form of OAuth 2.
struct TokenRequestOptions: DeclaredOptions {
    enum Method: String, CaseIterable, DeclaredValue {
        case post = "POST"
        case get = "GET"
    }

    var method = Method.post
    var format: BodyFormat?
    var clientIdName = "client_id"
    var clientSecretName = "client_secret"
    var parameters: [String: String] = [:]
    var callbackParameters: [String] = []

    static let declaration = DeclaredObject<TokenRequestOptions>(
        "The request of `tokenUrl`, where it is not the form of OAuth 2.",
        [
            .key(
                "method", \.method, "the method; `GET` is weaker: servers write the code and the secret into their logs"
            ).initially("POST"),
            .key("format", \.format, "the format of the body").initially(inWords: "`form`"),
            .key("clientIdName", \.clientIdName, "the name of the parameter `client_id`").initially("client_id")
                .narrowed(by: ParameterName.schema),
            .key("clientSecretName", \.clientSecretName, "the name of the parameter `client_secret`")
                .initially("client_secret").narrowed(by: ParameterName.schema),
            .key("parameters", \.parameters, "further parameters, except those of the protocol").initially([:])
                .narrowed(by: [
                    "propertyNames": ["minLength": 1, "not": .object(OAuth2Client.reservedTokenNames)]
                ]),
            .key(
                "callbackParameters", \.callbackParameters,
                "the parameters of the authorization response that the exchange of its code repeats"
            ).initially([]).narrowed(by: ["items": .object(ParameterName.schema)]).example(["device_id"]),
        ])

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    func checked() throws(ProviderError) -> OAuth2Client.Dialect.TokenRequest {
        func refuse(_ reason: String) -> ProviderError {
            ProviderError(.configuration, at: .configure, "options.tokenRequest" + reason)
        }
        var request = OAuth2Client.Dialect.TokenRequest()
        switch (method, format) {
        case (.get, nil): request.format = .query
        case (.get, _): throw refuse(".format has no place in a GET request: remove it")
        case (.post, .json): request.format = .json
        case (.post, _): request.format = .form
        }
        for (option, name, own) in [
            ("clientIdName", clientIdName, "client_id"), ("clientSecretName", clientSecretName, "client_secret"),
        ] {
            guard ParameterName.isValid(name),
                name == own || !OAuth2Client.isReservedInTokenRequest(name)
            else {
                throw refuse(".\(option) must be 1 to 64 letters, digits and ._~-, and none of the protocol's names")
            }
        }
        let own = [clientIdName, clientSecretName].map(\.lowercasedASCII)
        guard Set(own).count == 2 else { throw refuse(".clientIdName and clientSecretName must differ") }
        for (name, value) in parameters {
            guard !name.isEmpty, !own.contains(name.lowercasedASCII), !OAuth2Client.isReservedInTokenRequest(name),
                (name + value).utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw refuse(".parameters must not set \(name): the broker sets it") }
        }
        for name in callbackParameters {
            guard ParameterName.isValid(name), !own.contains(name.lowercasedASCII), parameters[name] == nil,
                !OAuth2Client.isReservedInTokenRequest(name)
            else { throw refuse(".callbackParameters must not have \(name): the broker or parameters set it") }
        }
        request.clientIDName = clientIdName
        request.clientSecretName = clientSecretName
        request.parameters = parameters
        request.callbackParameters = callbackParameters
        return request
    }
}

/// `options.tokenResponse`: the members of the response of `tokenUrl`, where they are not those of OAuth 2.
struct TokenResponseOptions: DeclaredOptions {
    var accessToken: ClaimPointer?
    var refreshToken: ClaimPointer?
    var expiresIn: ClaimPointer?
    var scope: ClaimPointer?
    var tokenTypes: [String] = []

    static let declaration = DeclaredObject<TokenResponseOptions>(
        "JSON Pointers into the response of `tokenUrl`, where its members are not those of OAuth 2.",
        [
            .key("accessToken", \.accessToken, "the access token; its `token_type` is beside it")
                .initially("/access_token"),
            .key("refreshToken", \.refreshToken, "the refresh token").initially("/refresh_token"),
            .key("expiresIn", \.expiresIn, "the seconds for which the access token is valid").initially("/expires_in"),
            .key("scope", \.scope, "the granted scopes").initially("/scope"),
            .key("tokenTypes", \.tokenTypes, "the values of `token_type` beside `Bearer` that are accepted")
                .initially([]).narrowed(by: ["items": ["type": "string", "minLength": 1]]),
        ])

    var dialect: OAuth2Client.Dialect.TokenResponse {
        var response = OAuth2Client.Dialect.TokenResponse()
        response.accessToken = accessToken?.pointer ?? response.accessToken
        response.refreshToken = refreshToken?.pointer ?? response.refreshToken
        response.expiresIn = expiresIn?.pointer ?? response.expiresIn
        response.scope = scope?.pointer ?? response.scope
        response.bearerTypes = tokenTypes
        return response
    }
}

/// `options.authorizationRequest`: the names of the client's parameters, where they are not those of OAuth 2.
struct AuthorizationRequestOptions: DeclaredOptions {
    var clientIdName = "client_id"
    var scopeName = "scope"
    var fragment: String?

    static let declaration = DeclaredObject<AuthorizationRequestOptions>(
        "The request of `authorizationUrl`, where it is not that of OAuth 2.",
        [
            .key("clientIdName", \.clientIdName, "the name of the parameter `client_id`").initially("client_id")
                .narrowed(by: ParameterName.schema),
            .key("scopeName", \.scopeName, "the name of the parameter `scope`").initially("scope")
                .narrowed(by: ParameterName.schema),
            .key("fragment", \.fragment, "the fragment of the URL, which a few providers demand")
                .narrowed(by: ["pattern": "^[A-Za-z0-9_-]{1,64}$"]).example("wechat_redirect"),
        ])

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    func checked(with parameters: AuthorizationParameters) throws(ProviderError)
        -> OAuth2Client.Dialect.AuthorizationRequest
    {
        func refuse(_ reason: String) -> ProviderError {
            ProviderError(.configuration, at: .configure, "options.authorizationRequest" + reason)
        }
        for (option, name, own) in [("clientIdName", clientIdName, "client_id"), ("scopeName", scopeName, "scope")] {
            guard ParameterName.isValid(name), name == own || !OAuth2Client.isReserved(name) else {
                throw refuse(".\(option) must be 1 to 64 letters, digits and ._~-, and none of the protocol's names")
            }
            guard !parameters.pairs.contains(where: { $0.name.lowercasedASCII == name.lowercasedASCII }) else {
                throw refuse(".\(option) is in authorizationParameters as well: the broker sets it")
            }
        }
        guard clientIdName.lowercasedASCII != scopeName.lowercasedASCII else {
            throw refuse(".clientIdName and scopeName must differ")
        }
        guard fragment?.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil || fragment == nil else {
            throw refuse(".fragment must be 1 to 64 letters, digits, - and _")
        }
        var request = OAuth2Client.Dialect.AuthorizationRequest()
        (request.clientIDName, request.scopeName, request.fragment) = (clientIdName, scopeName, fragment)
        return request
    }
}
