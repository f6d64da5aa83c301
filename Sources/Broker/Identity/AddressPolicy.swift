import NIOCore

/// Which addresses the broker connects to when it asks a provider.
///
/// Decided on the socket's address after the connection stands and before a byte is sent, so neither a redirect, a
/// second DNS answer nor a look-alike host name gets around it.
enum AddressPolicy: Sendable {
    /// Addresses of the public internet only.
    case publicInternet
    /// This host only, for entries that set `allowInsecureLoopback`.
    case loopback
    /// The ranges an operator allowed for one private host.
    case ranges([AddressRange])

    func allows(_ address: SocketAddress?) -> Bool {
        guard let address, let bytes = IPAddressBytes(address) else { return false }
        return switch self {
        case .publicInternet: !Self.special.contains { $0.contains(bytes) }
        case .loopback: Self.loopbackRanges.contains { $0.contains(bytes) }
        case .ranges(let ranges): ranges.contains { $0.contains(bytes) }
        }
    }

    private static let loopbackRanges = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    /// The IANA special-purpose registries (RFC 6890 and later), multicast, and translations that embed IPv4.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
        "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    ].compactMap { AddressRange($0) }
}
