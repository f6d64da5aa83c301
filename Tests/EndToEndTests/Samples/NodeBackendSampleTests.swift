import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// The module of `Docs/FirebaseAdmin.md` that reroutes an Admin SDK for Node. The SDK is not installed here: a program
/// sends what it sends, through the same `https`.
@Suite("The module for backends in Node", .oneEngine("a module for Node"), .timeLimit(.minutes(20)))
struct NodeBackendSampleTests {
    @Test(.enabled(if: TestNode.isThere, "there is no node on this machine"), arguments: [false, true])
    func `what is sent to Google's hosts arrives at the broker, and nothing else does`(isSecure: Bool) async throws {
        try await HostedBroker.prepare(isSecure: isSecure) { broker in
            var settings = try #require(try JSONValue(parsing: broker.folder.text(of: "broker.json")).object)
            settings["policy"] = "firebase"
            try broker.folder.write(JSONValue.object(settings).serialized(), to: "broker.json")
            let keyFile = broker.folder.path + "/service-account.json"
            _ = try await broker.document(
                "admin", "service-account", "create", "backend", "--scope", "users:read", "--scope", "users:write",
                "--output", keyFile)
            try await broker.serve { _ in
                let program = try SampleProgram(
                    "broker.cjs", in: "Docs/FirebaseAdmin.md",
                    environment: [
                        "BROKER": broker.url, "SERVICE_ACCOUNT": keyFile,
                        "NODE_EXTRA_CA_CERTS": isSecure ? broker.folder.path + "/cert.pem" : "",
                    ])
                try program.folder.write(Self.app, to: "app.mjs")

                let result = try await program.run("node", "--require", "./broker.cjs", "app.mjs", input: "")

                try #require(result.exitCode == 0, "\(result)")
                let answers = try JSONValue(parsing: result.output)
                #expect(answers["token"]?.string?.hasPrefix("sat1_") == true, "\(answers)")
                #expect(answers["created"]?["localId"] == "node-user", "\(answers)")
                let key = answers["certificates"]?.object?.first?.value.string
                #expect(key?.hasPrefix("-----BEGIN CERTIFICATE-----") == true, "\(answers)")
                #expect(answers["certificates"] == answers["again"] && answers["foreign"] == "ECONNREFUSED")
                let user = try await broker.document("users", "show", "node-user")
                #expect(user["displayName"] == "Grün" && user["email"] == "node@example.com", "\(user)")
            }
        }
    }

    /// The requests of an SDK, in the forms that `https` takes: options, a URL with options, and `get`.
    private static let app = """
        import { createSign } from "node:crypto";
        import { readFileSync } from "node:fs";
        import https, { get } from "node:https";

        function read(request, body) {
          return new Promise((resolve, reject) => {
            request.on("error", reject).on("response", (response) => {
              let text = "";
              response.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve(JSON.parse(text)));
            });
            request.end(body);
          });
        }

        const account = JSON.parse(readFileSync(process.env.SERVICE_ACCOUNT, "utf8"));
        const now = Math.floor(Date.now() / 1000);
        const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
        const claims = {
          iss: account.client_email, aud: "https://accounts.google.com/o/oauth2/token", iat: now, exp: now + 3600,
          scope: "https://www.googleapis.com/auth/cloud-platform",
        };
        const unsigned = encode({ alg: "RS256", typ: "JWT" }) + "." + encode(claims);
        const signature = createSign("RSA-SHA256").update(unsigned).sign(account.private_key, "base64url");
        const form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + unsigned + "." + signature;
        const token = await read(https.request({
          method: "POST", host: "accounts.google.com", hostname: "accounts.google.com", port: 443, path: "/o/oauth2/token",
          protocol: "https:", agent: undefined, headers: { "Content-Type": "application/x-www-form-urlencoded" },
        }), form);

        const headers = { "Content-Type": "application/json;charset=utf-8", Authorization: "Bearer " + token.access_token };
        const project = "https://identitytoolkit.googleapis.com/v1/projects/my-app/accounts";
        const created = await read(
          https.request(project, { method: "POST", headers }),
          JSON.stringify({ localId: "node-user", displayName: "Gr\u{FC}n", email: "node@example.com" }));

        const keys = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com";
        const certificates = await read(https.get(new URL(keys)));
        const again = await read(get(keys));
        // Not Google's: it goes where it is sent.
        const foreign = await read(https.request({ hostname: "127.0.0.1", port: 1, path: "/" })).catch((error) => error.code);
        console.log(JSON.stringify({ token: token.access_token.slice(0, 5), created, certificates, again, foreign }));
        """
}
