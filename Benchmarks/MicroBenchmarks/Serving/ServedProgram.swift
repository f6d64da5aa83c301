import ArgumentParser

/// A server this executable runs as, when it starts itself with `--serve`.
enum ServedProgram: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
    /// A bare route, the yardstick.
    case hello
    /// A broker of policy `strict`, whose tokens are ES256.
    case es256
    /// A broker of policy `firebase`, whose tokens are RS256.
    case rs256
}

/// What a server tells the process that started it, as one line of JSON, once it listens.
struct ServerAnnouncement: Codable, Sendable {
    let port: Int
    /// ID tokens of the people its store knows.
    var idTokens: [String] = []
    /// Their refresh tokens, in the same order.
    var refreshTokens: [String] = []
}
