import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit
import Synchronization

/// The client of a request, with what stands for its address in limits and in the log.
struct RequestClient: Sendable {
    /// The IP address as text; nil for a socket that has none, and where a proxy forwards none.
    let address: String?
    /// The network that limits of the client count against; nil for a client that is unknown.
    let network: ClientNetwork?
    /// Eight hexadecimal digits that stand for the address in the log of this run.
    let hash: String
}

/// One connection, with what its requests have in common.
final class ClientConnection: Sendable {
    let peer: RequestClient
    let isTrustedProxy: Bool
    let localPort: Int?
    /// The hop that a trusted proxy forwarded last, with its client: requests of one client follow each other.
    fileprivate let forwarded = Mutex<(hop: String, client: RequestClient)?>(nil)
    /// The `Host` of its requests that was found among the allowed ones.
    private let host = Mutex<String?>(nil)

    fileprivate init(peer: RequestClient, isTrustedProxy: Bool, localPort: Int?) {
        self.peer = peer
        self.isTrustedProxy = isTrustedProxy
        self.localPort = localPort
    }
}

extension ClientConnection {
    /// Whether a `Host` is one of these, which are the same for all requests of a connection.
    func isAddressed(as authority: String, in hosts: AllowedHosts) -> Bool {
        host.withLock { host in
            if let host, host.hasSameBytes(as: authority) { return true }
            guard hosts.contains(authority, localPort: localPort) else { return false }
            host = authority
            return true
        }
    }
}

/// The client's address: the peer of the socket, or the address that trusted proxies forward.
struct ClientAddress: Sendable {
    let trustedProxies: [AddressRange]
    /// New in each process, so that logs of different runs cannot be joined by client.
    private let key = SymmetricKey(size: .bits256)

    init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// The shared state of a connection's requests.
    func connection(of channel: any Channel) -> ClientConnection {
        let bytes = channel.remoteAddress.flatMap { IPAddressBytes($0) }
        return ClientConnection(
            peer: client(at: bytes.flatMap { _ in channel.remoteAddress?.ipAddress }, bytes),
            isTrustedProxy: bytes.map(isTrusted) ?? false, localPort: channel.localAddress?.port)
    }

    /// The client of a request: the right-most hop that is no trusted proxy, since a client can forge those to the left
    /// of it; the left-most one where all of them are trusted.
    ///
    /// `Forwarded` (RFC 7239) is not read: most proxies pass on the one that a client sends.
    func client(of request: Request, on connection: ClientConnection) -> RequestClient {
        guard connection.isTrustedProxy else { return connection.peer }
        var last: (hop: Substring, node: ForwardedNode)?
        let elements = request.headers[values: .xForwardedFor].joined(separator: ",").split(separator: ",")
        for hop in elements.reversed() {
            guard let node = ForwardedNode(hop) else { continue }
            last = (hop, node)
            guard case .address(_, let bytes) = node, isTrusted(bytes) else { break }
        }
        guard let last else { return connection.peer }
        return connection.forwarded.withLock { forwarded in
            if let forwarded, forwarded.hop.utf8.elementsEqual(last.hop.utf8) { return forwarded.client }
            let client = client(last.node)
            forwarded = (String(last.hop), client)
            return client
        }
    }

    /// Eight hexadecimal digits that stand for the peer of a socket in the log of this run.
    func hash(ofPeer peer: SocketAddress?) -> String { hash(peer?.ipAddress ?? "unknown") }

    /// The network that a peer's connections count against; `nil` for trusted proxies, which forward many clients.
    func network(ofPeer peer: SocketAddress?) -> ClientNetwork? {
        guard let peer, let bytes = IPAddressBytes(peer), !isTrusted(bytes) else { return nil }
        return ClientNetwork(bytes)
    }

    private func client(at address: String?, _ bytes: IPAddressBytes?) -> RequestClient {
        RequestClient(address: address, network: bytes.map(ClientNetwork.init), hash: hash(address ?? "unknown"))
    }

    private func client(_ node: ForwardedNode) -> RequestClient {
        switch node {
        case .address(let text, let bytes): client(at: text, bytes)
        case .unknown: client(at: nil, nil)
        case .name(let name): RequestClient(address: nil, network: ClientNetwork(name: name), hash: hash(name))
        }
    }

    private func isTrusted(_ address: IPAddressBytes) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    private func hash(_ address: String) -> String {
        let mac = HMAC<SHA256>.authenticationCode(for: Data(address.utf8), using: key)
        return Hexadecimal.encode(mac.prefix(4))
    }
}

/// The hosts this broker answers for, with their ports; a page of another site that resolves to it gets nothing (DNS
/// rebinding).
struct AllowedHosts: Sendable {
    private let names: Set<String>
    private let publicPort: Int?

    /// The host of the public URL, and this machine's names when the broker listens there.
    init(_ configuration: Configuration) {
        self.init(publicURL: configuration.publicURL, listeningAt: configuration.listen)
    }

    /// The same of a listener with a URL of its own.
    init(publicURL: String, listeningAt listen: Configuration.ListenAddress) {
        var names: Set<String> = []
        let publicURL = URL(string: publicURL)
        if let host = publicURL?.host() {
            names.formUnion([host.lowercased(), "[\(host.lowercased())]"])
        }
        if ["127.0.0.1", "::1", "localhost"].contains(listen.host) {
            names.formUnion(["127.0.0.1", "localhost", "[::1]"])
        }
        self.names = names
        publicPort = publicURL.flatMap { $0.port ?? ($0.scheme == "https" ? 443 : 80) }
    }

    /// Whether a `Host` is one of them. Its port is the public URL's or the one the connection came in at; a proxy may
    /// leave it out.
    func contains(_ authority: String, localPort: Int? = nil) -> Bool {
        // The colons of a bracketed IPv6 address stay.
        let start = authority.utf8.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let colon = authority.utf8[start...].firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
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
