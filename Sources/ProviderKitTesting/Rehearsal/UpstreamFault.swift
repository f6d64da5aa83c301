import ProviderKit

/// A faulty response of a provider, or none.
enum UpstreamFault: String, Sendable, CaseIterable {
    case timeout, serverError = "server-error", unavailable, emptyBody = "empty-body", html, forbidden, unauthorized
    case notFound = "not-found", tooManyRequests = "too-many-requests", hugeAnswer = "huge-answer", redirect
    case duplicateNames = "duplicate-names", nullMembers = "null-members", otherTypes = "other-types"
    case emptyMembers = "empty-members"

    /// The description in messages.
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
        case .redirect: "a redirect to another host"
        case .duplicateNames: "names that occur twice"
        case .nullMembers: "null in the place of a member"
        case .otherTypes: "another type in the place of a member"
        case .emptyMembers: "an empty list, object or text in the place of a member, or of the whole"
        }
    }

    /// The allowed faults.
    var faults: Set<ProviderError.Fault> {
        switch self {
        case .forbidden, .unauthorized, .notFound, .nullMembers, .otherTypes, .emptyMembers:
            [.upstream, .credential, .configuration]
        default: [.upstream]
        }
    }

    /// Whether the plugin may continue with less data. A refused or missing value is unknown, but an unavailable
    /// provider must be requested again later.
    var allowsLess: Bool { faults.count > 1 }

    /// The status of the response, if there is one.
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
        case .emptyBody, .html, .hugeAnswer, .duplicateNames, .nullMembers, .otherTypes, .emptyMembers: 200
        }
    }

    /// The `Retry-After` of the responses that have one, in seconds.
    static let retryAfter = 7

    static let timedOut = ProviderError(.upstream, at: .discover, "no answer in time", obstacle: .timedOut)

    /// The faulty variants of a response: one, or one for every member.
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
        case .duplicateNames, .nullMembers, .otherTypes, .emptyMembers: changes(of: answer)
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
            case .emptyMembers:
                document.replacingEachMember(by: \.empty).map { ($0, $1.serialized()) }
                    + ["null", "[]", "{}", #""""#].map { ("", $0) }
            case .otherTypes: document.replacingEachMember(by: \.otherType).map { ($0, $1.serialized()) }
            default: document.namingMembersTwice().map { ("", $0) }
            }
        return texts.map { place, text in
            (place, .answer(UpstreamResponse(status: answer.status, headers: answer.headers, body: Array(text.utf8))))
        }
    }

    /// Responses of servers that repeat the request.
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
