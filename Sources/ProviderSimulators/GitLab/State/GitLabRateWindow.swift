import Foundation

/// How much of an hour's calls somebody has used.
struct GitLabRateWindow: Sendable {
    let limit: Int
    let resetsAt: Date
    var observed = 0

    var remaining: Int { max(limit - observed, 0) }
}

extension GitLabState {
    /// Counts a person's call; `nil` where nothing is limited.
    mutating func countCall(of personID: Int64, limit: Int?, now: Date) -> GitLabRateWindow? {
        guard let limit else { return nil }
        var window = rateWindows[personID] ?? GitLabRateWindow(limit: limit, resetsAt: now.addingTimeInterval(3600))
        if window.resetsAt <= now {
            window = GitLabRateWindow(limit: limit, resetsAt: now.addingTimeInterval(3600))
        }
        window.observed += 1
        rateWindows[personID] = window
        return window
    }
}
