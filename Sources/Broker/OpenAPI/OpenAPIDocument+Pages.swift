import HTTPTypes
import ProviderKit

/// The operations that browsers open.
extension OpenAPIDocument {
    static func userInfo(_ method: HTTPRequest.Method, _ id: String) -> OpenAPIOperation {
        OpenAPIOperation(
            method, OAuthPaths.userInfo, id, "Returns the claims of the user of an access token.",
            answer: Schema.claims(of: .userInfo, ["sub"])
        ).with { ($0.access, $0.errors) = (.accessToken, .oauth) }
    }

    static let pages: [OpenAPIOperation] =
        authorization + account + [
            .page(.get, DefaultIcon.path, "icon", "Returns the site's icon.").with {
                ($0.answer, $0.furtherStatuses) = (("image/svg+xml", Schema.string), [])
            },
            .page(.get, "/diagnose", "diagnosePage", "Explains the codes of broker doctor."),
            .page(.get, OpenAPIPage.path, "documentationPage", "Shows this document for readers."),
            .page(.get, "/sign-in", "signInPage", "Shows the providers to sign in with.").with {
                $0.query = [SignInPageRoutes.provider]
            },
            .page(.get, "/depart", "departPage", "Redirects to a provider."),
            .page(.get, "/continue", "continuePage", "Continues a sign-in."),
            form("/continue", "continueForm", "Continues a sign-in after a confirmation."),
            .page(.get, HostedPages.interactionPath, "interactionPage", "Shows the next page of a sign-in."),
            .page(.get, OAuthPaths.devicePage, "devicePage", "Takes the code that a device shows."),
            form(OAuthPaths.devicePage, "deviceForm", "Takes the code that a device shows."),
            callback("/oauth/callback/{provider}", "callback"),
            form("/oauth/callback/{provider}", "callbackForm", "Receives a provider's answer by post."),
            callback("/oauth/callback/{provider}/continue", "callbackContinuation"),
            handler("/__/auth/handler", "handlerPage", "Begins and finishes the sign-ins of Firebase's SDK."),
            handler("/__/auth/iframe", "framePage", "Passes the outcome of a sign-in to the app's page."),
            .page(.get, "/__/auth/witness", "witnessPage", "Loads below pages of one origin alone.").with {
                $0.query = [HandlerParameter.origin.required]
            },
        ]

    private static let authorization: [OpenAPIOperation] = [
        .page(.get, OAuthPaths.authorization, "authorize", "Begins a sign-in for a client (RFC 6749 §3.1).").with {
            $0.query = asked
        },
        form(OAuthPaths.authorization, "authorizeByPost", "Begins a sign-in for a client.", asked),
        .page(.get, OAuthPaths.logout, "logout", "Signs the user of a client out (RP-Initiated Logout).").with {
            $0.query = OAuthParameter.logout
        },
        form(OAuthPaths.logout, "logoutByPost", "Signs the user of a client out.", OAuthParameter.logout),
        form("/sign-out", "signOutForm", "Ends the browser's session."),
    ]

    /// An authorization request, none of whose parameters is needed beside a `request_uri`.
    private static let asked =
        [OAuthParameter.clientID, OAuthParameter.requestURI]
        + OAuthParameter.pushed.map { parameter in
            var parameter = parameter
            parameter.isRequired = false
            return parameter
        }

    private static let account: [OpenAPIOperation] =
        [
            .page(.get, "/account", "accountPage", "Shows the user's connected accounts and devices."),
            .page(.get, ProfilePageRoutes.path, "accountProfilePage", "Shows the form of the name and the picture."),
            form(
                ProfilePageRoutes.path, "accountProfile", "Changes the name and the picture.",
                ProfilePageRoutes.parameters),
            .page(.get, AccountHistoryRoutes.path, "accountHistoryPage", "Shows what happened to the user's account.")
                .with { $0.query = [AccountHistoryRoutes.after] },
            form(AccountHistoryRoutes.exportPath, "accountExport", "Returns all that is stored of the user.").with {
                $0.answer = ("application/json", accountExport)
            },
        ]
        + [
            ("link", "accountLink"), ("unlink", "accountUnlink"), ("merge", "accountMerge"),
            ("session", "accountSession"), ("sign-out", "accountSignOut"),
            ("sign-out-everywhere", "accountSignOutEverywhere"), ("delete", "accountDelete"),
        ].map { form("/account/\($0)", $1, "Changes the user's account after the account page.") }

    private static func form(
        _ path: String, _ id: String, _ summary: String, _ parameters: [DeclaredParameter] = []
    ) -> OpenAPIOperation {
        .page(.post, path, id, summary).taking(form: parameters)
    }

    private static func callback(_ path: String, _ id: String) -> OpenAPIOperation {
        .page(.get, path, id, "Receives a provider's answer.").with {
            $0.query = [
                DeclaredParameter("code", "The authorization code."),
                DeclaredParameter("state", "The state of the authorization request."),
                DeclaredParameter("error", "Why the provider refuses."),
                DeclaredParameter("iss", "The issuer (RFC 9207)."),
            ]
        }
    }

    private static func handler(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        .page(.get, path, id, summary).with { $0.query = HandlerParameter.request }
    }
}
