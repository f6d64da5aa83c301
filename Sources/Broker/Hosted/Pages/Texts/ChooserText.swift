/// The sign-in chooser.
struct ChooserText: Sendable, Decodable {
    let title: String
    let titleForApp: Phrase
    let account, usedLast, or, more, terms, privacy: String
    let continueWith: Phrase
    let continueWithApple: String
    let continueAs: Phrase
    let accountExists, accountFound, accountWays: Phrase
    let signInAgain, otherAccount: String
    let cancelled: Phrase
    let unavailable: Phrase
    let nothing: String
    let backToApp: Phrase
    let back: String
    let nameless: String
}
