import BrowserTesting
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

/// A page of an app that uses the handler pages, with the code `Docs/AddSignIn-Firebase.md` gives to readers.
struct AppPage: Sendable {
    let broker: HostedBroker
    let site: LocalSite

    /// The app's page. To browsers it is of the broker's site, on another port, hence of another origin.
    var url: String { "http://localhost:\(site.port)/" }

    /// Serves the page and a broker that knows its origin, and lends them to `body`.
    static func run(_ body: (AppPage) async throws -> Void) async throws {
        try await HostedBroker.prepare { broker in
            try await LocalSite.run {
                page(for: $0, at: broker)
            } _: { site in
                let page = AppPage(broker: broker, site: site)
                try page.register()
                try await broker.serve { _ in try await body(page) }
            }
        }
    }

    private static func page(for visit: LocalSite.Visit, at broker: HostedBroker) -> LocalSite.Page {
        guard visit.path.hasSuffix(".js") else { return LocalSite.Page(html) }
        let code = (try? DocumentedCode.named(String(visit.path.dropFirst()), in: "Docs/AddSignIn-Firebase.md")) ?? ""
        let own = code.replacing(#""https://id.example""#, with: #""\#(broker.url)""#)
            .replacing(#""your-api-key""#, with: #""\#(broker.client.apiKey)""#)
        return LocalSite.Page(own, headers: ["Content-Type": "text/javascript"])
    }

    /// What an app makes of the documented functions; the result stands on the page.
    private static let html = """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>An app</title></head>
        <body><button id="popup">Sign in</button><button id="redirect">Leave</button><pre id="result"></pre>
        <script type="module">
        import { credentialFromPopup } from "/popup.js";
        import { leaveFor, credentialFromRedirect } from "/redirect.js";
        import { eventFromFrame } from "/frame.js";
        const provider = new URLSearchParams(location.search).get("with") || "github.com";
        async function show(work) {
          const result = document.getElementById("result");
          try {
            const outcome = await work();
            if (outcome) result.textContent = "done " + JSON.stringify(outcome);
          } catch (error) {
            result.textContent = "failed " + error.message;
          }
        }
        document.getElementById("popup").onclick = () => show(() => credentialFromPopup(provider));
        document.getElementById("redirect").onclick = () => show(() => leaveFor(provider));
        window.eventFromFrame = () => show(eventFromFrame);
        show(credentialFromRedirect);
        </script></body></html>
        """

    /// The operator's registration: the app's origin and its redirect URIs.
    private func register() throws {
        var settings = try #require(try JSONValue(parsing: broker.folder.text(of: "broker.json")).object)
        settings["apiKeys"] = [
            ["key": .string(broker.client.apiKey), "origins": [.string(String(url.dropLast()))]]
        ]
        try broker.folder.write(JSONValue.object(settings).serialized(), to: "broker.json")
        // Whole pages are tried at GitLab; the others know the broker's own address.
        var lab = broker.providers.gitLab.defaultApplication
        lab.redirectURIs.append(url)
        broker.providers.gitLab.register(lab)
    }
}
