import ProviderKit

/// What can come back from a provider instead of an answer.
enum UpstreamTrouble: String, Sendable, CaseIterable {
    case timeout, serverError = "server-error", unavailable, emptyBody = "empty-body", html, forbidden, unauthorized
    case notFound = "not-found", tooManyRequests = "too-many-requests", hugeAnswer = "huge-answer", redirect
    case duplicateNames = "duplicate-names", nullMembers = "null-members", otherTypes = "other-types"

    /// What happens, in words.
    var words: String {
        switch self {
        case .timeout: "no answer in time"
        case .serverError: "status 500"
        case .unavailable: "status 503 with Retry-After"
        case .emptyBody: "status 200 without a body"
        case .html: "status 200 with a page instead of JSON"
        case .forbidden: "status 403"
        case .unauthorized: "status 401"
        case .notFound: "status 404"
        case .tooManyRequests: "status 429 in plain text"
        case .hugeAnswer: "a mebibyte of JSON"
        case .redirect: "a redirect to somebody else"
        case .duplicateNames: "names that occur twice"
        case .nullMembers: "null in the place of a member"
        case .otherTypes: "another type in the place of a member"
        }
    }

    /// Who may be said to have to act.
    var faults: Set<ProviderError.Fault> {
        switch self {
        case .forbidden, .unauthorized, .notFound, .nullMembers, .otherTypes: [.upstream, .credential, .configuration]
        default: [.upstream]
        }
    }

    /// Whether the plugin may go on with less than it would know on a good day: what the provider refuses or leaves out
    /// is not known, while what is down today has to be asked again tomorrow.
    var allowsLess: Bool { faults.count > 1 }

    /// The status of the answer, when there is one.
    var status: Int? {
        switch self {
        case .timeout: nil
        case .serverError: 500
        case .unavailable: 503
        case .forbidden: 403
        case .unauthorized: 401
        case .notFound: 404
        case .tooManyRequests: 429
        case .redirect: 302
        case .emptyBody, .html, .hugeAnswer, .duplicateNames, .nullMembers, .otherTypes: 200
        }
    }

    /// Seconds the answers that name any ask to wait.
    static let retryAfter = 7

    static let timedOut = ProviderError(.upstream, at: .discover, "no answer in time", obstacle: .timedOut)

    /// What can happen to a call that is answered so on a good day: one way, or one for every member.
    func disturbances(of answer: UpstreamResponse?) -> [(place: String, disturbance: ScriptedUpstream.Disturbance)] {
        let retry = [("Retry-After", "\(Self.retryAfter)")]
        return switch self {
        case .timeout: [("", .failure(Self.timedOut))]
        case .serverError: always(.text("Internal Server Error", status: 500))
        case .unavailable: always(.text("Service Unavailable", status: 503, headers: retry))
        case .emptyBody: always(.status(200))
        case .html: always(.text("<!DOCTYPE html><title>Sign in</title>", type: "text/html"))
        case .forbidden: always(.json(["message": "Forbidden"], status: 403))
        case .unauthorized: always(.json(["message": "Unauthorized"], status: 401))
        case .notFound: always(.json(["message": "Not Found"], status: 404))
        case .tooManyRequests: always(.text("Retry later\n", status: 429, headers: retry))
        case .hugeAnswer: always(.json(["padding": .string(String(repeating: "x", count: 1 << 20))]))
        case .redirect: always(.status(302, headers: [("Location", "https://elsewhere.example/")]))
        case .duplicateNames, .nullMembers, .otherTypes: changes(of: answer)
        }
    }

    private func always(_ answer: UpstreamResponse) -> [(String, ScriptedUpstream.Disturbance)] {
        [("", .answer(answer))]
    }

    private func changes(of answer: UpstreamResponse?) -> [(String, ScriptedUpstream.Disturbance)] {
        guard let answer, let document = try? JSONValue(parsing: answer.body) else { return [] }
        let texts: [(place: String, text: String)] =
            switch self {
            case .nullMembers: document.replacingEachMember { _ in .null }.map { ($0, $1.serialized()) }
            case .otherTypes: document.replacingEachMember(by: \.otherType).map { ($0, $1.serialized()) }
            default: document.namingMembersTwice().map { ("", $0) }
            }
        return texts.map { place, text in
            (place, .answer(UpstreamResponse(status: answer.status, headers: answer.headers, body: Array(text.utf8))))
        }
    }

    /// Answers of servers that repeat what they were told.
    static func echoes(of request: UpstreamRequest) -> [UpstreamResponse] {
        let text = request.contents + request.address
        let words: JSONValue = [
            "error": .string(text), "error_description": .string(text), "message": .string(text),
        ]
        return [
            .json(words), .json(words, status: 400), .json(words, status: 401), .text(text), .text(text, status: 500),
            .json(.string(text)),
        ]
    }
}
