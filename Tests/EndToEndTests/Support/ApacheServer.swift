import Foundation
import Subprocess
import Testing

/// Debian's Apache with `mod_auth_openidc`: a web application that knows of sign-in no more than its configuration says.
///
/// It runs in the foreground in one process from a folder of its own and reads nothing of the machine's configuration.
struct ApacheServer: Sendable {
    /// What an issuer has to know about it, and it about the issuer.
    struct Client: Sendable {
        let issuer: String
        let id: String
        let secret: String
        var scope = "openid profile email"
        /// Added to the authorization request, such as `provider=github.com`.
        var parameters = ""
    }

    /// Its address, without a slash at the end.
    let url: String
    let process: BrokerProcess

    /// The page for signed-in users, which lists their claims.
    var membersURL: String { url + "/members/index.html" }
    /// Ends the session at Apache, and the issuer's if it can, and goes to ``farewellURL``.
    var logoutURL: String { "\(url)/members/callback?logout=" + farewellURL.replacingOccurrences(of: ":", with: "%3A") }
    var farewellURL: String { url + "/farewell.html" }
    /// The redirect URI.
    static func redirectURI(port: Int) -> String { "http://127.0.0.1:\(port)/members/callback" }

    /// Starts Apache for a client that `register` has told the issuer about, lends it to `body` and ends it.
    static func run<Value>(
        registering register: (_ url: String, _ redirectURI: String) async throws -> Client,
        _ body: (ApacheServer) async throws -> Value
    ) async throws -> Value {
        try await FreePort.run { port in
            let url = "http://127.0.0.1:\(port)"
            let client = try await register(url, redirectURI(port: port))
            let folder = try TestFolder()
            try prepare(folder, port: port, client)
            let executable = ["/usr/sbin/apache2", "/usr/bin/apache2"].first(
                where: FileManager.default.isExecutableFile(atPath:))
            var options = PlatformOptions()
            options.createSession = true
            let configuration = Configuration(
                executable: .name("env"),
                arguments: [
                    try #require(executable, "run scripts/setup --tests: there is no Apache"), "-X", "-f",
                    folder.file("apache.conf"),
                ], platformOptions: options)
            return try await BrokerProcess.run(configuration) { process in
                try await waitUntilListening(url, process)
                return try await body(ApacheServer(url: url, process: process))
            }
        }
    }

    /// Apache says nothing when it is ready in the foreground.
    private static func waitUntilListening(_ url: String, _ process: BrokerProcess) async throws {
        let client = IdentityToolkitApp(url: url, apiKey: "")
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            if let answer = try? await client.get("/farewell.html"), answer.status == 200 { return }
            if process.log.text.contains("could not bind to address") { throw FreePort.Taken() }
            try #require(ContinuousClock.now < deadline, "Apache does not answer: \(process.everything)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func prepare(_ folder: TestFolder, port: Int, _ client: Client) throws {
        let site = folder.file("site/members")
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
        try folder.write(members, to: "site/members/index.html", permissions: 0o644)
        try folder.write(
            "<!DOCTYPE html><title>Farewell</title><p>Come again", to: "site/farewell.html", permissions: 0o644)
        try folder.write(configuration(folder, port: port, client), to: "apache.conf")
        // Apache gives up root's rights before it reads the pages.
        for path in [folder.path, folder.file("site"), site] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    private static let claims = ["sub", "iss", "aud", "email", "name", "auth_time", "amr", "nonce"]

    private static let members = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Members</title></head><body>
        <h1>Welcome</h1><dl>
        <dt>user</dt><dd id="user"><!--#echo var="REMOTE_USER" --></dd>

        """ + claims.map { "<dt>\($0)</dt><dd id=\"\($0)\"><!--#echo var=\"OIDC_CLAIM_\($0)\" --></dd>\n" }.joined()
        + "</dl></body></html>\n"

    private static func configuration(_ folder: TestFolder, port: Int, _ client: Client) -> String {
        let modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "filter", "include", "auth_openidc"]
        return modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so\n" }.joined() + """
            ServerRoot \(folder.path)
            ServerName 127.0.0.1
            Listen 127.0.0.1:\(port)
            User www-data
            Group www-data
            PidFile \(folder.file("apache.pid"))
            DefaultRuntimeDir \(folder.path)
            ErrorLog /dev/stderr
            LogLevel warn
            DocumentRoot \(folder.file("site"))
            AddDefaultCharset utf-8

            OIDCProviderMetadataURL \(client.issuer)/.well-known/openid-configuration
            OIDCClientID \(client.id)
            OIDCClientSecret \(client.secret)
            OIDCRedirectURI \(redirectURI(port: port))
            OIDCCryptoPassphrase \(randomText())
            OIDCScope "\(client.scope)"
            OIDCPKCEMethod S256
            OIDCRemoteUserClaim sub
            OIDCCookieSameSite On
            \(client.parameters.isEmpty ? "" : "OIDCAuthRequestParams \(client.parameters)")
            <Location /members>
                AuthType openid-connect
                Require valid-user
                Options +Includes
                SetOutputFilter INCLUDES
                ForceType "text/html; charset=utf-8"
            </Location>

            """
    }
}
