/// The account page.
struct AccountText: Sendable, Decodable {
    let title, profile, nameless, verified, unverified: String
    let profileSaved: String
    let connected, ways, noConnections, disconnect: String
    let sharesProfile, sharesEmail, sharesBoth: String
    let sharesMore: Phrase
    let offers, connect: String
    let sessions, browser, current, lastUsed: String
    let furtherDevices, entries: PluralPhrase
    let review: String
    let signedIn: String
    let signedInWith: Phrase
    let endSession, signOutEverywhere: String
    let merge, mergeText, mergeButton, mergedSince, mergeUndo: String
    let data, dataText, download, exportedRecently: String
    let deletion, deletionText, delete: String
    let deletionOf, deletionAt: Phrase
    let linked, unlinked: Phrase
    let sessionEnded, merged: String
}
