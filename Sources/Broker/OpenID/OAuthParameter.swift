import ProviderKit

/// The parameters of OAuth requests, each declared once: the endpoints read them, and the OpenAPI document describes them,
/// by these declarations.
enum OAuthParameter {
    // The client and its authentication (RFC 6749 §2.3).
    static let clientID = DeclaredParameter("client_id", "The client's id, unless it authenticates with HTTP Basic.")
        .example("<client>")
    static let clientSecret = DeclaredParameter(
        "client_secret", "The secret of a confidential client, unless it authenticates with HTTP Basic.")
    /// What every form of a client may have.
    static let client = [clientID, clientSecret]

    // The authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1, RFC 7636, RFC 9126).
    static let redirectURI = DeclaredParameter("redirect_uri", "A redirect URI that is registered for the client.")
        .example("https://app.example/callback")
    static let responseType = DeclaredParameter("response_type", "`code`.").choices(["code"]).example("code")
    static let responseMode = DeclaredParameter("response_mode", "`query`, which is also the default.")
        .choices(["query"])
    private static let scopes = Scope.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    static let scope = DeclaredParameter("scope", "What the tokens are for, separated by spaces: \(scopes).")
        .example("openid profile offline_access")
    static let state = DeclaredParameter("state", "A text that comes back with the answer, of at most 1024 bytes.")
        .example("af0ifjsldkj")
    static let nonce = DeclaredParameter(
        "nonce", "A value that the ID token is bound to, of at most 512 bytes; that of the provider in an exchange.")
    static let codeChallenge = DeclaredParameter(
        "code_challenge", "The base64url of the SHA-256 of the code verifier (RFC 7636 §4.2)."
    ).example("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    static let codeChallengeMethod = DeclaredParameter("code_challenge_method", "`S256`.").choices(["S256"])
        .example("S256")
    static let prompt = DeclaredParameter(
        "prompt", "What the user is asked: `none`, `login`, `consent`, `select_account` or `link`.")
    static let maxAge = DeclaredParameter("max_age", "The maximum age of the login, in seconds.")
        .schema(["type": "string", "pattern": "^[0-9]+$"])
    static let acrValues = DeclaredParameter(
        "acr_values", "Classes that the login must meet, by the names of step-up rules, of at most 512 bytes.")
    static let loginHint = DeclaredParameter(
        "login_hint", "The user's address, for the provider, of at most 256 bytes.")
    static let idTokenHint = DeclaredParameter("id_token_hint", "An ID token of the user that is expected.")
    static let uiLocales = DeclaredParameter("ui_locales", "The languages of the user, the preferred one first.")
    static let provider = DeclaredParameter("provider", "The provider's id.").example("github.com")
    static let providerScope = DeclaredParameter(
        "provider_scope", "Further scopes in the provider's words, at most 1024 bytes.")
    static let request = DeclaredParameter("request", "Is refused: request objects are not supported.")
    static let requestURI = DeclaredParameter("request_uri", "The `request_uri` of a request that was pushed.")

    /// What a pushed request may have besides its client.
    static let pushed = [
        redirectURI.required, responseType.required, responseMode, scope.required, state, nonce, codeChallenge,
        codeChallengeMethod, prompt, maxAge, acrValues, loginHint, idTokenHint, uiLocales, provider, providerScope,
        request,
    ]

    // The token endpoint (RFC 6749 §4.1.3, §6, RFC 8628 §3.4, RFC 8693 §2.1).
    static let grantType = DeclaredParameter("grant_type", "The grant; the discovery document lists them.")
        .example("refresh_token")
    static let code = DeclaredParameter("code", "The authorization code.")
    static let codeVerifier = DeclaredParameter("code_verifier", "The secret of the code challenge (RFC 7636 §4.1).")
    static let refreshToken = DeclaredParameter("refresh_token", "The refresh token of the last answer.")
        .example("<refresh token>")
    static let acceptMerge = DeclaredParameter(
        "accept_merge", "`true`: a session whose user was merged continues with the user that remains.")
    static let mergeToken = DeclaredParameter("merge_token", "The `merge_token` of a refusal.")
    static let deviceCode = DeclaredParameter("device_code", "The device code of the device authorization.")
    static let subjectToken = DeclaredParameter("subject_token", "What proves the user.")
    static let subjectTokenType = DeclaredParameter("subject_token_type", "What `subject_token` is.")
        .choices(TokenExchangeRequest.subjectTypes)
    static let actorToken = DeclaredParameter(
        "actor_token", "An access token of the signed-in user who links an identity or logs in again.")
    static let actorTokenType = DeclaredParameter("actor_token_type", "What `actor_token` is.")
        .choices([TokenExchangeRequest.accessTokenType])
    static let requestedTokenType = DeclaredParameter("requested_token_type", "What is asked for.")
        .choices([TokenExchangeRequest.accessTokenType])
    static let actorPrompt = DeclaredParameter(
        "prompt", "What is done for the user of `actor_token`: `link`, which is the default, or `login`.")
    static let audience = DeclaredParameter("audience", "Is refused: the tokens are for this client.")
    static let resource = DeclaredParameter("resource", "Is refused: the tokens are for this client.")
    static let authorizationCode = DeclaredParameter(
        "authorization_code", "The authorization code that came with an ID token of the provider.")
    static let providerAccessToken = DeclaredParameter(
        "access_token", "The access token that came with an ID token, or that the provider exchanges for a device.")
    static let user = DeclaredParameter("user", "The profile that Apple sends at the first sign-in, as JSON.")
    static let platform = DeclaredParameter("platform", "The platform of a device.")
    static let deviceSecret = DeclaredParameter("device_secret", "The secret that the broker issued to the device.")
    static let authorizationResponse = DeclaredParameter(
        "authorization_response", "The URL that the provider redirected the app to.")

    // Other endpoints.
    static let token = DeclaredParameter("token", "The token.").example("<access token>")
    static let assertion = DeclaredParameter("assertion", "The assertion, signed with the service account's key.")
        .example("<assertion>")
    static let accessToken = DeclaredParameter("access_token", "The access token, unless the header has it.")
    static let postLogoutRedirectURI = DeclaredParameter(
        "post_logout_redirect_uri", "The address to return to, which is registered for the client.")

    /// What a request to end a session has.
    static let logout = [idTokenHint, clientID, postLogoutRedirectURI, state, uiLocales]
}

extension QueryParameters {
    /// A required parameter.
    ///
    /// - Throws: ``OAuthError``.
    func required(_ parameter: DeclaredParameter) throws(OAuthError) -> String { try required(parameter.name) }
}
