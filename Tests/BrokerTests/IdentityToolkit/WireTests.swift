import Broker
import Foundation
import JOSE
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("the wire of Identity Toolkit")
struct WireTests {
    @Test func `both URL forms and the legacy names reach the same method`() async throws {
        try await TestBroker.run { broker in
            for path in [
                "/v1/accounts:signUp", "/identitytoolkit.googleapis.com/v1/accounts:signUp", "/v1/accounts%3AsignUp",
                "/identitytoolkit/v3/relyingparty/signupNewUser",
                "/www.googleapis.com/identitytoolkit/v3/relyingparty/signupNewUser",
            ] {
                #expect(try await broker.post(path, [:]).status == 200, "\(path)")
            }
            let token = try await broker.signUp().string("refreshToken")
            let form = [("grant_type", "refresh_token"), ("refresh_token", token)]
            #expect(try await broker.post("/securetoken.googleapis.com/v1/token", form: form).status == 200)
        }
    }

    @Test func `the error distinguishes callers without a key, with an unknown one, or with a bearer`() async throws {
        try await TestBroker.run { broker in
            let path = "/v1/accounts:signUp"
            let bearer: HTTPHeaders = ["Authorization": "bearer owner"]

            let none = try await broker.send(.POST, path)
            let empty = try await broker.send(.POST, path + "?key=")
            let unknown = try await broker.send(.POST, path + "?key=nobody")
            let header = try await broker.send(.POST, path, headers: ["x-goog-api-key": broker.apiKey])
            let withBearer = try await broker.send(.POST, "\(path)?key=\(broker.apiKey)", headers: bearer)
            let tokenWithBearer = try await broker.send(.POST, "/v1/token", headers: bearer)

            #expect(none.status == 403 && none["error"]?["status"] == "PERMISSION_DENIED")
            #expect(empty.status == 403)
            #expect(unknown.status == 400)
            #expect(unknown.message == "API key not valid. Please pass a valid API key.")
            #expect(header.status == 200)
            #expect(withBearer.status == 401 && withBearer["error"]?["errors"]?.array?.first?["location"] != nil)
            #expect(tokenWithBearer.status == 403)
        }
    }

    @Test(arguments: [
        (#"{}"#, "MISSING_REQUEST_URI"),
        (#"{"requestUri":"nowhere"}"#, "INVALID_REQUEST_URI"),
        (#"{"requestUri":"http://①②⑦.⓪.⓪.①/"}"#, "INVALID_REQUEST_URI"),
        (#"{"requestUri":"http://localhost"}"#, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
        (#"{"requestUri":"http://localhost","postBody":"access_token=x"}"#, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
        (#"{"requestUri":"http://localhost","postBody":"providerId=github.com"}"#, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
        (#"{"requestUri":"http://localhost","postBody":"access_token=%zz"}"#, "INVALID_CREDENTIAL_OR_PROVIDER_ID"),
        (#"{"requestUri":"http://localhost","postBody":"&access_token=x&providerId=nobody"}"#, "OPERATION_NOT_ALLOWED"),
        (#"{"requestUri":"http://localhost","postBody":"id_token=x&providerId=github.com"}"#, "INVALID_IDP_RESPONSE"),
        (#"{"requestUri":"http://localhost","postBody":"error=access_denied"}"#, "USER_CANCELLED"),
        (#"{"requestUri":"http://localhost","pendingToken":"x"}"#, "INVALID_PENDING_TOKEN"),
        (#"{"requestUri":"http://localhost","tenantId":"t"}"#, "INVALID_TENANT_ID"),
        (#"{"requestUri":"http://localhost","targetProjectId":"p"}"#, "INSUFFICIENT_PERMISSION"),
        (#"{"requestUri":"http://localhost?code=a&state=b&providerId=github.com"}"#, "INVALID_IDP_RESPONSE"),
    ])
    func `signInWithIdp says what was wrong`(body: String, code: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.send(
                .POST, "/v1/accounts:signInWithIdp?key=\(broker.apiKey)",
                headers: ["Content-Type": "application/json"], body: Array(body.utf8))

            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(answer["error"]?["errors"]?.array?.first?["message"]?.string == answer.message)
            #expect(answer["error"]?["code"]?.integer == 400)
        }
    }

    @Test(arguments: [
        (#"{"localId":"x"}"#, "UNEXPECTED_PARAMETER : User ID"), (#"{"email":"a@example.com"}"#, "MISSING_PASSWORD"),
        (#"{"password":"x"}"#, "MISSING_EMAIL"), (#"{"email":""}"#, "INVALID_EMAIL"),
    ])
    func `signUp says what was wrong`(body: String, message: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.send(
                .POST, "/v1/accounts:signUp?key=\(broker.apiKey)",
                headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            #expect(answer.message == message)
        }
    }

    @Test func `anonymous sign-up is refused unless the operator turned it on`() async throws {
        try await TestBroker.run {
            $0.allowsAnonymousSignIn = false
        } _: { broker in
            let answer = try await broker.signUp()
            #expect(answer.code == "ADMIN_ONLY_OPERATION")
        }
    }

    @Test(arguments: [
        ([], "MISSING_GRANT_TYPE"), ([("grant_type", "password")], "INVALID_GRANT_TYPE"),
        ([("grant_type", "refresh_token")], "MISSING_REFRESH_TOKEN"),
        ([("grantType", "refresh_token"), ("refreshToken", "x")], "INVALID_REFRESH_TOKEN"),
    ])
    func `token says what was wrong`(form: [(String, String)], code: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.post("/v1/token", form: form)
            #expect(answer.code == code)
        }
    }

    @Test func `token takes JSON as well, in either spelling`() async throws {
        try await TestBroker.run { broker in
            let token = try await broker.signUp()["refreshToken"]

            let snake = try await broker.post(
                "/v1/token", ["grant_type": "refresh_token", "refresh_token": token ?? 0])
            let camel = try await broker.post("/v1/token", ["grantType": "refresh_token", "refreshToken": token ?? 0])

            #expect(snake.status == 200 && camel.status == 200)
        }
    }

    @Test func `lookup answers the record of contract section 6`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.lookup(broker.signIn(try broker.person("ada")).string("idToken"))
            let users = try #require(answer["users"]?.array)
            let user = try #require(users.first)

            #expect(users.count == 1)
            #expect(answer["kind"] == "identitytoolkit#GetAccountInfoResponse")
            let milliseconds = String(Int64(broker.clock.now.timeIntervalSince1970 * 1000))
            #expect(user["createdAt"]?.string == milliseconds && user["lastLoginAt"]?.string == milliseconds)
            #expect(user["lastRefreshAt"]?.string?.hasSuffix(".000Z") == true)
            #expect(user["disabled"] == nil && user["validSince"] == nil && user["customAttributes"] == nil)
            #expect(user["providerUserInfo"]?.array?.first?["rawId"]?.string?.isEmpty == false)
        }
    }

    @Test func `an anonymous record has no provider entries and no address`() async throws {
        try await TestBroker.run { broker in
            let user = try await broker.lookup(broker.signUp().string("idToken"))["users"]?.array?.first
            #expect(user?["providerUserInfo"] == nil && user?["email"] == nil && user?["emailVerified"] == nil)
        }
    }

    @Test(arguments: ["signInWithPassword", "sendOobCode", "resetPassword", "signInWithPhoneNumber"])
    func `endpoints out of scope refuse in the envelope`(name: String) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.post("/v1/accounts:\(name)", [:])
            #expect(answer.status == 400)
            #expect(answer.code == (name == "signInWithPassword" ? "PASSWORD_LOGIN_DISABLED" : "OPERATION_NOT_ALLOWED"))
        }
    }

    @Test func `admin paths require an administrator, and an API key does not suffice`() async throws {
        try await TestBroker.run { broker in
            let withKey = try await broker.post("/v1/projects/test-project/accounts:lookup", [:])
            let withBearer = try await broker.send(
                .POST, "/v1/projects/test-project/accounts", headers: ["Authorization": "Bearer owner"])

            #expect(withKey.code == "INSUFFICIENT_PERMISSION")
            #expect(withBearer.status == 401)
        }
    }

    @Test func `projects tells number and domains`() async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.get("/v1/projects?key=\(broker.apiKey)")
            #expect(answer.body == ["projectId": "123456789012", "authorizedDomains": ["localhost"]])
        }
    }

    @Test func `key documents agree: JWK Set, certificates and discovery`() async throws {
        try await TestBroker.run { broker in
            let discovery = try await broker.get("/test-project/.well-known/openid-configuration")
            let jwks = try await broker.get("/test-project/.well-known/jwks.json")
            let certificates = try await broker.get(
                "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")

            let keys = jwks["keys"]?.array ?? []
            let rsa = Set(keys.filter { $0["alg"] == "RS256" }.compactMap { $0["kid"]?.string })
            #expect(discovery["issuer"] == "http://127.0.0.1:9099/test-project")
            #expect(discovery["jwks_uri"] == "http://127.0.0.1:9099/test-project/.well-known/jwks.json")
            #expect(Set(jwks["keys"]?.array?.compactMap { $0["alg"]?.string } ?? []) == ["ES256", "RS256"])
            // The Admin SDKs for Go and Java give up on the whole map at the first certificate of another kind.
            #expect(!rsa.isEmpty && Set(certificates.body.object?.names ?? []) == rsa)
            for path in [
                "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
                "/identitytoolkit/v3/relyingparty/publicKeys",
                "/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys",
            ] {
                #expect(try await broker.get(path).body == certificates.body, "\(path)")
            }
            #expect(certificates.headers.first(name: "Cache-Control")?.contains("max-age=") == true)
            #expect(jwks["keys"]?.array?.allSatisfy { $0["d"] == nil && $0["p"] == nil } == true)
        }
    }

    @Test func `a preflight of a listed origin is answered, one of another is not`() async throws {
        try await TestBroker.run { broker in
            func preflight(_ origin: String) async throws -> Answer {
                try await broker.send(
                    .OPTIONS, "/v1/token",
                    headers: [
                        "Origin": origin, "Access-Control-Request-Method": "POST",
                        "Access-Control-Request-Headers": "content-type,x-client-version",
                    ])
            }

            let listed = try await preflight("https://app.example")
            let other = try await preflight("https://evil.example")

            #expect(listed.status == 204 && other.status == 204)
            #expect(listed.headers.first(name: "Access-Control-Allow-Origin") == "https://app.example")
            #expect(listed.headers.first(name: "Access-Control-Allow-Headers") == "content-type,x-client-version")
            #expect(listed.headers.first(name: "Access-Control-Allow-Credentials") == nil)
            #expect(other.headers.first(name: "Access-Control-Allow-Origin") == nil)
            let error = try await broker.send(.POST, "/v1/token", headers: ["Origin": "https://app.example"])
            #expect(error.headers.first(name: "Access-Control-Allow-Origin") == "https://app.example")
        }
    }

    @Test(arguments: ["/account", "/oauth/authorize", "/device", "/__/auth/handler", "/nothing/here"])
    func `no other site's script reads a hosted page`(path: String) async throws {
        try await TestBroker.run {
            $0.apiKeys[0].origins = ["*"]
        } _: { broker in
            let headers: HTTPHeaders = ["Origin": "https://app.example", "Accept": "text/html"]

            let page = try await broker.send(.GET, path, headers: headers)

            #expect(page.body == .null, "a page, or the way to one")
            #expect(page.headers.first(name: "Access-Control-Allow-Origin") == nil)
        }
    }

    @Test(arguments: ["/healthz", "/readyz", "/.well-known/openid-configuration", "/oauth/jwks"])
    func `a document's head is its answer without the body`(path: String) async throws {
        try await TestBroker.run { broker in
            let whole = try await broker.get(path)
            let head = try await broker.send(.HEAD, path)

            #expect(head.status == 200 && head.text.isEmpty)
            for name in ["Content-Type", "Content-Length", "Cache-Control"] {
                #expect(head.headers[name] == whole.headers[name], "\(name)")
            }
        }
    }

    @Test(arguments: [("/nothing", 404), ("/v1/accounts:lookup", 405), ("/sign-in", 405), ("/readyz", 200)])
    func `an answer to HEAD ends with its head`(path: String, status: Int) async throws {
        try await TestBroker.run { broker in
            let answer = try await RawHTTP.answers(
                broker.url, "HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")

            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.hasSuffix("\r\n\r\n") && answer.components(separatedBy: "\r\n\r\n").count == 2, "\(answer)")
        }
    }

    @Test func `unknown paths and wrong methods answer in the envelope`() async throws {
        try await TestBroker.run { broker in
            let unknown = try await broker.get("/nothing/here")
            let wrong = try await broker.get("/v1/accounts:lookup?key=\(broker.apiKey)")

            #expect(unknown.status == 404 && unknown["error"]?["status"] == "NOT_FOUND")
            #expect(wrong.status == 405 && wrong.headers.first(name: "Allow") == "POST")
            #expect(wrong["error"]?["code"]?.integer == 405)

            let oauth = try await broker.get("/oauth/token")
            #expect(oauth.status == 405 && oauth.headers.first(name: "Allow") == "POST")
            #expect(oauth["error"] == "invalid_request", "OAuth clients read RFC 6749's errors")
        }
    }
}
