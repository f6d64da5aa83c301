import ProviderKit

/// `options.userinfoUrl`: a URL with values of the token response in path and query, as in
/// `https://api.example/users/{/user/id}`.
///
/// A value is percent-encoded, so that it can add neither a path segment nor a parameter. The host is fixed, or is a value
/// of the token response that `options.userinfoHosts` lists. `{/access_token}` at the end of the path is the place of the
/// access token.
struct URLTemplate: Sendable {
    private enum Piece {
        case text(String)
        case value(ClaimSource)
    }

    private let pieces: [Piece]
    /// The place of the host among ``pieces``, with the values that it may have; nil where the host is fixed.
    private let host: (index: Int, allowed: [String])?

    /// Whether the access token is the last segment of the path, which ``url(with:)`` leaves out.
    let endsWithToken: Bool
    /// Whether the host may be one of several.
    let hasSeveralHosts: Bool

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    init(_ text: String, hosts: [String], in context: ProviderContext) throws(ProviderError) {
        endsWithToken = text.hasSuffix("/" + Self.token) && !text.contains("?")
        let pieces = try Self.pieces(of: endsWithToken ? String(text.dropLast(Self.token.count)) : text)
        self.pieces = pieces
        hasSeveralHosts = hosts.count > 1
        let index = try Self.hostIndex(among: pieces)
        guard let index else {
            guard hosts.isEmpty else { throw Self.refusal("has a fixed host: remove userinfoHosts") }
            host = nil
            try Self.check(Self.sample(pieces, host: nil), in: context)
            return
        }
        guard (1...32).contains(hosts.count), hosts.allSatisfy(Self.isHost) else {
            throw Self.refusal(
                "takes its host from the token response: list 1 to 32 hosts in userinfoHosts, as in eu.example")
        }
        context.declareEndpoint(text)
        var allowed = index == 0 ? hosts.map { "https://" + $0 } : hosts
        for value in allowed { try Self.check(Self.sample(pieces, host: (index, value)), in: context) }
        if index == 0, context.allowsInsecureLoopback {
            // A simulator has an origin without TLS.
            let plain = hosts.map { "http://" + $0 }
            allowed += plain.filter { (try? Self.check(Self.sample(pieces, host: (index, $0)), in: context)) != nil }
        }
        host = (index, allowed)
    }

    /// The URL, where it is the same for every sign-in.
    var fixedURL: String? {
        guard !endsWithToken, pieces.count == 1, case .text(let url) = pieces[0] else { return nil }
        return url
    }

    /// The URL for one sign-in.
    ///
    /// - Throws: ``ProviderError`` when a value is missing, or the host is none of the listed ones.
    func url(with documents: ClaimDocuments) throws(ProviderError) -> String {
        var url = ""
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text): url += text
            case .value(let source) where index == host?.index: url += try listedHost(documents[source])
            case .value(let source): url += try Self.encoded(documents[source]?.identifier, of: source)
            }
        }
        return url
    }

    private func listedHost(_ value: JSONValue?) throws(ProviderError) -> String {
        guard let allowed = host?.allowed.first(where: { value == .string($0) }) else {
            throw ProviderError(
                .configuration, at: .fetchProfile,
                "the token response names a host that options.userinfoHosts does not list")
        }
        return allowed
    }

    private static func encoded(_ value: String?, of source: ClaimSource) throws(ProviderError) -> String {
        guard let value else {
            throw ProviderError(
                .upstream, at: .readProfile, "there is no value at \(source.description) for options.userinfoUrl")
        }
        // One or two dots would be a path segment of their own.
        guard value.utf8.count <= 256, value.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else {
            throw ProviderError(
                .upstream, at: .readProfile, "the value at \(source.description) cannot be part of options.userinfoUrl")
        }
        return FormEncoding.encode(value)
    }
}

extension URLTemplate {
    /// The place of the access token.
    private static let token = "{/access_token}"

    private static func refusal(_ reason: String) -> ProviderError {
        ProviderError(.configuration, at: .configure, "options.userinfoUrl " + reason)
    }

    /// The pieces of a text whose values stand in braces: a JSON Pointer into the token response, or `callback` and the name
    /// of a parameter.
    private static func pieces(of text: String) throws(ProviderError) -> [Piece] {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        guard let first = parts.first, !first.contains("}"), parts.count <= 9 else {
            throw refusal("must have at most 8 values, each in braces")
        }
        var pieces: [Piece] = first.isEmpty ? [] : [.text(String(first))]
        for part in parts.dropFirst() {
            let halves = part.split(separator: "}", omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw refusal("must have each value in braces, as in {/user/id}") }
            pieces.append(.value(try source(String(halves[0]))))
            if !halves[1].isEmpty { pieces.append(.text(String(halves[1]))) }
        }
        return pieces
    }

    private static func source(_ text: String) throws(ProviderError) -> ClaimSource {
        let isCallback = text.hasPrefix("callback/")
        guard let pointer = ClaimPointer.pointer(isCallback ? String(text.dropFirst("callback".count)) : text),
            let name = pointer.tokens.last, !isCallback || pointer.tokens.count == 1
        else {
            throw refusal(
                "must name values by JSON Pointers into the token response, or as {callback/name}: not {\(text)}")
        }
        guard !OAuth2Client.namesOfTokens.contains(name) else {
            throw refusal(
                "must have the access token at the end of its path or nowhere: userinfoToken sends it otherwise")
        }
        return ClaimSource(pointer: pointer, in: isCallback ? .callback : .token)
    }

    /// The place of a value that is the host, alone or with its scheme; nil where the host is fixed.
    private static func hostIndex(among pieces: [Piece]) throws(ProviderError) -> Int? {
        var index = 0
        if case .text(let text) = pieces.first {
            guard text == "https://" || text == "http://" else {
                let rest = text.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
                guard pieces.count == 1 || rest.contains(where: { $0 == "/" || $0 == "?" }) else {
                    throw refusal("must have values in path and query only, or one as the whole host")
                }
                return nil
            }
            index = 1
        }
        guard pieces.indices.contains(index), case .value(let source) = pieces[index] else {
            throw refusal("must be an https URL")
        }
        guard source.place == .token else {
            throw refusal("must not have its host from the callback, which the browser brings")
        }
        if pieces.indices.contains(index + 1) {
            guard case .text(let rest) = pieces[index + 1], rest.hasPrefix("/") || rest.hasPrefix("?") else {
                throw refusal("must have values in path and query only, or one as the whole host")
            }
        }
        return index
    }

    /// The URL with a host and a letter in the place of each other value, to be checked.
    private static func sample(_ pieces: [Piece], host: (index: Int, value: String)?) -> String {
        pieces.enumerated().map { index, piece in
            if case .text(let text) = piece { return text }
            return index == host?.index ? host?.value ?? "" : "x"
        }.joined()
    }

    private static func check(_ url: String, in context: ProviderContext) throws(ProviderError) {
        do {
            try context.checkEndpoint(url)
        } catch {
            throw refusal(
                "must be an https URL without fragment or user name; http only on this host and with "
                    + #""allowInsecureLoopback": true"#)
        }
    }

    private static func isHost(_ host: String) -> Bool {
        host.utf8.count <= 255 && host.wholeMatch(of: /[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?/) != nil
    }
}
