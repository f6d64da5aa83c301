public import Foundation

/// A way an upstream misbehaves.
///
/// Most faults answer instead of the endpoint: the request has no effect. The last group lets the endpoint do its work
/// and spoils the answer, as when an answer is lost after a code was redeemed or a token was rotated.
public enum SimulatorFault: Sendable {
    /// Answers with this status (200…999), body and content type.
    case status(Int, body: String = "", contentType: String = "text/plain; charset=utf-8")
    /// Answers with exactly these bytes and header fields.
    case response(status: Int, headers: [String: String], body: [UInt8])
    /// 200 and nothing else.
    case emptyBody
    /// 200 with a maintenance page where JSON is due.
    case htmlInsteadOfJSON
    /// 200 labelled as JSON with `count` random bytes, which are neither JSON nor UTF-8.
    case garbage(bytes: Int = 512)
    /// 200 with a JSON document of about `bytes` bytes, sent without announcing its length.
    case hugeBody(bytes: Int)
    /// 302 to `location`.
    case redirect(to: String)
    /// GitHub's answer when a limit is reached: `status` is 403 or 429. With `retryAfter` (seconds) it is a secondary
    /// limit; without, the primary one, exhausted until `reset` (one hour from now when absent).
    case rateLimited(status: Int = 403, retryAfter: Int? = nil, reset: Date? = nil)
    /// Reads the request and says nothing until the client gives up or the simulator stops.
    case hang
    /// Closes the connection without a byte.
    case closeConnection

    /// Waits at the gate before the endpoint does its work; the answer is then the honest one.
    case hold(at: SimulatorGate)

    /// The endpoint does its work, then the connection closes without an answer.
    case lostAnswer
    /// Sends head and half the body, then says nothing until the client gives up or the simulator stops.
    case stalledBody
    /// Sends head and half the announced body, then closes.
    case truncatedBody
    /// Sends the honest body in pieces of `chunk` bytes, pausing between them.
    case slow(chunk: Int = 1, pause: Duration = .milliseconds(20))
    /// The honest body under another content type.
    case wrongContentType(String = "text/html; charset=utf-8")
    /// The honest JSON object or form with every member repeated behind it with another value; in an array, the first
    /// element is spoilt.
    case duplicateKeys
}
