import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The client's address: the peer of the socket, or the address that trusted proxies forward.
struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]
    /// New in each process, so that logs of different runs cannot be joined by client.
    private let key = SymmetricKey(size: .bits256)

    init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// Eight hexadecimal digits that stand for the address in the log of this run.
    func hash(of request: Request, peer: SocketAddress?) -> String {
        hash(address(of: request, peer: peer) ?? "unknown")
    }

    /// The same for the peer of a socket.
    func hash(ofPeer peer: SocketAddress?) -> String { hash(peer?.ipAddress ?? "unknown") }

    /// The network that a peer's connections count against; `nil` for trusted proxies, which forward many clients.
    func network(ofPeer peer: SocketAddress?) -> ClientNetwork? {
        guard let peer, let bytes = IPAddressBytes(peer), !isTrusted(bytes) else { return nil }
        return ClientNetwork(bytes)
    }

    private func isTrusted(_ address: IPAddressBytes) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    private func hash(_ address: String) -> String {
        let mac = HMAC<SHA256>.authenticationCode(for: Data(address.utf8), using: key)
        return mac.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The network that limits of a request's client count against.
    func network(of request: Request, peer: SocketAddress?) -> ClientNetwork? {
        address(of: request, peer: peer).flatMap { IPAddressBytes($0) }.map(ClientNetwork.init)
    }

    /// The right-most hop that is no trusted proxy: a client can forge those to the left of it.
    func address(of request: Request, peer: SocketAddress?) -> String? {
        guard let peer, let bytes = IPAddressBytes(peer), let socket = peer.ipAddress else { return nil }
        guard isTrusted(bytes) else { return socket }
        let hops = request.headers[values: .xForwardedFor].joined(separator: ",").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        for hop in hops.reversed() {
            guard let address = IPAddressBytes(hop) else { return socket }
            if !isTrusted(address) { return hop }
        }
        return socket
    }
}

/// The hosts this broker answers for, with their ports; a page of another site that resolves to it gets nothing (DNS
/// rebinding).
struct AllowedHosts: Sendable {
    private let names: Set<String>
    private let publicPort: Int?

    /// The host of the public URL, and this machine's names when the broker listens there.
    init(_ configuration: Configuration) {
        var names: Set<String> = []
        let publicURL = URL(string: configuration.publicURL)
        if let host = publicURL?.host() {
            names.formUnion([host.lowercased(), "[\(host.lowercased())]"])
        }
        if ["127.0.0.1", "::1", "localhost"].contains(configuration.listen.host) {
            names.formUnion(["127.0.0.1", "localhost", "[::1]"])
        }
        self.names = names
        publicPort = publicURL.flatMap { $0.port ?? ($0.scheme == "https" ? 443 : 80) }
    }

    /// Whether a `Host` is one of them. Its port is the public URL's or the one the connection came in at; a proxy may
    /// leave it out.
    func contains(_ authority: String, localPort: Int? = nil) -> Bool {
        // The colons of a bracketed IPv6 address stay.
        let start = authority.lastIndex(of: "]") ?? authority.startIndex
        let colon = authority[start...].firstIndex(of: ":") ?? authority.endIndex
        guard names.contains(authority[..<colon].lowercased()) else { return false }
        guard colon < authority.endIndex else { return true }
        let digits = authority[authority.index(after: colon)...]
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits)
        else { return false }
        return [publicPort, localPort].contains(Int(port))
    }
}

extension HTTPField.Name {
    static let xForwardedFor = known("X-Forwarded-For")
}

extension ClientNetwork {
    /// The client whose request the current task answers; `nil` outside of requests.
    static var current: ClientNetwork? { RequestAdmission.current?.network }
}
