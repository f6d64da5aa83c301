/// What is measured, how much of it at once, and which other figures it may be compared with.
struct CaseName: Sendable, Hashable {
    /// Kept apart: figures of two regimes say nothing about each other.
    enum Regime: String, Sendable, CaseIterable, Encodable {
        /// Processor time, with the stores in memory.
        case cpu
        /// Commits, with the stores on a disk.
        case durability
        /// Waiting time at a given rate, with the stores on a disk.
        case latency
    }

    enum Operation: String, Sendable, CaseIterable {
        case hello = "hello (bare route)"
        /// The bare route at the executor that ratios are not taken with.
        case otherHello = "hello, other executor"
        /// The same answer by a channel handler on NIO, without Hummingbird.
        case nioHello = "hello, NIO alone"
        /// The same answer by a program in C.
        case epollHello = "hello, C over epoll"
        case bareJSON = "bare JSON route"
        case keySet = "JWKS"
        case discovery = "discovery"
        /// Every user's token in turn.
        case lookup = "accounts:lookup"
        /// Tokens that the broker has verified a moment before.
        case lookupKnown = "accounts:lookup, known token"
        /// Each token once.
        case lookupUnseen = "accounts:lookup, token not seen before"
        case lookupBesideFlood = "accounts:lookup beside 8 pipelining"
        case refreshES256 = "token refresh, ES256"
        case refreshRS256 = "token refresh, RS256"
        case firstSignIn = "first sign-in, ES256"
        case signIn = "sign-in, RS256 to ES256"
        case rawRS256Sign = "raw RS256 signature, BoringSSL"
        case openSSLRS256Sign = "raw RS256 signature, OpenSSL"
        case lookupAtAll = "accounts:lookup at all brokers"
        case refreshAtAll = "token refresh at all brokers"
        case groupCommit = "bare group commit"
        case glewlwydRefresh = "Glewlwyd, refresh ES256"
        case lemonLDAPRefresh = "LemonLDAP::NG, refresh RS256"
        case authlibRefresh = "Authlib, refresh ES256"
        case allauthSignIn = "django-allauth, sign-in"

        /// The script of Benchmarks/Peers that runs the server; `nil` for what is ours.
        var peer: String? {
            switch self {
            case .glewlwydRefresh: "glewlwyd"
            case .lemonLDAPRefresh: "lemonldap"
            case .authlibRefresh: "authlib"
            case .allauthSignIn: "allauth"
            default: nil
            }
        }

        /// Whether it is compared with and no operation of a broker's.
        var isYardstick: Bool {
            switch self {
            case .hello, .otherHello, .nioHello, .epollHello, .bareJSON, .rawRS256Sign, .openSSLRS256Sign,
                .groupCommit:
                true
            default: false
            }
        }
    }

    enum Shape: Sendable, Hashable {
        /// A closed loop of so many connections, or so many updates in a commit.
        case closed(Int)
        /// An open loop at so many percent of the rate a closed loop of 64 connections had in the same round.
        case open(Int)
    }

    let regime: Regime
    let operation: Operation
    let shape: Shape
    /// Whether the brokers are those of `--baseline`.
    let isBaseline: Bool

    init(_ regime: Regime, _ operation: Operation, _ shape: Shape, isBaseline: Bool = false) {
        self.regime = regime
        self.operation = operation
        self.shape = shape
        self.isBaseline = isBaseline
    }

    /// The fill of a store.
    static func firstSignIn(_ regime: Regime, isBaseline: Bool) -> CaseName {
        CaseName(regime, .firstSignIn, .closed(Population.connections), isBaseline: isBaseline)
    }

    /// The same of the brokers of `--baseline`.
    var ofBaseline: CaseName { CaseName(regime, operation, shape, isBaseline: true) }

    /// Whether its ratio is recorded and checked.
    var isChecked: Bool {
        regime == .cpu && shape == .closed(16) && !isBaseline && !operation.isYardstick && operation.peer == nil
    }

    /// The operation, and whose it is.
    var title: String { operation.rawValue + (isBaseline ? ", baseline" : "") }

    var load: String {
        switch shape {
        case .closed(let count): "c\(count)"
        case .open(let percent): "\(percent) %"
        }
    }

    /// Where it stands in the table.
    var order: (Int, Int, Int, Int) {
        let operation = Operation.allCases.firstIndex(of: operation) ?? 0
        let regime = Regime.allCases.firstIndex(of: regime) ?? 0
        return switch shape {
        case .closed(let count): (regime, operation, count, isBaseline ? 1 : 0)
        case .open(let percent): (regime, operation, 1000 + percent, isBaseline ? 1 : 0)
        }
    }
}
