import NIOCore
import OAuth

/// A range of IP addresses in CIDR notation (RFC 4632, RFC 4291 §2.3).
package struct AddressRange: Sendable, Hashable {
    private let prefix: IPAddressBytes
    private let length: Int

    /// Reads `10.0.0.0/8`, `fd00::/8`, or one address alone; `nil` when it is anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddressBytes(String(parts[0])) else { return nil }
        let bits = address.bytes.count * 8
        guard let length = parts.count == 1 ? bits : Int(parts[1]), (0...bits).contains(length) else { return nil }
        prefix = address
        self.length = length
    }

    /// Whether an address written as text lies in it; text that is none does not.
    package func contains(ipAddress text: String) -> Bool {
        IPAddressBytes(text).map(contains) ?? false
    }

    func contains(_ address: IPAddressBytes) -> Bool {
        guard address.bytes.count == prefix.bytes.count else { return false }
        let whole = length / 8
        guard address.bytes.prefix(whole).elementsEqual(prefix.bytes.prefix(whole)) else { return false }
        let rest = length % 8
        return rest == 0 || (address.bytes[whole] ^ prefix.bytes[whole]) >> UInt8(8 - rest) == 0
    }
}

/// The bytes of an IPv4 (4) or IPv6 (16) address; IPv4 mapped into IPv6 counts as IPv4.
struct IPAddressBytes: Sendable, Hashable {
    let bytes: [UInt8]

    init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    init?(_ address: SocketAddress) {
        switch address {
        // The address stands behind family and port in sockaddr_in, and behind the flow label too in sockaddr_in6
        // (RFC 3493 §3.3); naming the members would need another import on each platform.
        case .v4(let address):
            bytes = withUnsafeBytes(of: address.address) { Array($0.dropFirst(4).prefix(4)) }
        case .v6(let address):
            let raw = withUnsafeBytes(of: address.address) { Array($0.dropFirst(8).prefix(16)) }
            // ::ffff:0:0/96 (RFC 4291 §2.5.5.2) would smuggle a private IPv4 address past the IPv6 ranges.
            let isMapped = raw.prefix(10).allSatisfy { $0 == 0 } && raw[10] == 0xFF && raw[11] == 0xFF
            bytes = isMapped ? Array(raw.suffix(4)) : raw
        case .unixDomainSocket: return nil
        }
    }
}

/// The network that limits of one client count against: an IPv4 address, a /64 of IPv6 (RFC 4291 §2.5.4), or the name
/// that a proxy has for its client.
struct ClientNetwork: Sendable, Hashable {
    let bytes: [UInt8]
    /// Whether the address is this machine's own.
    let isLoopback: Bool

    init(_ address: IPAddressBytes) {
        bytes = Array(address.bytes.count == 16 ? address.bytes.prefix(8) : address.bytes[...])
        isLoopback =
            address.bytes.count == 4
            ? address.bytes[0] == 127 : address.bytes.last == 1 && address.bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// A client that a proxy names in its own way (RFC 7239 §6.3).
    init(name: String) {
        bytes = RandomText.hash(of: name)
        isLoopback = false
    }

    /// The /48 of IPv6 that it belongs to, which one site often has as a whole (RFC 6177); nil for all others.
    var site: [UInt8]? { bytes.count == 8 ? Array(bytes.prefix(6)) : nil }
}
