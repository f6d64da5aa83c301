import Foundation
import GitHub
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("GitHub grants and the device flow")
struct GitHubGrantTests {
    static let grant = UpstreamGrant(
        clientID: GitHubProviderTests.clientID, accessToken: "ghu_a", refreshToken: "ghr_a")

    @Test func `a refresh brings new tokens and their end`() async throws {
        let answer: JSONValue = [
            "access_token": "ghu_b", "expires_in": 28_800, "refresh_token": "ghr_b", "scope": "",
            "token_type": "bearer",
        ]
        let upstream = ScriptedUpstream(["/login/oauth/access_token": [.json(answer)]])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any GrantRefresh)

        let fresh = try await provider.refresh(Self.grant)

        #expect(fresh.accessToken == "ghu_b" && fresh.refreshToken == "ghr_b")
        #expect(fresh.expiresAt == GitHubProviderTests.now.addingTimeInterval(28_800))
    }

    @Test(arguments: [
        ("user", ["user", "read:user", "user:email", "user:follow"]), ("user:email", ["user:email"]), ("", []),
        ("read:user, gist", ["read:user", "gist"]),
    ])
    func `the scopes of a grant are those that GitHub lists for its token now`(
        listed: String, scopes: [String]
    ) async throws {
        let user = UpstreamResponse(
            status: 200, headers: [("X-OAuth-Scopes", listed)],
            body: Array(GitHubProviderTests.user.serialized().utf8))
        let upstream = ScriptedUpstream([
            // The answer names what was requested; the user has reduced it since.
            "/login/oauth/access_token": [
                .json(["access_token": "gho_a", "scope": "read:user,user:email", "token_type": "bearer"])
            ], "/user": [user], "/user/emails": [.json(GitHubProviderTests.emails)],
        ])
        let code = Credential.AuthorizationCode(code: "c", redirectURI: "https://id.example/cb", verifier: "v")

        let identity = try await GitHubProviderTests.provider(upstream).verify(Credential(.authorizationCode(code)))

        #expect(identity.grant?.scopes == scopes)
    }

    @Test(arguments: [("2033-05-18T11:33:20Z", 2_000_028_800.0), (nil, nil)])
    func `a presented token ends when GitHub says so`(expires: String?, seconds: Double?) async throws {
        var check = try #require(GitHubProviderTests.check.object)
        check["expires_at"] = expires.map(JSONValue.string) ?? .null
        let upstream = ScriptedUpstream([
            "/applications/": [.json(.object(check))], "/user": [.json(GitHubProviderTests.user)],
            "/user/emails": [.json(GitHubProviderTests.emails)],
        ])

        let identity = try await GitHubProviderTests.provider(upstream).verify(Credential(.accessToken("ghu_a")))

        #expect(identity.grant?.expiresAt == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func `an invalid refresh token is a credential fault`() async throws {
        let upstream = ScriptedUpstream(["/login/oauth/access_token": [.json(["error": "bad_refresh_token"])]])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any GrantRefresh)

        let error = await #expect(throws: ProviderError.self) { _ = try await provider.refresh(Self.grant) }

        #expect(error?.fault == .credential)
    }

    @Test(arguments: [(204, true), (404, true), (422, true), (401, false), (500, false)])
    func `withdrawing a grant that is gone is a success`(status: Int, isSuccess: Bool) async throws {
        let upstream = ScriptedUpstream(["/applications/Iv1.test/grant": [.status(status)]])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any GrantRevocation)

        let result = await Result(catching: { try await provider.revoke(Self.grant) })

        #expect(((try? result.get()) != nil) == isSuccess)
        #expect(upstream.requests.first?.method == .delete)
    }

    @Test(arguments: [(204, true), (404, true), (422, true), (401, false), (500, false)])
    func `a single token is deleted without the grant`(status: Int, isSuccess: Bool) async throws {
        let upstream = ScriptedUpstream(["/applications/Iv1.test/token": [.status(status)]])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any TokenRevocation)

        let result = await Result(catching: { try await provider.revokeTokens(of: Self.grant) })

        #expect(((try? result.get()) != nil) == isSuccess)
        #expect(upstream.requests.map(\.method) == [.delete])
    }

    @Test func `the device flow waits, slows down and ends with a grant`() async throws {
        let start: JSONValue = [
            "device_code": "d", "user_code": "ABCD-1234", "verification_uri": "https://github.com/login/device",
            "expires_in": 900, "interval": 5,
        ]
        let upstream = ScriptedUpstream([
            "/login/device/code": [.json(start)],
            "/login/oauth/access_token": [
                .json(["error": "authorization_pending"]), .json(["error": "slow_down", "interval": 10]),
                .json(["access_token": "gho_d", "scope": "user:email", "token_type": "bearer"]),
                .json(["error": "expired_token"]),
            ], "/user": [.json(GitHubProviderTests.user)], "/user/emails": [.json(GitHubProviderTests.emails)],
        ])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any DeviceSignIn)

        let authorization = try await provider.startDeviceAuthorization(scopes: [])
        #expect(authorization.userCode == "ABCD-1234" && authorization.interval == 5)
        guard case .pending = try await provider.pollDeviceAuthorization("d") else {
            Issue.record("not pending")
            return
        }
        guard case .slowDown(interval: 10) = try await provider.pollDeviceAuthorization("d") else {
            Issue.record("not slowed down")
            return
        }
        guard case .granted(let identity) = try await provider.pollDeviceAuthorization("d") else {
            Issue.record("not granted")
            return
        }
        #expect(identity.subject == "583231" && identity.grant?.accessToken == "gho_d")
        let error = await #expect(throws: ProviderError.self) { _ = try await provider.pollDeviceAuthorization("d") }
        #expect(error?.fault == .credential)
        #expect(
            upstream.requests.allSatisfy { request in
                !String(decoding: request.body ?? [], as: UTF8.self).contains("client_secret")
            })
    }

    @Test(arguments: [(404, nil), (422, nil), (200, nil), (401, "client-refused"), (503, "provider-unavailable")])
    func `the configuration check asks whether GitHub knows our client`(
        status: Int, code: String?
    ) async throws {
        let upstream = ScriptedUpstream([
            "/applications/": [status == 200 ? .json(GitHubProviderTests.check) : .status(status)],
            "https://github.com": [.status(200)],
        ])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any ConfigurationCheck)

        let findings = await provider.checkConfiguration()

        #expect(findings.map(\.code) == [code].compactMap(\.self))
        #expect(findings.allSatisfy { !$0.fix.isEmpty })
    }

    @Test func `a site that does not answer is found even when its API does`() async throws {
        let upstream = ScriptedUpstream(["/applications/": [.status(404)], "https://github.com": [.status(502)]])
        let provider = try #require(try GitHubProviderTests.provider(upstream) as? any ConfigurationCheck)

        let findings = await provider.checkConfiguration()

        #expect(findings.map(\.code) == ["provider-unavailable"])
        #expect(findings.first?.text.hasPrefix("https://github.com: ") == true)
    }

    @Test func `the authorization URL carries exactly our state and challenge, whatever the app adds`() async throws {
        let provider = try #require(
            try GitHubProviderTests.provider(ScriptedUpstream([:])) as? any RedirectSignIn)
        let attempt = SignInAttempt(
            state: "s", redirectURI: "https://id.example/oauth/callback/github.com", codeChallenge: "c",
            parameters: ["state": "evil", "client_id": "evil", "redirect_uri": "evil", "allow_signup": "false"])

        let url = try await provider.authorizationURL(for: attempt)

        let query = try #require(FormEncoding.decode(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        #expect(url.hasPrefix("https://github.com/login/oauth/authorize?"))
        #expect(query.filter { $0.name == "state" }.map(\.value) == ["s"])
        #expect(query.filter { $0.name == "client_id" }.map(\.value) == ["Iv1.test"])
        #expect(query.filter { $0.name == "code_challenge" }.map(\.value) == ["c"])
        #expect(query.contains { $0.name == "allow_signup" && $0.value == "false" })
        #expect(!url.contains("evil"))
        #expect(provider.authorizationResponseIssuer == "https://github.com/login/oauth")
    }
}

extension Result where Failure == any Error, Success == Void {
    /// What an asynchronous call came to.
    fileprivate init(catching body: () async throws -> Void) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
