import BrokerAuthMiddleware
import Foundation
import Hummingbird
import Logging

/// A backend whose routes need a token of a broker: notes for signed-in users.
@main
enum Main {
    static func main() async throws {
        let settings = Environment()
        let tokens = try BrokerTokens(
            issuer: settings.require("ISSUER"), clientIDs: [settings.require("CLIENT_ID")],
            projectID: settings.get("PROJECT_ID"),
            introspection: .serviceAccount(keyFile: URL(filePath: settings.require("KEY_FILE"))))

        let application = Application(
            router: router(tokens),
            configuration: .init(
                address: .hostname("127.0.0.1", port: settings.get("PORT", as: Int.self) ?? 8080), serverName: nil),
            onServerRunning: { channel in
                let line = "listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n"
                try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
            })
        try await application.runService()
    }

    private static func router(_ tokens: BrokerTokens) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        // Before the middleware: for everyone.
        router.get("health") { _, _ in HTTPResponse.Status.ok }

        router.add(middleware: BrokerAuthMiddleware(tokens))
        router.get("me") { _, context in
            let identity = try context.requireIdentity()
            return Caller(user: identity.userID, kind: identity.kind.rawValue, session: identity.sessionID)
        }
        router.group("profile").add(middleware: BrokerRequirement(scopes: ["profile"]))
            .get { _, context in "profile of \(try context.requireIdentity().userID)" }
        // Moving money: the broker is asked whether the session has ended, and the login must be recent.
        router.group("payments").add(middleware: BrokerRequirement(loginWithin: .seconds(300), activeSession: true))
            .get { _, context in "payments of \(try context.requireIdentity().userID)" }
        return router
    }
}

/// The context of each request, with the caller's identity.
struct AppContext: BrokerAuthRequestContext {
    var coreContext: CoreRequestContextStorage
    var identity: BrokerIdentity?

    init(source: Source) { coreContext = .init(source: source) }
}

/// The answer of `/me`.
struct Caller: ResponseEncodable {
    let user: String
    let kind: String
    let session: String
}
