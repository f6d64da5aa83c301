import Foundation
import ProviderKit

/// The HTTP client for GitLab, which sends 429 with plain text: the status is an error before the body is parsed.
struct GitLabUpstream: Upstream {
    let upstream: any Upstream
    let now: @Sendable () -> Date

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let response = try await upstream.send(request)
        guard response.status != 429 else {
            throw ProviderError(
                .upstream, at: request.step, "GitLab's rate limit is exceeded", retryAfter: waitingTime(response))
        }
        return response
    }

    /// Seconds until a retry: `Retry-After`, else the end of the limit's window as a date.
    private func waitingTime(_ response: UpstreamResponse) -> Int? {
        if let seconds = response.retryAfter { return seconds }
        guard let text = response.header("RateLimit-ResetTime"), let end = try? Date(text, strategy: Self.httpDate)
        else { return nil }
        return Int(min(max(end.timeIntervalSince(now()).rounded(.up), 1), 86_400))
    }

    /// RFC 9110 §5.6.7.
    private static var httpDate: Date.ParseStrategy {
        Date.ParseStrategy(
            format: """
                \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
                \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                \(second: .twoDigits) GMT
                """,
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, isLenient: false)
    }
}
