import Broker
import JOSE
import ProviderKit
import Testing

@Suite("tokens in another spelling of the same bytes")
struct CanonicalTokenTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    /// The texts that a lenient decoder of base64url reads as the same bytes: other unused bits of the last character,
    /// padding, and the alphabet of base64.
    private static func spellings(of token: String) throws -> [String] {
        let last = try #require(token.last.flatMap { alphabet.firstIndex(of: $0) })
        // The last part's length says how many values its last character has for the same bytes.
        let length = token.split(separator: ".").last?.count ?? 0
        let variants: Int = [2: 16, 3: 4][length % 4] ?? 1
        try #require(variants > 1, "\(length) characters use every bit")
        let first = last - last % variants
        var spellings: [String] = [token + "=", token + " ", token + "\n"]
        for index in first..<(first + variants) where index != last {
            spellings.append(String(token.dropLast()) + String(alphabet[index]))
        }
        let standard = token.replacing("-", with: "+").replacing("_", with: "/")
        if standard != token { spellings.append(standard) }
        return spellings
    }

    @Test func `none is accepted`() async throws {
        try await TestBroker.run { broker in
            let session = try await broker.signIn(broker.person("ada"))
            let app = try await OAuthApp(at: broker)
            let tokens = try await app.signIn(try await broker.signedInUser())
            let idToken = try session.string("idToken")
            let refreshToken = try session.string("refreshToken")
            let access = try tokens.string("access_token")
            let openIDRefresh = try tokens.string("refresh_token")

            for text in try Self.spellings(of: idToken) {
                #expect(try await broker.lookup(text).code == "INVALID_ID_TOKEN", "\(text.suffix(4))")
            }
            for text in try Self.spellings(of: refreshToken) {
                #expect(try await broker.refresh(text).code == "INVALID_REFRESH_TOKEN", "\(text.suffix(4))")
            }
            // A line break cannot stand in a header field.
            for text in try Self.spellings(of: access) where !text.hasSuffix("\n") && !text.hasSuffix(" ") {
                #expect(try await broker.userInfo(text).status == 401, "\(text.suffix(4))")
            }
            for text in try Self.spellings(of: openIDRefresh) {
                let answer = try await app.refresh(text)
                // A line break is no character of a token at all (RFC 6749 appendix A.17).
                let errors = text.hasSuffix("\n") ? ["invalid_request", "invalid_grant"] : ["invalid_grant"]
                #expect(errors.contains(answer.oauthError ?? "") && answer["access_token"] == nil, "\(answer.text)")
            }

            #expect(try await broker.lookup(idToken).status == 200)
            #expect(try await broker.userInfo(access).status == 200)
            #expect(try await broker.refresh(refreshToken).status == 200)
            #expect(try await app.refresh(openIDRefresh).status == 200)
        }
    }
}
