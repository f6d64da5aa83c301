/// What went wrong, for each cause. See ``ErrorPage/Cause``.
struct ErrorTexts: PageText {
    let attemptUnknownOrUsed, otherBrowser: ErrorText
    let providerRefused, cancelled, providerUnavailable, providerMisconfigured: ErrorText
    let clientUnknown, redirectNotRegistered, badRequest: ErrorText
    let accountDisabled: ErrorText
    let alreadyLinkedElsewhere, providerAlreadyLinked, emailTaken: ErrorText
    let lastWayIn: ErrorText
    let notFound, unavailable, notAllowed: ErrorText
}
