import BrokerStore
import Hummingbird

/// A browser at the hosted pages: who it is, as far as its cookies tell, and how to speak to its person.
struct Visit: Sendable {
    /// Its session, alive.
    let session: SessionFacts?
    /// What forms are sealed for; a new one has to be given to the browser with the answer.
    let browser: String
    /// What forms may have been sealed for that it sends: what it was given before.
    let knownAs: [String]
    let cookies: RequestCookies
    var language: PageLanguage
    let requestID: String
    /// Its own path and query, for the links to other languages.
    let target: String

    /// Who asks, for the audit: the person where one is known.
    var origin: Origin {
        Origin(session == nil ? .client : .user, actor: session?.user.localID ?? "hosted pages", requestID: requestID)
    }
}
