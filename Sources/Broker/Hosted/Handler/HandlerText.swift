/// The texts of the handler page while its script works, and when it fails.
struct HandlerText: Sendable, Decodable {
    let working: String
    /// The browser holds nothing of this sign-in, or not any more.
    let lost: String
    /// The page that opened the window is gone.
    let alone: String
    /// The browser keeps nothing for this site.
    let noStorage: String
    let noScript: String

    /// All of it; the script shows one at a time.
    var html: String {
        """
        <p id="working" role="status">\(working.escapedForMarkup)</p>
        <p id="lost" role="alert" hidden>\(lost.escapedForMarkup)</p>
        <p id="alone" role="alert" hidden>\(alone.escapedForMarkup)</p>
        <p id="no-storage" role="alert" hidden>\(noStorage.escapedForMarkup)</p>
        <noscript><p>\(noScript.escapedForMarkup)</p></noscript>
        """
    }
}
