import Foundation
public import StrictJSON

/// Where an answer names its next page.
public enum NextPage: Sendable {
    /// In the header `Link`, with the relation `next` (RFC 8288).
    case link
    /// In the body: a URL at this place, absolute or relative to the page; `null`, empty or missing on the last one.
    case pointer(JSONPointer)
}

extension Upstream {
    /// Sends a request and those for the pages that follow, each with the same method and header fields.
    ///
    /// The request has a credential, so a page of another origin is not requested (RFC 6454 §4).
    ///
    /// - Parameters:
    ///   - request: The request for the first page, without a body.
    ///   - next: Where each page names the next one.
    ///   - limit: The most pages that a complete list may have.
    /// - Returns: The pages in their order. The first response that is no success ends the list and is its last element.
    /// - Throws: ``ProviderError``; fault ``ProviderError/Fault/upstream`` for a list of more pages, for a page of another
    ///   origin, and for one that came before.
    public func pages(
        _ request: UpstreamRequest, next: NextPage = .link, atMost limit: Int = 10
    ) async throws(ProviderError) -> [UpstreamResponse] {
        var pages: [UpstreamResponse] = []
        var urls = [request.url]
        while let url = urls.last {
            guard pages.count < limit else {
                throw ProviderError(.upstream, at: request.step, "the list has more than \(limit) pages")
            }
            let response = try await send(request.at(url))
            pages.append(response)
            guard (200..<300).contains(response.status), let target = try response.target(of: next, at: request.step)
            else { break }
            guard let following = PageURL(target, after: url) else {
                throw ProviderError(.upstream, at: request.step, "the next page is at another origin")
            }
            guard !urls.contains(where: { $0.hasSameBytes(as: following.text) }) else {
                throw ProviderError(.upstream, at: request.step, "the pages repeat")
            }
            urls.append(following.text)
        }
        return pages
    }
}

/// The URL of a page at the origin of the page before it.
private struct PageURL {
    let text: String

    /// - Returns: `nil` for another origin, and for a text that is no URL.
    init?(_ target: String, after page: String) {
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let base = URL(exactly: page), let url = URL(string: target, relativeTo: base)?.absoluteURL,
            url.user() == nil, let origin = Self.origin(of: url), origin == Self.origin(of: base)
        else { return nil }
        text = url.absoluteString
    }

    private static func origin(of url: URL) -> [String]? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else { return nil }
        return [scheme, host, String(url.port ?? (scheme == "https" ? 443 : 80))]
    }
}

extension UpstreamResponse {
    /// The target of the next page; `nil` on the last one.
    fileprivate func target(of next: NextPage, at step: ProviderError.Step) throws(ProviderError) -> String? {
        switch next {
        case .link:
            return headers.lazy.filter { $0.name.lowercasedASCII == "link" }.compactMap { Self.next(in: $0.value) }
                .first
        case .pointer(let pointer):
            switch try jsonValue(at: step)[pointer] {
            case nil, .null: return nil
            case .string(let text): return text.isEmpty ? nil : text
            default: throw ProviderError(.upstream, at: step, "the place of the next page has no text")
            }
        }
    }

    /// The target of the first link with the relation `next` in a field value (RFC 8288 §3).
    private static func next(in field: String) -> String? {
        var rest = Substring(field)
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let parameters = linkParameters(&rest)
            guard let relations = parameters.first(where: { $0.name == "rel" })?.value else { continue }
            if relations.split(separator: " ").contains(where: { $0.lowercased() == "next" }) { return String(target) }
        }
        return nil
    }

    /// Reads the parameters of one link, up to the comma that ends it.
    private static func linkParameters(_ rest: inout Substring) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard rest.first == ";" else { break }
            let name = rest.dropFirst().prefix { !"=;,".contains($0) }
            rest = rest[name.endIndex...]
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value: Substring
            if rest.first == "\"" {
                value = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { !";, ".contains($0) }
                rest = rest[value.endIndex...]
            }
            parameters.append((name.trimmingCharacters(in: .whitespaces).lowercased(), String(value)))
        }
        return parameters
    }
}
