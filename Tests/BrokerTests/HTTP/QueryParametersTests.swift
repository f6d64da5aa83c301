import HTTPTypes
import NIOCore
import Testing

@testable import Broker

@Suite("Parameters of browsers and OAuth clients")
struct QueryParametersTests {
    @Test func `values are decoded and empty ones are absent`() throws {
        let parameters = try QueryParameters(encoded: "scope=openid+email&state=a%26b%3D&prompt=&x".utf8)

        #expect(parameters["scope"] == "openid email")
        #expect(parameters["state"] == "a&b=")
        #expect(parameters["prompt"] == nil)
        #expect(parameters["x"] == nil)
        #expect(Set(parameters.all.map(\.name)) == ["scope", "state"])
    }

    @Test(arguments: ["a=1&a=1", "a=1&a=", "a=&a=1", "a=1&b=2&%61=3"])
    func `a parameter sent twice is refused, whichever counts`(query: String) {
        #expect(throws: ParameterError.repeated) { try QueryParameters(encoded: query.utf8) }
    }

    @Test(arguments: ["a=%ff", "a=%0", "a=%zz", "a=%00", "a=1%0d%0aSet-Cookie:x", "a=%7f", "=1", "%cd%be=1", "a%20b=1"])
    func `malformed text is refused`(query: String) {
        #expect(throws: ParameterError.malformed) { try QueryParameters(encoded: query.utf8) }
    }

    @Test func `a flood of names is refused`() {
        let query = (0...QueryParameters.maximumCount).map { "p\($0)=1" }.joined(separator: "&")

        #expect(throws: ParameterError.malformed) { try QueryParameters(encoded: query.utf8) }
    }

    @Test func `text beyond ASCII is a value and no name`() throws {
        let parameters = try QueryParameters(encoded: "login_hint=%ED%95%9C%EA%B5%AD".utf8)

        #expect(parameters["login_hint"] == "한국")
    }

    @Test(arguments: [("/oauth/authorize?client_id=a&state=b", "b"), ("/oauth/authorize", nil), ("/x?state=%3F", "?")])
    func `the query is what stands behind the question mark`(target: String, state: String?) throws {
        #expect(try QueryParameters(queryOf: Self.request(target))["state"] == state)
    }

    @Test func `a target with a fragment is refused`() {
        #expect(throws: ParameterError.malformed) { try QueryParameters(queryOf: Self.request("/x?a=1#b=2")) }
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=UTF-8",
        "Application/X-WWW-Form-URLEncoded;charset=utf-8",
    ])
    func `a posted form is read`(type: String) async throws {
        let form = try await FormBody(of: Self.request("/x?code=query", type: type, body: "code=a%2Fb"))

        #expect(form.parameters["code"] == "a/b")
        #expect(form.bytes == Array("code=a%2Fb".utf8))
    }

    @Test(arguments: [nil, "application/json", "multipart/form-data; boundary=x", "text/plain"])
    func `no other type is read as a form`(type: String?) async {
        await #expect(throws: ParameterError.wrongContentType) {
            try await FormBody(of: Self.request("/x", type: type, body: "code=a"))
        }
    }

    @Test func `a form beyond the limit is refused`() async {
        let body = "a=" + String(repeating: "x", count: FormBody.maximumSize)

        await #expect(throws: ParameterError.tooLarge) {
            try await FormBody(of: Self.request("/x", type: "application/x-www-form-urlencoded", body: body))
        }
    }

    private static func request(_ target: String, type: String? = nil, body: String = "") -> Request {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: target)
        head.headerFields[.contentType] = type
        return Request(head: head, body: .whole(ByteBuffer(string: body)))
    }
}
