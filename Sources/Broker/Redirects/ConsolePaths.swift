/// The paths of the console's own routes, below its URL.
enum ConsolePaths {
    static let home = "/console"
    static let signIn = "/console/sign-in"
    static let redirect = "/console/redirect"
    static let resume = "/console/resume"
    static let signOut = "/console/sign-out"

    /// The path at which the console takes a provider's answer from the broker's callback.
    static func callback(of provider: String) -> String { "/console/callback/\(provider)" }

    /// The path of an invitation's link.
    static func invitation(_ secret: String) -> String { "/console/invitation/\(secret)" }
}

extension ConsolePaths {
    /// The longest sealed form that an address takes with it.
    static let longestForm = 6000

    /// The path of a request target.
    static func path(of target: String) -> String { String(target.prefix { $0 != "?" }) }

    /// A path of the console that follows a sign-in; the home page for anything else.
    static func next(_ path: String?) -> String {
        // Nothing that a browser takes for another host.
        guard let path, path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            path == home || path.hasPrefix(home + "/") || path.hasPrefix(home + "?")
        else { return home }
        return path
    }
}
