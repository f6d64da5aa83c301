import OAuth
import StrictJSON
import Testing

@Suite("An answer of the token endpoint")
struct AccessTokenAnswerTests {
    @Test func `has a bearer token, its lifetime and its scopes`() throws {
        let answer = try #require(
            AccessTokenAnswer([
                "access_token": "a.b-c", "token_type": "bEARER", "expires_in": 60, "refresh_token": "r",
                "scope": "openid email",
            ]))
        let least = try #require(AccessTokenAnswer(["access_token": "a", "token_type": "Bearer"]))

        #expect(answer.accessToken == "a.b-c" && answer.expiresIn == 60 && answer.refreshToken == "r")
        #expect(answer.scopes.scopes == ["openid", "email"])
        #expect(least.expiresIn == nil && least.refreshToken == nil && least.scopes.scopes == [])
    }

    @Test(
        arguments: [
            [:], ["access_token": "a"], ["token_type": "Bearer"], ["access_token": "a", "token_type": "DPoP"],
            ["access_token": "", "token_type": "Bearer"], ["access_token": "a b", "token_type": "Bearer"],
            ["access_token": 1, "token_type": "Bearer"], ["access_token": "a", "token_type": 1],
        ] as [JSONObject])
    func `is none without a token that a request could carry`(members: JSONObject) {
        #expect(AccessTokenAnswer(members) == nil)
    }
}
