import StrictJSON

extension Browser {
    /// A request that left the browser.
    package struct Request: Sendable, CustomStringConvertible {
        package let method: String
        package let url: String
        /// The names of the cookies that went along.
        package let cookies: Set<String>
        /// The names of cookies that were kept back, such as by their `SameSite`.
        package let withheldCookies: Set<String>

        package var description: String { "\(method) \(url)" }
    }

    /// Every request since the last time this was asked, redirects included, in order. Only a browser with
    /// ``BrowserOptions/recordsRequests`` knows.
    package func requests() async throws -> [Request] {
        let entries = try await session.send(.post, "/se/log", ["type": "performance"]).array ?? []
        let events = entries.compactMap { $0["message"]?.string }
            .compactMap { try? JSONValue(parsing: $0, limits: JSONLimits(maximumDepth: 64, maximumBytes: 16 << 20)) }
            .compactMap { $0["message"] }
        // What was sent on the wire is told apart from what was asked for, in the same order for each id.
        var wire: [String: [JSONValue]] = [:]
        for event in events where event["method"] == "Network.requestWillBeSentExtraInfo" {
            guard let parameters = event["params"], let id = parameters["requestId"]?.string else { continue }
            wire[id, default: []].append(parameters)
        }
        return events.filter { $0["method"] == "Network.requestWillBeSent" }.compactMap { event in
            guard let id = event["params"]?["requestId"]?.string, let request = event["params"]?["request"] else {
                return nil
            }
            let sent = wire[id]?.isEmpty == false ? wire[id]?.removeFirst() : nil
            return Request(request, cookies: sent?["associatedCookies"]?.array ?? [])
        }
    }
}

extension Browser.Request {
    fileprivate init(_ request: JSONValue, cookies: [JSONValue]) {
        func names(_ areBlocked: Bool) -> Set<String> {
            let chosen = cookies.filter { ($0["blockedReasons"]?.array?.isEmpty == false) == areBlocked }
            return Set(chosen.compactMap { $0["cookie"]?["name"]?.string })
        }
        method = request["method"]?.string ?? ""
        url = (request["url"]?.string ?? "") + (request["urlFragment"]?.string ?? "")
        self.cookies = names(false)
        withheldCookies = names(true)
    }
}
