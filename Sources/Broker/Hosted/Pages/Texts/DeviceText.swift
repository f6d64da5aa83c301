/// Signing in a device that has no browser.
struct DeviceText: Sendable, Decodable {
    let title, explanation, label, hint, proceed: String
    let wrongCode, expiredCode: String
    let confirmTitle, terminalTitle: String
    let confirmApp, confirmTerminal: Phrase
    let compare, warning, allow, deny: String
    let doneTitle, doneText, deniedTitle, deniedText: String
}
