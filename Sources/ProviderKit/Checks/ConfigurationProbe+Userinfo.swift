extension ConfigurationProbe {
    /// Checks that a profile is served at its URL, with a token that no provider has issued: it is refused, or answered
    /// with an error of the provider's own.
    ///
    /// - Parameter request: The request of a sign-in, with an invalid token.
    /// - Returns: The finding; `nil` when the endpoint refuses the token.
    public func userinfo(_ request: UpstreamRequest) async -> ConfigurationFinding? {
        let response: UpstreamResponse
        do {
            response = try await context.upstream.send(request)
        } catch {
            return .unanswered(error, asking: request.url)
        }
        switch response.status {
        case 429, 500, 502...: return .providerUnavailable("answered with status \(response.status)", request.url)
        // The broker follows no redirect: it would carry a token to another place.
        case 300..<400: return .userinfoRedirects(request.url, status: response.status)
        case 404, 405, 410, 501: return .userinfoMissing(request.url, status: response.status)
        default: return nil
        }
    }
}

extension ConfigurationFinding {
    fileprivate static func userinfoRedirects(_ url: String, status: Int) -> ConfigurationFinding {
        .init(
            code: "userinfo-redirects", text: "\(url.prefix { $0 != "?" }) redirects (status \(status))",
            fix: "Name the URL that it redirects to: a token is sent nowhere else.")
    }

    fileprivate static func userinfoMissing(_ url: String, status: Int) -> ConfigurationFinding {
        .init(
            code: "userinfo-missing", text: "\(url.prefix { $0 != "?" }) serves no profile (status \(status))",
            fix: "Compare the URL and the method of the userinfo request with the provider's documentation.")
    }
}
