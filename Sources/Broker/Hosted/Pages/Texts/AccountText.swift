/// The account page.
struct AccountText: Sendable, Decodable {
    let title, profile, nameless, verified, unverified: String
    let connected, noConnections, since, disconnect: String
    let offers, connect: String
    let sessions, browser, current, lastUsed: String
    let furtherDevices: PluralPhrase
    let signedIn: String
    let signedInWith: Phrase
    let endSession, signOutEverywhere: String
    let merge, mergeText, mergeButton, mergedSince, mergeUndo: String
    let deletion, deletionText, delete: String
    let linked, unlinked: Phrase
    let sessionEnded, merged: String
}
