import OAuth
import Testing

@Suite("The header of bearer credentials")
struct BearerCredentialsTests {
    @Test(arguments: [
        ("Bearer mF_9.B5f-4.1JqM", "mF_9.B5f-4.1JqM"), ("bearer a", "a"), ("BEARER   a", "a"), ("Bearer a==", "a=="),
        ("Bearer ~+/-._0aZ", "~+/-._0aZ"),
    ])
    func `has one b64token after one or more spaces`(header: String, token: String) throws {
        #expect(try BearerCredentials.token(in: [header]) == token)
        #expect(try BearerCredentials.token(in: [BearerCredentials.header(token)]) == token)
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "Bearer  ", "Bearer a ", "Bearer a b", "Bearer a,", "Bearer =", "Bearer a=b",
        "Bearer \"a\"",
        "Bearer a\t", "Bearer \u{E9}", "Bearer \u{212A}",
    ])
    func `is malformed with no token, or with anything else`(header: String) {
        #expect(throws: BearerCredentials.Malformed.malformedToken) { try BearerCredentials.token(in: [header]) }
    }

    @Test(arguments: [[], [""], ["Basic YTpi"], ["Bearerx a"], ["Bearer\ta"], [" Bearer a"], ["Be\u{E5}rer a"]])
    func `of another scheme, or absent, has no token`(headers: [String]) throws {
        #expect(try BearerCredentials.token(in: headers) == nil)
    }

    @Test(arguments: [["Bearer a", "Bearer a"], ["Basic YTpi", "Bearer a"], ["Basic YTpi", "Basic YTpi"]])
    func `is the only Authorization header`(headers: [String]) {
        #expect(throws: BearerCredentials.Malformed.severalHeaders) { try BearerCredentials.token(in: headers) }
    }
}
