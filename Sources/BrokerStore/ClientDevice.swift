import Foundation

/// The client device of a request, stored with a session so that its user recognises the session. No decision depends
/// on it, because the client controls its values.
package struct ClientDevice: Sendable, Equatable {
    /// `User-Agent` (RFC 9110 §10.1.5), cut to ``maximumLength`` bytes.
    package let userAgent: String?
    /// The IP address of the client, or of the first hop that is no trusted proxy.
    package let address: String?

    package init(userAgent: String? = nil, address: String? = nil) {
        self.userAgent = userAgent.flatMap {
            $0.isEmpty ? nil : String(decoding: $0.utf8.prefix(Self.maximumLength), as: UTF8.self)
        }
        self.address = address
    }

    /// The network of the address, which is no personal data of its own: an IPv4 /24 or an IPv6 /48. Nil for what is no
    /// address.
    package var addressPrefix: String? {
        guard let address else { return nil }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, address, &four) == 1 {
            return withUnsafeBytes(of: four) { "\($0[0]).\($0[1]).\($0[2]).0/24" }
        }
        guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { bytes in
            if bytes.starts(with: Self.mappedPrefix) { return "\(bytes[12]).\(bytes[13]).\(bytes[14]).0/24" }
            let groups = (0..<3).map { UInt16(bytes[$0 * 2]) << 8 | UInt16(bytes[$0 * 2 + 1]) }
            return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
        }
    }

    /// An IPv4 address in IPv6 (RFC 4291 §2.5.5.2).
    private static let mappedPrefix: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    /// Browsers send up to 200 bytes.
    private static let maximumLength = 256
}
