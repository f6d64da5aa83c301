import BrokerStore
import Hummingbird

/// A browser's request to the hosted pages: its session and language.
struct Visit: Sendable {
    /// The browser's session, if it is valid.
    let session: SessionFacts?
    /// The cookie that forms are sealed for; a new one is set with the answer.
    let browser: String
    /// The cookies that the request's form may have been sealed for.
    let knownAs: [String]
    let cookies: RequestCookies
    var language: PageLanguage
    let requestID: String
    /// Its own path and query, for the links to other languages.
    let target: String
    var place: Place
    var device = ClientDevice()

    /// The place in which an answer to the request can be shown.
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

    /// The request, for the audit: with the user where there is a session.
    var origin: Origin {
        Origin(
            session == nil ? .client : .user, actor: session?.user.localID ?? "hosted pages", requestID: requestID,
            device: device)
    }
}
