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
    var place: Place
    var device = ClientDevice()

    /// Where an answer to the request can be shown.
    enum Place: Sendable {
        /// At its own address: asking again shows the same page.
        case own
        /// At its own address, whose other languages need an address that can be asked for again.
        case posted
        /// At another address: what the request carried is consumed.
        case consumed

        /// Answers of providers are consumed at the latest when they are read.
        init(_ request: Request) {
            let isRepeatable = request.method == .get && request.head.path?.hasPrefix("/oauth/callback/") != true
            self = isRepeatable ? .own : .posted
        }
    }

    /// Who asks, for the audit: the person where one is known.
    var origin: Origin {
        Origin(
            session == nil ? .client : .user, actor: session?.user.localID ?? "hosted pages", requestID: requestID,
            device: device)
    }
}
