extension Upstream {
    /// Sends a request and decodes the JSON of a success response.
    ///
    /// - Throws: ``ProviderError``. 401, 403 and 404 are faults of the credential, which is correct for requests with a
    ///   user's token; requests with our client's secret map the status themselves. At the step
    ///   ``ProviderError/Step/fetchProfile`` other statuses 4xx are as well, but for those that ask to wait.
    public func json<Answer: Decodable>(
        _ type: Answer.Type, _ request: UpstreamRequest
    ) async throws(ProviderError) -> Answer {
        let response = try await send(request)
        guard (200..<300).contains(response.status) else { throw response.refusal(at: request.step) }
        return try response.decode(type, at: request.step)
    }
}

extension UpstreamResponse {
    /// The body as JSON, parsed strictly: no duplicate names, bounded depth.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when it is not.
    public func jsonValue(at step: ProviderError.Step) throws(ProviderError) -> JSONValue {
        do {
            return try JSONValue(parsing: body)
        } catch {
            throw ProviderError(.upstream, at: step, "the answer (status \(status)) is no JSON: \(error)")
        }
    }

    /// The body decoded from strictly parsed JSON.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when it has another shape.
    public func decode<Answer: Decodable>(
        _ type: Answer.Type, at step: ProviderError.Step
    ) throws(ProviderError) -> Answer {
        let value = try jsonValue(at: step)
        do {
            return try JSONValueDecoder().decode(type, from: value)
        } catch {
            throw ProviderError(.upstream, at: step, "the answer has an unexpected shape: \(error)")
        }
    }

    /// The error of a non-success status, for requests with a user's token.
    public func refusal(at step: ProviderError.Step) -> ProviderError {
        switch status {
        case 400..<500 where step == .fetchProfile && ![408, 425].contains(status) && !isRateLimited:
            ProviderError(.credential, at: step, "the profile is refused with status \(status)")
        case 401, 404: ProviderError(.credential, at: step, "refused with status \(status)")
        case 403 where !isRateLimited: ProviderError(.credential, at: step, "refused with status 403")
        default:
            ProviderError(.upstream, at: step, "answered with status \(status)", retryAfter: retryAfter)
        }
    }

    /// Whether the provider refused the request because of a rate limit (RFC 6585 §4, or 403 with the usual headers).
    public var isRateLimited: Bool {
        status == 429
            || status == 403 && (header("Retry-After") != nil || header("x-ratelimit-remaining") == "0")
    }
}
