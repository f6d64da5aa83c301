/// The confirmations.
struct ConfirmText: Sendable, Decodable {
    let cancel: String
    let linkTitle: Phrase
    let linkText, linkThere: Phrase
    let linkHere, linkWarning, link: String
    let unlinkTitle, unlinkText, unlinkGrant: Phrase
    let unlinkLast, unlink: String
    let everywhereTitle, everywhereText, everywhere: String
    let deleteConsent, delete: String
    let mergeTitle, mergeText, mergeHere, mergeThere: String
    let mergeSessions: PluralPhrase
    let mergeWaits, keepOwn, keepOther: String
    let undoMergeTitle: Phrase
    let undoMergeText, undoMerge: String
    let signOutTitle: String
    let signOutTitleForApp: Phrase
    let signOutText, signOut: String
}
