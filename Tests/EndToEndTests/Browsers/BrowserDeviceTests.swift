import BrowserTesting
import PostgreSQLTesting
import ProviderKit
import Testing

/// A device that shows a code, and the page where its user types it in.
@Suite("Devices without a browser", .oneEngine("pages in a browser"), .timeLimit(.minutes(20)))
struct BrowserDeviceTests {
    private static let grant = "urn:ietf:params:oauth:grant-type:device_code"

    @Test func `a user enters the code, and the device is signed in`() async throws {
        try await HostedBroker.run { broker in
            let device = try await Device(at: broker)
            try await Browser.run(.init(size: .phone)) { browser in
                try await browser.open(device.page)
                try await browser.screenshot("device")
                try await browser.element(.textbox, "Code").type("BCDF-GHJK")
                try await browser.click(.button, "Continue")
                try await browser.wait(forText: "This code is not known")
                let early = try await device.ask()
                let field = try await browser.element(.textbox, "Code")
                try await field.clear()
                try await field.type(device.userCode.lowercased().replacing("-", with: ""))
                try await browser.click(.button, "Continue")
                try await browser.click(.link, "Continue with GitHub")
                try await browser.consent(as: "Ada Example")
                try await browser.wait(forText: "Television asks to sign in")
                let isShown = try await browser.text.contains(device.userCode)
                try await browser.screenshot("device-confirm")
                try await browser.click(.button, "Continue")
                try await browser.wait(forText: "Your device is signed in")
                try await browser.screenshot("device-done")

                #expect(early.body["error"] == "authorization_pending", "\(early)")
                #expect(isShown, "the person compares the codes")
            }
            let tokens = try await device.ask()
            let again = try await device.ask()
            #expect(tokens.status == 200 && tokens.body["id_token"] != nil, "\(tokens)")
            #expect(again.body["error"] == "invalid_grant", "\(again)")
        }
    }

    @Test func `a user denies, and the device gets an error`() async throws {
        try await HostedBroker.run { broker in
            let device = try await Device(at: broker)
            try await Browser.run { browser in
                try await BrowserAccountTests.signIn(with: "GitLab", at: broker, in: browser)
                try await browser.open(device.completePage)
                try await browser.wait(forText: "Television asks to sign in")
                try await browser.click(.button, "Deny")
                try await browser.wait(forText: "Nothing was signed in")
                try await browser.screenshot("device-denied")
            }

            #expect(try await device.ask().body["error"] == "access_denied")
        }
    }

    /// A television.
    private struct Device {
        let client: IdentityToolkitApp
        let clientID: String
        let deviceCode: String
        let userCode: String
        let page: String
        let completePage: String

        init(at broker: HostedBroker) async throws {
            let added = try await broker.document("clients", "add", "--type", "native", "--name", "Television")
            clientID = try #require(added["client"]?["clientId"]?.string, "\(added)")
            client = broker.client
            let begun = try await Self.post(
                "/oauth/device_authorization", [("client_id", clientID), ("scope", "openid profile")], to: client)
            deviceCode = try #require(begun.body["device_code"]?.string, "\(begun)")
            userCode = try #require(begun.body["user_code"]?.string)
            page = try #require(begun.body["verification_uri"]?.string)
            completePage = try #require(begun.body["verification_uri_complete"]?.string)
        }

        /// Asks whether the user has decided.
        func ask() async throws -> IdentityToolkitApp.Answer {
            try await Self.post(
                "/oauth/token",
                [("grant_type", BrowserDeviceTests.grant), ("device_code", deviceCode), ("client_id", clientID)],
                to: client)
        }

        private static func post(
            _ path: String, _ fields: [(name: String, value: String)], to client: IdentityToolkitApp
        ) async throws -> IdentityToolkitApp.Answer {
            try await client.send(
                "POST", path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: FormEncoding.encode(fields))
        }
    }
}
