/// What the `document` template reads.
struct DocumentView: Sendable {
    let language, title, siteName, nonce, style: String
    /// `nil` on pages that need none.
    let script: String?
    let switches: LanguageSwitch?
    /// The name of the page's own template.
    let main: String
    let view: any Sendable
}
