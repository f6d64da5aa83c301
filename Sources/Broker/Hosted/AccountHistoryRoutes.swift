import BrokerStore
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderKit

/// `/account/history` and `/account/export`: what happened to the account of the browser's user, and a file with all that is
/// stored of it.
struct AccountHistoryRoutes: Sendable {
    let pages: HostedPages

    static let path = "/account/history"
    static let exportPath = "/account/export"
    static let after = DeclaredParameter("after", "Where the page before ended.")
    private static let pageSize = 50

    func add(to routes: HostedRoutes) {
        routes.on(.get, Self.path, show)
        routes.on(.post, Self.exportPath, takesLong: true, export)
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        guard let session = visit.session else { return pages.redirect(visit, to: "/sign-in") }
        let found = try await pages.accounts.history(
            of: session.user, after: try QueryParameters(queryOf: request)[Self.after], limit: Self.pageSize)
        let page = AccountHistoryPage(
            entries: try await pages.account.happenings(found.entries),
            olderHref: found.next.map { "\(Self.path)?\(FormEncoding.encode([(Self.after.name, $0)]))" })
        return pages.page(page, to: visit)
    }

    @Sendable
    func export(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, _, _) = try await pages.posted(
            request, context, AccountPageRoutes.SessionForm.self, for: .export, \.sessionID)
        do {
            let document = try await pages.accounts.exportAccount(session.presented, origin: visit.origin)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
                    .contentDisposition: #"attachment; filename="account-data.json""#,
                ], body: ByteBuffer(string: JSONValue.object(document).indented() + "\n"))
        } catch BrokerError.recentLoginRequired, BrokerError.stepUpRequired {
            return try await pages.loginAgain(session, visit)
        } catch BrokerError.tooManyAttempts {
            return pages.redirect(visit, to: "/account?done=exported-recently")
        }
    }
}
