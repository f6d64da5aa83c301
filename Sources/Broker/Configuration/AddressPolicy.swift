import NIOCore

/// The addresses that requests to a provider may be sent to.
///
/// Checked for every address a host name resolves to, before a connection is opened to it, and once more on the
/// connected socket.
enum AddressPolicy: Sendable {
    /// Addresses of the public internet only.
    case publicInternet
    /// This host only, for entries that set `allowInsecureLoopback`.
    case loopback
    /// The ranges an operator allowed, in place of the public internet.
    case networks([PrivateNetwork])
    /// The addresses that either policy allows.
    indirect case either(AddressPolicy, AddressPolicy)

    func allows(_ address: SocketAddress?) -> Bool {
        guard let address, let bytes = IPAddressBytes(address) else { return false }
        return switch self {
        case .publicInternet: !Self.special.contains { $0.contains(bytes) }
        case .loopback: Self.loopbackRanges.contains { $0.contains(bytes) }
        case .networks(let networks): networks.contains { $0.contains(bytes, port: address.port) }
        case .either(let first, let second): first.allows(address) || second.allows(address)
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

/// A range of private addresses that requests may be sent to, and the ports they may use there.
package struct PrivateNetwork: Sendable, Hashable {
    package let range: AddressRange
    /// `nil` allows every port.
    package let ports: Set<Int>?

    /// The ports of an entry's network that names none.
    static let defaultPorts = [443]

    package init(range: AddressRange, ports: Set<Int>? = nil) {
        self.range = range
        self.ports = ports
    }

    func contains(_ address: IPAddressBytes, port: Int?) -> Bool {
        guard range.contains(address) else { return false }
        guard let ports else { return true }
        return port.map(ports.contains) ?? false
    }
}
