/// What one error page says.
struct ErrorText: Sendable {
    let headline: Phrase
    /// What happened.
    let happened: Phrase
    /// What the person can do about it.
    let advice: Phrase
}
