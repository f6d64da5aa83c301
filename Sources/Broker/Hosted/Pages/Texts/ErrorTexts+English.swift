extension ErrorTexts {
    static let english = ErrorTexts(
        attemptUnknownOrUsed: .init(
            headline: "This sign-in is no longer valid",
            happened: "It was already used, it has expired, or it was started in another browser.",
            advice: "Go back to the app and start again."),
        otherBrowser: .init(
            headline: "Continue in the browser you started in",
            happened: "This sign-in was started in another browser or on another device.",
            advice: "Go back there to finish it. If you did not start it, close this page: nothing has happened."),
        providerRefused: .init(
            headline: "{} did not confirm the sign-in",
            happened: "{} sent you back without confirming who you are.",
            advice: "Start again. If it happens once more, choose another way to sign in."),
        cancelled: .init(
            headline: "Sign-in cancelled",
            happened: "You cancelled at {}, or did not give the permission it asked for. Nothing has changed.",
            advice: "You can start again at any time."),
        providerUnavailable: .init(
            headline: "{} does not answer",
            happened: "We could not reach {} just now.",
            advice: "Try again in a few minutes, or choose another way to sign in."),
        providerMisconfigured: .init(
            headline: "Sign-in with {} is not set up correctly",
            happened: "{} does not accept the settings of this site. This is not your mistake.",
            advice: "Choose another way to sign in, and please tell the operator of this site."),
        clientUnknown: .init(
            headline: "This app is not registered here",
            happened: "The client_id of this request belongs to no app of this broker.",
            advice: "For developers: register the app with “broker clients add” and use the client_id it prints."),
        redirectNotRegistered: .init(
            headline: "This app's return address is not registered",
            happened: "The redirect_uri of this request is none of those registered for the app.",
            advice: """
                For developers: register the exact address, byte for byte. “broker clients show” lists the ones that count.
                """),
        badRequest: .init(
            headline: "This request is incomplete",
            happened: "The link or the app that brought you here sent something that cannot be understood.",
            advice: "Go back and start again. For developers: {}"),
        accountDisabled: .init(
            headline: "This account is disabled",
            happened: "It exists, but nobody can sign in to it at the moment.",
            advice: "Ask the operator of this site for help."),
        alreadyLinkedElsewhere: .init(
            headline: "This {} account belongs to someone else here",
            happened: "It is already connected to another account of this site. Nothing has changed.",
            advice: "Sign in with it instead, or disconnect it there first."),
        providerAlreadyLinked: .init(
            headline: "Your account already has a {} account",
            happened: "Only one account of each provider can be connected. Nothing has changed.",
            advice: "Disconnect the present one first, then connect the new one."),
        emailTaken: .init(
            headline: "This e-mail address is already in use",
            happened: "The address of the {} account belongs to another account here. Nothing has changed.",
            advice: "Sign in to that account and connect from there."),
        lastWayIn: .init(
            headline: "This is your only way to sign in",
            happened: "Without it you could not come back to this account. Nothing has changed.",
            advice: "Connect another way to sign in first."),
        notFound: .init(
            headline: "There is nothing here",
            happened: "The address is wrong, or the page has moved.",
            advice: "Check the address, or go back."),
        unavailable: .init(
            headline: "We will be right back",
            happened: "The service cannot answer at the moment. Your account is safe.",
            advice: "Try again in a few minutes."),
        notAllowed: .init(
            headline: "We could not be sure that this was you",
            happened: "The request did not come from a page of this site, or the page was open for too long.",
            advice: "Nothing has changed. Open the page again and repeat what you did."))
}
