/// A URL that events or logout tokens are posted to, as an operator registers it.
package struct DeliveryURL: Sendable, Hashable {
    package let text: String

    /// The reason why nothing can be posted to a URL, for the operator.
    package struct Refusal: Error, Sendable, Equatable {
        package let reason: String
    }

    private static let maximumLength = 2000

    /// - Parameters:
    ///   - text: The URL: https, or http to this machine where that is allowed.
    ///   - allowsInsecureLoopback: `egress.allowInsecureLoopback`.
    /// - Throws: ``Refusal``.
    package init(checking text: String, allowsInsecureLoopback: Bool) throws(Refusal) {
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && !#"\"<>^`{|}'#"#.utf8.contains($0)
        }
        guard isPlain, text.utf8.count <= Self.maximumLength else {
            throw Refusal(
                reason: "it has a fragment or a character that is to be percent-encoded, or more than "
                    + "\(Self.maximumLength) characters")
        }
        guard let parts = URIParts(text), let authority = parts.authority,
            let (host, _) = URIParts.hostAndPort(authority),
            HTTPUpstream.Target(text, allowsInsecureLoopback: true) != nil
        else { throw Refusal(reason: "it is no absolute https URL") }
        if let refusal = HostName.refusal(of: host) { throw Refusal(reason: refusal) }
        if parts.scheme != "https" {
            guard allowsInsecureLoopback, Configuration.isLoopback(url: text) else {
                throw Refusal(
                    reason: "it must be https; http is for this machine, where egress.allowInsecureLoopback of "
                        + "broker.json is true")
            }
        }
        self.text = text
    }
}
