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
            .page(.get, "/diagnose", "diagnosePage", "Explains the codes of broker doctor."),
            .page(.get, "/sign-in", "signInPage", "Shows the providers to sign in with."),
            .page(.get, "/depart", "departPage", "Redirects to a provider."),
            .page(.get, "/continue", "continuePage", "Continues a sign-in."),
            form("/continue", "continueForm", "Continues a sign-in after a confirmation."),
            .page(.get, HostedPages.interactionPath, "interactionPage", "Shows the next page of a sign-in."),
            .page(.get, OAuthPaths.devicePage, "devicePage", "Takes the code that a device shows."),
            form(OAuthPaths.devicePage, "deviceForm", "Takes the code that a device shows."),
            callback(.get, "/oauth/callback/{provider}", "callback"),
            form("/oauth/callback/{provider}", "callbackForm", "Receives a provider's answer by post."),
            callback(.get, "/oauth/callback/{provider}/continue", "callbackContinuation"),
            handler("/__/auth/handler", "handlerPage", "Begins and finishes the sign-ins of Firebase's SDK."),
            handler("/__/auth/iframe", "framePage", "Passes the outcome of a sign-in to the app's page."),
            witness("/__/auth/witness", "witnessPage", "Loads below pages of one origin alone."),
            handler("/emulator/auth/handler", "emulatorHandlerPage", "The handler under an emulator's path."),
            handler("/emulator/auth/iframe", "emulatorFramePage", "The frame under an emulator's path."),
            witness("/emulator/auth/witness", "emulatorWitnessPage", "The witness under an emulator's path."),
        ]

    private static let authorization: [OpenAPIOperation] = [
        .page(.get, OAuthPaths.authorization, "authorize", "Begins a sign-in for a client (RFC 6749 §3.1).").with {
            $0.query = ["client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge"].map {
                Schema.query($0)
            }
        },
        form(OAuthPaths.authorization, "authorizeByPost", "Begins a sign-in for a client."),
        .page(.get, OAuthPaths.logout, "logout", "Signs the user of a client out (RP-Initiated Logout)."),
        form(OAuthPaths.logout, "logoutByPost", "Signs the user of a client out."),
        form("/sign-out", "signOutForm", "Ends the browser's session."),
    ]

    private static let account: [OpenAPIOperation] =
        [.page(.get, "/account", "accountPage", "Shows the user's connected accounts and devices.")]
        + ["link", "unlink", "merge", "session", "sign-out", "sign-out-everywhere", "delete"].map {
            form("/account/\($0)", "account-\($0)", "Changes the user's account after the account page.")
        }

    private static func form(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        .page(.post, path, id, summary).with { $0.body = .form(Schema.request()) }
    }

    private static func callback(_ method: HTTPRequest.Method, _ path: String, _ id: String) -> OpenAPIOperation {
        .page(method, path, id, "Receives a provider's answer.").with {
            $0.query = ["code", "state", "error", "iss"].map { Schema.query($0) }
        }
    }

    private static func witness(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        .page(.get, path, id, summary).with { $0.query = [Schema.query("origin", required: true)] }
    }

    private static func handler(_ path: String, _ id: String, _ summary: String) -> OpenAPIOperation {
        .page(.get, path, id, summary).with {
            $0.query = ["apiKey", "appName", "authType", "providerId", "redirectUrl"].map { Schema.query($0) }
        }
    }
}
