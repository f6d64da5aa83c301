import Foundation
import HTTPTypes
import ProviderKit

/// The rules of all calls of the REST API: credentials, accounts that may not be used, rate limits.
enum SimulatedGitLabAPI {
    /// Answers a call made with a token, by `Authorization: Bearer` or the `access_token` field.
    static func answer(
        _ request: SimulatorRequest, in state: inout GitLabState,
        with handler: (GitLabSimulator.Person, GitLabState) -> SimulatorResponse
    ) throws -> SimulatorResponse {
        let value = try request.authorization(scheme: "bearer") ?? request.queryFields()["access_token"]
        let person = try state.caller(using: value)
        guard let limit = state.options.rateLimit else { return handler(person, state) }
        let window = RateWindow.counting(state.rateWindows[person.id], limit: limit, now: state.now)
        state.rateWindows[person.id] = window
        guard !window.isExceeded else { return .gitLabRateLimit(window, now: state.now) }
        var response = handler(person, state)
        response.describe(window)
        return response
    }
}

extension GitLabState {
    /// The user behind a token with a scope that reads the profile.
    fileprivate func caller(using value: String?) throws(Refusal) -> GitLabSimulator.Person {
        guard let value else { throw Refusal(.json(["message": "401 Unauthorized"], status: 401)) }
        let person: GitLabSimulator.Person
        if value.isASCII, let owner = personalTokens[value].flatMap({ self.person($0) }) {
            person = owner
        } else {
            let found: (token: GitLabToken, person: GitLabSimulator.Person)
            do {
                found = try find(value)
            } catch {
                throw Refusal(error.apiResponse)
            }
            guard found.token.scopes.contains(where: GitLabScopes.readingPeople.contains) else {
                throw Refusal(Self.insufficientScope)
            }
            person = found.person
        }
        if let problem = person.state.apiProblem {
            throw Refusal(.json(["message": .string("403 Forbidden - " + problem)], status: 403))
        }
        return person
    }

    private static let insufficientScope = SimulatorResponse.json(
        [
            "error": "insufficient_scope",
            "error_description": "The request requires higher privileges than provided by the access token.",
            "scope": .string(GitLabScopes.readingPeople.joined(separator: " ")),
        ], status: 403)
}

extension GitLabTokenProblem {
    fileprivate var apiResponse: SimulatorResponse {
        let description =
            switch self {
            case .revoked: "Token was revoked. You have to re-authorize from the user."
            case .expired: "Token is expired. You can either do re-authorization or token refresh."
            case .missing, .unknown: "Bad Access Token."
            }
        return .json(["error": "invalid_token", "error_description": .string(description)], status: 401)
    }
}

extension GitLabSimulator.Person.State {
    /// The reason the API refuses a user. A locked account is served: only sign-in is locked.
    fileprivate var apiProblem: String? {
        switch self {
        case .active: nil
        case .blocked, .ldapBlocked, .banned: "Your account has been blocked."
        case .deactivated:
            "Your account has been deactivated by your administrator. Please log back in to reactivate your account."
        }
    }
}

extension SimulatorResponse {
    fileprivate mutating func describe(_ window: RateWindow) {
        headers[text: "RateLimit-Limit"] = String(window.limit)
        headers[text: "RateLimit-Name"] = "throttle_authenticated_api"
        headers[text: "RateLimit-Observed"] = String(window.observed)
        headers[text: "RateLimit-Remaining"] = String(window.remaining)
        headers[text: "RateLimit-Reset"] = String(window.resetsAt.epochSeconds)
    }

    /// Plain text, as GitLab's rate limiter answers.
    fileprivate static func gitLabRateLimit(_ window: RateWindow, now: Date) -> SimulatorResponse {
        var response = SimulatorResponse.text("Retry later\n", status: 429)
        response.describe(window)
        response.headers[.retryAfter] = String(max(window.resetsAt.epochSeconds - now.epochSeconds, 1))
        response.headers[text: "RateLimit-ResetTime"] = window.resetsAt.httpText
        return response
    }
}

extension Date {
    /// As HTTP header fields have it (RFC 9110 §5.6.7).
    fileprivate var httpText: String {
        formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                    \(second: .twoDigits) GMT
                    """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)))
    }
}
