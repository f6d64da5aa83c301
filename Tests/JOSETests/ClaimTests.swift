import JOSE
import ProviderKit
import Testing

@Suite("Claims are what the standards say or an error")
struct ClaimTests {
    @Test func `an audience is a name or several`() throws {
        let one = try Audience("project")
        let two = try Audience(["a", "b"])

        #expect(one.names == ["project"])
        #expect(two.names == ["a", "b"])
        #expect(two.contains("b"))
        #expect(!two.contains("c"))
        #expect(try Audience("\u{212A}").contains("K") == false)
    }

    @Test(arguments: [nil, [], [nil], ["a", 1], 1, true, [:], [["a"]]] as [JSONValue])
    func `anything else is an error and not the end of the process`(value: JSONValue) throws {
        let error = #expect(throws: JOSEError.self) { try Audience(value) }
        let claims = try RegisteredClaims(["aud": value])

        #expect(error?.kind == .invalidClaim)
        #expect(throws: JOSEError.self) { try claims.audience }
    }

    @Test(arguments: [
        "946684799", "4102444801", "0", "-1", "1e9", "1800000000.0", "9223372036854775808", "\"1800000000\"",
    ])
    func `a date is a whole number between 2000 and 2100`(literal: String) throws {
        let value = try JSONValue(parsing: literal)

        #expect(throws: JOSEError.self) { try NumericDate(value, claim: "exp") }
    }

    @Test(arguments: [946_684_800, 1_800_000_000, 4_102_444_800] as [Int64])
    func `a date in range is kept to the second`(seconds: Int64) throws {
        let date = try NumericDate(.integer(seconds), claim: "exp")

        #expect(date.secondsSince1970 == seconds)
        #expect(date.jsonValue == .integer(seconds))
        #expect(date == NumericDate(secondsSince1970: seconds))
    }

    @Test func `every claim is read by its name`() throws {
        let claims = try RegisteredClaims([
            "iss": "i", "sub": "s", "aud": ["a"], "exp": 1_800_003_600, "iat": 1_800_000_000, "nbf": 1_799_999_999,
            "auth_time": 1_700_000_000, "nonce": "n", "azp": "z", "jti": "j", "at_hash": "h",
        ])

        #expect(try claims.issuer == "i")
        #expect(try claims.subject == "s")
        #expect(try claims.audience.names == ["a"])
        #expect(try claims.expiration > claims.issuedAt)
        #expect(try claims.notBefore?.secondsSince1970 == 1_799_999_999)
        #expect(try claims.authenticationTime?.secondsSince1970 == 1_700_000_000)
        #expect(try claims.nonce == "n")
        #expect(try claims.authorizedParty == "z")
        #expect(try claims.tokenID == "j")
        #expect(try claims.accessTokenHash == "h")
    }

    @Test func `required claims must be there and optional ones may be absent`() throws {
        let claims = try RegisteredClaims([:])

        #expect(throws: JOSEError.self) { try claims.issuer }
        #expect(throws: JOSEError.self) { try claims.subject }
        #expect(throws: JOSEError.self) { try claims.audience }
        #expect(throws: JOSEError.self) { try claims.expiration }
        #expect(throws: JOSEError.self) { try claims.issuedAt }
        #expect(try claims.notBefore == nil)
        #expect(try claims.authenticationTime == nil)
        #expect(try claims.nonce == nil)
    }

    @Test func `a claim of the wrong type is never as good as absent`() throws {
        let claims = try RegisteredClaims(["nonce": nil, "nbf": "1800000000", "sub": 42, "azp": ["a"]])

        #expect(throws: JOSEError.self) { try claims.nonce }
        #expect(throws: JOSEError.self) { try claims.notBefore }
        #expect(throws: JOSEError.self) { try claims.subject }
        #expect(throws: JOSEError.self) { try claims.authorizedParty }
        #expect(throws: JOSEError.self) { try RegisteredClaims([]) }
    }
}
