/// The URL of a page that an operator registered for the hosted pages to link to.
package struct PageURL: Sendable, Hashable {
    package let text: String

    /// The reason why a page cannot link to a URL.
    package struct Refusal: Error, Sendable, Equatable {
        /// A clause such as `it is no absolute https URL`.
        package let reason: String
    }

    private static let maximumLength = 2000

    /// - Parameters:
    ///   - text: https, or http to this machine.
    ///   - allowsMail: Whether it may be a `mailto:` address instead.
    /// - Throws: ``Refusal``.
    package init(checking text: String, allowsMail: Bool = false) throws(Refusal) {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && !#"\"<>^`{|}'"#.utf8.contains($0)
        }
        guard isPlain, text.utf8.count <= Self.maximumLength else {
            throw Refusal(
                reason:
                    "it has a character that is to be percent-encoded, or more than \(Self.maximumLength) characters")
        }
        guard !(allowsMail && Self.isMail(text)) else {
            self.text = text
            return
        }
        guard let parts = URIParts(text), let authority = parts.authority, !authority.contains("@"),
            let (host, _) = URIParts.hostAndPort(authority)
        else { throw Refusal(reason: "it is no absolute https URL\(allowsMail ? " and no mailto: address" : "")") }
        if let refusal = HostName.refusal(of: host) { throw Refusal(reason: refusal) }
        guard parts.scheme == "https" || (parts.scheme == "http" && Configuration.isLoopback(url: text)) else {
            throw Refusal(reason: "it must be https; http is for this machine")
        }
        self.text = text
    }

    /// One address without header fields (RFC 6068).
    private static func isMail(_ text: String) -> Bool {
        text.wholeMatch(of: /mailto:[A-Za-z0-9.!#$%&*+\/=_~\-]+@[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?/) != nil
    }
}
