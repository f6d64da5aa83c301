import Foundation

/// How much of an hour's calls somebody has used.
struct GitHubRateWindow: Sendable {
    /// Calls per hour without credential.
    static let anonymousLimit = 60

    let limit: Int
    let resetsAt: Date
    var used = 0

    var remaining: Int { max(limit - used, 0) }
}

extension GitHubState {
    /// Counts a call; `isAllowed` is false once the hour's calls are used up.
    mutating func countCall(
        of caller: String, limit: Int, now: Date
    ) -> (window: GitHubRateWindow, isAllowed: Bool) {
        var window = rateWindows[caller] ?? GitHubRateWindow(limit: limit, resetsAt: now.addingTimeInterval(3600))
        if window.resetsAt <= now {
            window = GitHubRateWindow(limit: limit, resetsAt: now.addingTimeInterval(3600))
        }
        let isAllowed = window.used < window.limit
        if isAllowed { window.used += 1 }
        rateWindows[caller] = window
        return (window, isAllowed)
    }
}
