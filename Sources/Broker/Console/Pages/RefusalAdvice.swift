/// What an administrator reads about the code of a refusal.
struct RefusalAdvice: Sendable {
    /// The cause, as a sentence without a full stop.
    let cause: String
    /// What to do about it, in the order of likelihood.
    let steps: [String]

    /// - Parameters:
    ///   - code: Stable, but a broker of another version may write codes that this one does not know.
    ///   - text: The broker's own text, which says more than a code that stands for several causes.
    init(code: String, text: String? = nil) {
        let known = Self.known[code]
        let own = code == ErrorCode.invalidIDPResponse.rawValue ? text?.firstSentence : nil
        cause = own ?? known?.cause ?? text?.firstSentence ?? "Refused with the code \(code)"
        steps =
            known?.steps
            ?? ["Read the text for developers, and look the code up in Docs/WireErrors.md."]
    }

    private static let provider = "Check the provider: the page of its entry asks it each question that a sign-in asks."
    private static let client = "Open the client, and compare its registration with what the app sends."
    private static let again = "The user starts the sign-in again in the app. Nothing has changed in the account."

    /// Those that come up in a sign-in.
    private static let known: [String: (cause: String, steps: [String])] = [
        "INVALID_IDP_RESPONSE": (
            "The provider did not verify the sign-in",
            [provider, "Where the provider did not answer, wait: its state stands on Home.", again]
        ),
        "providerUnavailable": ("The provider did not answer", [provider, again]),
        "providerMisconfigured": (
            "The provider refused the broker's client",
            [provider, "Compare the client id, the secret and the redirect URI with those at the provider."]
        ),
        "profileUnusable": (
            "The provider did not show who the user is",
            ["Compare the scopes of the provider's entry with those that its profile needs.", provider]
        ),
        "providerRefused": ("The provider refused the sign-in", [provider, again]),
        "USER_CANCELLED": ("The user cancelled at the provider", ["Nothing: the user decided so."]),
        "cancelled": ("The user cancelled at the provider", ["Nothing: the user decided so."]),
        "access_denied": (
            "The user or the provider declined", ["Nothing, where the user decided so.", provider]
        ),
        "attemptUnknownOrUsed": (
            "The sign-in had ended, or its page was opened twice",
            [
                again,
                "Where many users see it, look whether the app opens the sign-in in a window that keeps no cookies.",
            ]
        ),
        "formExpired": ("The page was open for too long", [again]),
        "otherBrowser": (
            "The sign-in went on in another browser",
            [again, "Where many users see it, the app opens the provider outside of the window it began in."]
        ),
        "clientUnknown": (
            "No client has the id that the app sent", ["Add the client, or correct the id in the app's configuration."]
        ),
        "redirectNotRegistered": (
            "The redirect URI is not registered for the client",
            [client, "Register the URI exactly as the app sends it: a slash or a port makes another one."]
        ),
        "badRequest": ("The app's request breaks a rule", [client]),
        "invalid_request": ("The app's request breaks a rule", [client]),
        "invalid_client": (
            "The client did not prove who it is",
            ["Compare the secret in the app with the client's, or rotate it.", client]
        ),
        "unauthorized_client": ("The client may not do this", [client]),
        "invalid_grant": (
            "The code or the refresh token is not valid any more",
            [again, "Where many users see it, look whether the app uses a code or a refresh token twice."]
        ),
        "invalid_scope": ("The client may not ask for this scope", [client]),
        "login_required": (
            "The app asked for no page, and the user has to sign in", ["Nothing: the app shows a sign-in."]
        ),
        "USER_DISABLED": ("The user is disabled", ["Enable the user, if the sign-in shall work."]),
        "accountDisabled": ("The user is disabled", ["Enable the user, if the sign-in shall work."]),
        "NEED_CONFIRMATION": (
            "Another user has the address",
            ["The user proves the other account first. The rule below says why they are not one by themselves."]
        ),
        "OPERATION_NOT_ALLOWED": (
            "The provider is not enabled here", ["Enable the provider, or take it out of the app."]
        ),
        "TOKEN_EXPIRED": ("The session has ended", [again]),
        "INVALID_REFRESH_TOKEN": ("The refresh token is not valid any more", [again]),
        "signUpOff": ("New users are not let in", ["Create the user, or allow sign-ups in the settings."]),
        "ADMIN_ONLY_OPERATION": ("New users are not let in", ["Create the user, or allow sign-ups in the settings."]),
        "TOO_MANY_ATTEMPTS_TRY_LATER": (
            "The client's address has sent too much", ["Wait, or look whether a proxy hides the users' addresses."]
        ),
        "tooManyRequests": (
            "The client's address has sent too much", ["Wait, or look whether a proxy hides the users' addresses."]
        ),
        "storeUnavailable": (
            "The broker could not reach its store", ["Look at the findings on Home, and at the database."]
        ),
        "TEMPORARILY_UNAVAILABLE": ("The broker or the provider did not answer in time", [provider, again]),
        "internalError": (
            "The broker failed", ["Look for the request number in the log, and report what stands there."]
        ),
        "brokenOff": ("The client ended the connection", ["Nothing: the user left."]),
        "notAdministrator": (
            "An account that is no administrator's signed in at the console",
            ["Nothing, or invite the person: broker console invite."]
        ),
        "roleTooLow": ("An administrator's role did not allow it", ["An owner changes the role, where it should."]),
        "hasRole": (
            "An administrator used an invitation that would not raise the role",
            ["The person who is meant opens the invitation while it is valid."]
        ),
        "invitationUsed": (
            "An invitation to the console was used before or had expired",
            ["Invite the person again: broker console invite."]
        ),
        "otherAdministrator": (
            "An administrator signed in again with another account",
            ["The administrator signs in with the account that opened the console."]
        ),
        "loginNotRecent": (
            "The provider answered an administrator with an older login",
            ["The administrator signs out at the provider, then tries again."]
        ),
        "foreignRequest": (
            "A request to the console did not come from its own pages",
            ["Nothing, or look which site or proxy sends it where it comes often."]
        ),
        "notFound": ("The address is wrong, or what it named is gone", ["Nothing, or correct the link."]),
    ]
}
