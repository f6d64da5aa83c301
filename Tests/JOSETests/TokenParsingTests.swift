import JOSE
import ProviderKit
import Testing

@Suite("A token is three parts of strict base64url")
struct TokenParsingTests {
    let fixture: TokenFixture
    let token: String

    init() throws {
        fixture = try TokenFixture()
        token = try fixture.es256.token(claims: TokenFixture.claims)
    }

    @Test func `a token with anything around or between its parts is refused`() throws {
        let parts = token.split(separator: ".").map(String.init)
        let damaged = [
            "", ".", "..", "...", parts[0], "\(parts[0]).\(parts[1])", token + ".", "." + token, token + ".x",
            " " + token, token + " ", token + "\n", token + "=", token + "\0", "\u{FEFF}" + token,
            "\(parts[0])..\(parts[2])", ".\(parts[1]).\(parts[2])", "\(parts[0])=.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1])\n.\(parts[2])", token.replacing(".", with: "。"), token.replacing(".", with: ","),
        ]
        for text in damaged {
            #expect(fixture.refusal(of: text) != nil, "\(text.debugDescription)")
        }
        #expect(fixture.refusal(of: token) == nil)
    }

    @Test func `a token longer than 16 KiB is refused unseen`() throws {
        let long: JSONObject = ["sub": .string(String(repeating: "a", count: 16 * 1024))]
        let short: JSONObject = ["sub": .string(String(repeating: "a", count: 11 * 1024))]

        #expect(fixture.refusal(of: try fixture.es256.token(claims: long)) == .malformedToken)
        #expect(fixture.refusal(of: try fixture.es256.token(claims: short)) == nil)
    }

    @Test func `a change of any letter is noticed`() throws {
        let letters = Array(token.utf8)
        for position in letters.indices {
            var changed = letters
            repeat {
                changed[position] = Array("ABCXYZabcxyz0189-_.".utf8).randomElement() ?? 0
            } while changed[position] == letters[position]
            #expect(fixture.refusal(of: String(decoding: changed, as: UTF8.self)) != nil, "letter \(position)")
        }
    }

    @Test func `a token that lost or gained a letter is refused`() throws {
        for position in token.indices {
            var changed = token
            changed.remove(at: position)
            #expect(fixture.refusal(of: changed) != nil)
            changed.insert(contentsOf: "AA", at: position)
            if changed != token { #expect(fixture.refusal(of: changed) != nil) }
        }
    }

    @Test func `random texts and damaged tokens are refused and nothing worse`() throws {
        let alphabets = [Array("AQab019-_.".utf8), Array(UInt8.min ... .max), Array("eyJ.".utf8)]
        for round in 0..<3000 {
            let alphabet = alphabets[round % alphabets.count]
            let noise = (0..<Int.random(in: 0..<80)).map { _ in alphabet.randomElement() ?? 0 }
            var damaged = Array(token.utf8)
            let start = Int.random(in: 0..<damaged.count)
            damaged.replaceSubrange(start..<min(start + 8, damaged.count), with: noise.prefix(8))
            #expect(fixture.refusal(of: String(decoding: noise, as: UTF8.self)) != nil)
            if damaged != Array(token.utf8) {
                #expect(fixture.refusal(of: String(decoding: damaged, as: UTF8.self)) != nil)
            }
        }
    }

    @Test func `random headers and payloads under a right signature end in an answer`() throws {
        let header = #"{"alg":"ES256","kid":"elliptic"}"#
        let alphabet = Array(#"{}[]":,\ue0129-.Ealgkidnusfr"#.utf8)
        for _ in 0..<300 {
            var changed = Array(header.utf8)
            changed[Int.random(in: changed.indices)] = alphabet.randomElement() ?? 0
            let noise = (0..<40).map { _ in alphabet.randomElement() ?? 0 }
            let text = String(decoding: changed, as: UTF8.self)
            _ = fixture.refusal(of: try TokenFixture.token(header: text, payload: noise, signedWith: fixture.es256.key))
            let token = try TokenFixture.token(header: header, payload: noise, signedWith: fixture.es256.key)
            #expect(fixture.refusal(of: token) == .malformedToken)
        }
    }

    @Test func `an error holds nothing of the token`() throws {
        let secret = "s3cret\(UInt64.random(in: .min ... .max))"
        let header = "{\"alg\":\"\(secret)\",\"kid\":\"\(secret)\"}"
        let payload = Array("{\"\(secret)\":1,\"\(secret)\":1}".utf8)
        let tokens = [
            try TokenFixture.token(header: header, payload: payload, signedWith: fixture.es256.key),
            try TokenFixture.token(
                header: #"{"alg":"ES256","kid":"elliptic"}"#, payload: payload, signedWith: fixture.es256.key),
            secret, "\(secret).\(secret).\(secret)",
        ]
        for token in tokens {
            let error = #expect(throws: JOSEError.self) {
                try CompactJWS(parsing: token).verified(with: fixture.keys, algorithms: [.es256])
            }
            #expect("\(error.map(String.init(describing:)) ?? secret)".contains(secret) == false)
        }
    }
}
