/// The text of each ``ErrorPage/Cause``.
struct ErrorTexts: Sendable, Decodable {
    let attemptUnknownOrUsed, expired, otherBrowser: ErrorText
    let providerRefused, cancelled, providerUnavailable, providerMisconfigured, profileUnusable: ErrorText
    let clientUnknown, redirectNotRegistered, badRequest: ErrorText
    let accountDisabled: ErrorText
    let alreadyLinkedElsewhere, providerAlreadyLinked, emailTaken: ErrorText
    let noAccountToMerge, sameAccount, twoOfOneProvider: ErrorText
    let mergeNeedsAdministrator, undoNeedsAdministrator, otherLoginEnded: ErrorText
    let lastWayIn: ErrorText
    let signUpOff, deletionOff: ErrorText
    let notFound, unavailable, tooManyRequests, notAllowed: ErrorText
}

/// The text of one error page.
struct ErrorText: Sendable, Decodable {
    let headline: Phrase
    /// The event.
    let happened: Phrase
    /// The user's remedy.
    let advice: Phrase
    /// The remedy of a developer.
    let developers: String?
}

/// The links of error pages.
struct ErrorLinksText: Sendable, Decodable {
    let startAgain: String
    let startAgainAt: Phrase
    let account, join: String
    let app, home: Phrase
    /// Above what only developers understand, and before its rows.
    let details, fault, remedy: String
    let reference: String
}
