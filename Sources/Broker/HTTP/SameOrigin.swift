import Foundation
import HTTPTypes
import Hummingbird
import ProviderKit

/// Lets only this broker's own pages post to it.
///
/// A page whose forms post here must not say `Referrer-Policy: no-referrer`, with which browsers write `Origin: null`
/// (Fetch, "append a request `Origin` header"); `same-origin` keeps it and tells other sites nothing either.
struct SameOrigin: Sendable {
    private let origin: String

    init(publicURL: String) {
        origin = WebOrigin(URL(string: publicURL)).text
    }

    /// - Throws: ``ForeignRequest`` when the browser names another origin or none, or says that another site asks.
    func check(_ request: Request) throws(ForeignRequest) {
        let origins = request.headers[values: .origin]
        guard origins.count == 1, origins[0].hasSameBytes(as: origin) else { throw ForeignRequest() }
        let sites = request.headers[values: Self.fetchSite]
        guard sites.allSatisfy({ $0.hasSameBytes(as: "same-origin") }) else { throw ForeignRequest() }
    }

    private static let fetchSite = HTTPField.Name.known("Sec-Fetch-Site")
}

extension Request {
    /// Whether a browser sends it: a page of another site can have it ask private addresses, by names of its own too.
    var isFromBrowser: Bool {
        headers.contains { $0.name == .origin || $0.name.canonicalName.hasPrefix("sec-fetch-") }
    }
}

extension Request {
    /// Whether it asks for a page, as browsers do when they open an address.
    var acceptsPage: Bool { method == .get && headers[.accept]?.contains("text/html") == true }
}

/// A form came from somewhere else than this broker's own pages.
struct ForeignRequest: Error, Equatable {}
