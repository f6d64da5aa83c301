import BrokerStore
import Crypto
import JOSE
import Synchronization

/// The requester that the row of an unfinished sign-in counts against.
enum Requester: Sendable, Hashable {
    /// A caller that has proven nothing, by its network; nil for those without an address.
    case network(ClientNetwork?)
    /// An OAuth client that has proven who it is: all its users come through one address.
    case client(String)
    /// A command on the broker's host.
    case administrator

    /// The caller of the request that this task answers.
    static var current: Requester { .network(ClientNetwork.current) }

    /// A client that asks: itself if it has a secret, else the caller.
    init(_ client: Client) {
        self = client.kind == .confidential ? .client(client.id) : .current
    }
}

/// Bounds the rows that callers can have the store keep before they have proven anything.
///
/// No request is refused. Beyond an address's own limit its oldest row goes; beyond the limit of all together the oldest row
/// of the address with the most rows, which in a flood is the flood's. Continued rows go last. Clients that
/// have proven who they are have a tenth of the total each, and give way to no other.
struct OpenRowLimiter: StoreLayer {
    let stored: StoreContext
    private let limits: OpenRowLimits
    private let insertions = Insertions()

    /// Rows inserted by this process since the last look at the total.
    private final class Insertions: Sendable {
        let counts = Mutex<[OpenTable: Int]>([:])
    }

    /// The names of networks begin with this, those of proven requesters with a letter before.
    private static let networks = "n"
    /// The names of commands on the host begin with this. The rest depends on the master key.
    static let administrators = "a"
    /// How many of the requesters with the most rows are cut at once.
    private static let sharesAtOnce = 100

    init(_ stored: StoreContext, limits: OpenRowLimits) {
        self.stored = stored
        self.limits = limits
    }

    /// Makes room for one more row.
    ///
    /// - Returns: The requester's column of the row: a keyed hash, since addresses are personal data.
    /// - Throws: A store's error.
    func admit(_ requester: Requester, to table: OpenTable) async throws -> String {
        let name = name(of: requester)
        let isProven = if case .network = requester { false } else { true }
        let limit = isProven ? max(limits.total / 10, limits.perAddress) : limits.perAddress
        // Strangers would share the limit of all clients that their proxies do not know.
        if requester != .network(nil) { try await makeRoom(for: name, in: table, limit) }
        if isLookDue(table) { try await limitTotal(of: table) }
        return name
    }

    private func makeRoom(for requester: String, in table: OpenTable, _ limit: Int) async throws {
        // Rows beyond the limit may be left from a larger one.
        let found = try await store.read { try $0.rows(of: requester, in: table, atMost: limit * 2) }
        guard found >= limit else { return }
        // A tenth at once, so that a flood does not cost a deletion for each row.
        let excess = found - limit + max(limit / 10, 1)
        _ = try await store.write { try $0.trim(table, of: requester, by: excess) }
    }

    /// Whether this process has inserted so many rows that the total may be too large. Counting takes time, so the total
    /// is exceeded by a hundredth before it is seen.
    private func isLookDue(_ table: OpenTable) -> Bool {
        let interval = max(limits.total / 100, 1)
        return insertions.counts.withLock { counts in
            let count = counts[table, default: interval] + 1
            counts[table] = count > interval ? 0 : count
            return count > interval
        }
    }

    private func limitTotal(of table: OpenTable) async throws {
        let total = limits.total
        while true {
            let (rows, shares) = try await store.read { transaction in
                let rows = try transaction.rows(in: table)
                guard rows >= total else { return (rows, [RequesterShare]()) }
                return (rows, try transaction.largestShares(of: table, from: Self.networks, limit: Self.sharesAtOnce))
            }
            let cuts = Self.cuts(of: shares.map(\.rows), by: rows - total + max(total / 100, 1))
            guard rows >= total, cuts.contains(where: { $0 > 0 }) else { return }
            for (share, cut) in zip(shares, cuts) where cut > 0 {
                _ = try await store.write { try $0.trim(table, of: share.requester, by: cut) }
            }
        }
    }

    /// How many rows each share loses when `excess` rows are taken one by one, always from the largest.
    ///
    /// - Parameters:
    ///   - shares: The largest first.
    ///   - excess: How many rows go.
    /// - Returns: A number for each share.
    static func cuts(of shares: [Int], by excess: Int) -> [Int] {
        var left = excess
        for (index, share) in shares.enumerated() {
            let count = index + 1
            let next = count < shares.count ? shares[count] : 0
            let room = (share - next) * count
            guard room < left else {
                let (each, rest) = left.quotientAndRemainder(dividingBy: count)
                return shares.enumerated().map { position, rows in
                    position < count ? rows - share + each + (position < rest ? 1 : 0) : 0
                }
            }
            left -= room
        }
        return shares
    }

    private func name(of requester: Requester) -> String {
        let (kind, name): (String, [UInt8]) =
            switch requester {
            case .network(let network): (Self.networks, network?.bytes ?? [])
            case .client(let id): ("c", Array(id.utf8))
            case .administrator: (Self.administrators, [])
            }
        let key = masterKey.signingSecret(for: .requesters).key
        let mac = HMAC<SHA256>.authenticationCode(for: Array(kind.utf8) + name, using: key)
        return kind + Base64URL.encode(Array(mac.prefix(12)))
    }
}
