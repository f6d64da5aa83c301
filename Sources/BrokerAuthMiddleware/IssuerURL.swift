/// A broker's public URL: an origin, `https` unless it is this machine.
struct IssuerURL: Sendable {
    let text: String

    init(_ text: String) throws(BrokerTokensError) {
        let form = /(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?/
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let match = text.wholeMatch(of: form) else {
            throw BrokerTokensError(
                "the issuer must be the broker's publicURL, such as https://id.example.com, without a path")
        }
        let host = match.2
        let isLoopback = host == "localhost" || host == "[::1]" || host.wholeMatch(of: /127(\.[0-9]{1,3}){3}/) != nil
        guard match.1 == "https" || isLoopback else {
            throw BrokerTokensError("the issuer must be https, unless it is this machine")
        }
        self.text = text
    }

    /// Whether a URL is one of this origin.
    func isOrigin(of url: String) -> Bool {
        url.utf8.starts(with: (text + "/").utf8) && url.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
