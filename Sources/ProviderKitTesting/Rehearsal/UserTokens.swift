import ProviderKit

/// The tokens of a script's users by their use, by which a scripted provider refuses requests as a real one does.
struct UserTokens: Sendable {
    private var codes: Set<String> = []
    private var accessTokens: Set<String> = []
    private var idTokens: Set<String> = []
    private var refreshTokens: Set<String> = []
    private var deviceCodes: Set<String> = []

    /// The bytes of the largest response that issues tokens: a larger one tries a plugin's limits.
    private static let maximumResponse = 1 << 16

    /// The tokens of the script's credentials and of its grant.
    init(of script: ProviderScript) {
        for credential in script.signIns.map(\.credential) { add(credential) }
        guard let grant = script.grant else { return }
        accessTokens.insert(grant.accessToken)
        if let refreshToken = grant.refreshToken { refreshTokens.insert(refreshToken) }
        if let idToken = grant.idToken { idTokens.insert(idToken) }
    }

    private mutating func add(_ credential: Credential) {
        switch credential.proof {
        case .authorizationCode(let code): codes.insert(code.code)
        case .accessToken(let token): accessTokens.insert(token)
        case .idToken(let token):
            idTokens.insert(token.token)
            if let accessToken = token.accessToken { accessTokens.insert(accessToken) }
            if let code = token.authorizationCode { codes.insert(code) }
        case .assertion(let fields):
            codes.formUnion(fields.values)
            accessTokens.formUnion(fields.values)
            idTokens.formUnion(fields.values)
        }
    }

    /// Adds the tokens that a response issues. A provider may have its own name for an access token.
    mutating func add(issuedBy response: UpstreamResponse) {
        guard response.body.count <= Self.maximumResponse else { return }
        let members = (try? JSONValue(parsing: response.body)).map(\.namedTexts)
        for (name, text) in members ?? FormEncoding.decode(response.body) ?? [] where !text.isEmpty {
            switch name {
            case "refresh_token": refreshTokens.insert(text)
            case "id_token": idTokens.insert(text)
            case "device_code": deviceCodes.insert(text)
            case "access_token": accessTokens.insert(text)
            default: if text.utf8.count >= Marks.minimumLength { accessTokens.insert(text) }
            }
        }
    }

    /// Whether a request to an endpoint that receives a user's token has one of the right use.
    func areSent(in request: UpstreamRequest, to endpoint: ScriptedEndpoint) -> Bool {
        let values = request.values
        func has(_ tokens: Set<String>) -> Bool {
            values.contains { tokens.contains($0) }
                || request.isOpaque && tokens.contains(where: request.contents.contains)
        }
        switch request.value(named: "grant_type") {
        case "authorization_code": return has(codes)
        case "refresh_token": return has(refreshTokens)
        case "urn:ietf:params:oauth:grant-type:device_code": return has(deviceCodes)
        case "client_credentials": return true
        default: break
        }
        // An endpoint of our client, for introspection or revocation, takes tokens of every use.
        if endpoint.receives.contains(.clientSecret) {
            return has(codes.union(accessTokens).union(idTokens).union(refreshTokens).union(deviceCodes))
        }
        // Only an access token authorizes a request; a parameter may be an ID token to be examined.
        return has(accessTokens) || request.parameters.contains { idTokens.contains($0.value) }
    }
}

extension ScriptedEndpoint {
    /// The response of a provider to a request without the user's token: RFC 6749 §5.2 where our client authenticates,
    /// RFC 6750 §3.1 elsewhere.
    var refusal: UpstreamResponse {
        receives.contains(.clientSecret)
            ? .json(["error": "invalid_grant"], status: 400) : .json(["error": "invalid_token"], status: 401)
    }
}

extension JSONValue {
    /// Every text of the document with the name of its member.
    var namedTexts: [(name: String, value: String)] { texts(named: "") }

    private func texts(named name: String) -> [(name: String, value: String)] {
        switch self {
        case .string(let text): [(name, text)]
        case .object(let members): members.flatMap { $0.value.texts(named: $0.name) }
        case .array(let elements): elements.flatMap { $0.texts(named: name) }
        case .null, .bool, .number: []
        }
    }
}
