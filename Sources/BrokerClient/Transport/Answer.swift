import Foundation
import StrictJSON

/// The broker's answer to a call.
enum Answer: Sendable {
    case success(JSONObject)
    case refusal(Refusal)

    /// The members of a success.
    ///
    /// - Throws: The refusal as ``BrokerAuthError``.
    func members() throws(BrokerAuthError) -> JSONObject {
        switch self {
        case .success(let members): return members
        case .refusal(let refusal): throw refusal.error
        }
    }
}

/// A refusal of the broker: a status of 400 to 499 with an error code.
struct Refusal: Sendable, Hashable {
    let status: Int
    /// The code of RFC 6749 §5.2, or the status name of the other APIs.
    let kind: String
    /// The stable code.
    let code: String
    let message: String
    /// Where the session's user was merged into another one: the token with which the session goes on.
    let mergeToken: String?

    /// Reads the JSON of an OAuth error, or the envelope of the other APIs; `nil` for anything else.
    init?(status: Int, _ members: JSONObject) {
        self.status = status
        mergeToken = members["merge_token"]?.string
        let text: String
        if let kind = members["error"]?.string {
            self.kind = kind
            text = members["error_description"]?.string ?? ""
        } else if let error = members["error"]?.object, let message = error["message"]?.string {
            kind = error["status"]?.string ?? "INVALID_ARGUMENT"
            text = message
        } else {
            return nil
        }
        let parts =
            text.firstRange(of: " : ").map { (text[..<$0.lowerBound], text[$0.upperBound...]) } ?? (text[...], "")
        if Self.isStableCode(parts.0) {
            (code, message) = (String(parts.0), String(parts.1))
        } else {
            (code, message) = (kind, text)
        }
    }

    private static func isStableCode(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// The refusal in terms of the library.
    var error: BrokerAuthError {
        switch code {
        case "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce
        case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .recentLoginRequired
        case "APPLE_CODE_REQUIRED", "APPLE_CODE_EXPIRED": .tokenCreationFailed(code)
        default: .server(code: code, message: message)
        }
    }
}
