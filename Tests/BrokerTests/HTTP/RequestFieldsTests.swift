import ProviderKit
import Testing

@testable import Broker

@Suite("Fields of requests in the protocol's other spelling")
struct RequestFieldsTests {
    @Test(arguments: ["refreshToken", "refresh_token"])
    func `a field has either spelling`(name: String) throws {
        #expect(try RequestFields([name: "x", "grant_type": "y"]).string("refreshToken") == "x")
    }

    @Test(arguments: [
        "refresh_Token", "refresh__token", "refresh_token_", "refresh_toke", "_refresh_token", "refreshtoken",
        "refresh token", "Refresh_token",
    ])
    func `a similar name is another field`(name: String) throws {
        let fields = RequestFields([name: "x", "grant_type": "y"])

        #expect(try fields.string("refreshToken") == nil)
        #expect(try fields.string("grantType") == "y")
    }

    @Test func `a field that has both spellings is refused`() {
        let fields = RequestFields(["refreshToken": "x", "refresh_token": "x"])

        #expect(throws: WireError.self) { try fields.string("refreshToken") }
    }
}
