import BrokerStore
import Foundation
import Hummingbird
import ProviderKit

/// The console's start, and its pages about users and their requests.
struct PeopleRoutes: Sendable {
    func add(to routes: ConsoleRoutes) {
        routes.get(ConsoleSection.home.path, home)
        routes.get(ConsoleSection.users.path, search)
        routes.get("\(ConsoleSection.users.path)/{user}", user)
        routes.get(ConsoleSection.requests.path, findRequest)
        routes.get("\(ConsoleSection.requests.path)/{request}", request)
        routes.get(ConsoleLink.rules) { try await $0.show(RulesView().page) }
    }

    @Sendable
    private func home(_ visit: ConsoleVisit) async throws -> Response {
        let view = HomeView(
            status: try await visit.run(ShowStatus()), statistics: try await visit.run(ShowStatistics()),
            showsDays: visit.query["period"] == "days")
        return try await visit.show(view.page)
    }

    @Sendable
    private func search(_ visit: ConsoleVisit) async throws -> Response {
        let text = (visit.query["q"] ?? "").trimmingCharacters(in: .whitespaces)
        let filters = SearchView.Filters(
            provider: visit.query["provider"], state: visit.query["state"].flatMap { .init(rawValue: $0) },
            created: visit.query["created"].flatMap { .init(rawValue: $0) },
            signedIn: visit.query["signed-in"].flatMap { .init(rawValue: $0) })
        let now = visit.access.now
        let answer = try await visit.run(
            SearchView.search(text, filters, after: visit.query["after"], now: now))
        if let target = SearchView.target(of: text, filters, answer) { return visit.redirect(to: target) }
        let directory = visit.access.admin.providers.current
        let view = SearchView(
            text: text, filters: filters, answer: answer, labels: visit.labels,
            providers: directory.providers.map(\.id), buttons: visit.buttons, now: now)
        return try await visit.show(view.page)
    }

    @Sendable
    private func user(_ visit: ConsoleVisit) async throws -> Response {
        let name = visit.value("user")
        let (kind, after) = (visit.query["show"].flatMap(ShowTimeline.Kind.init), visit.query["after"])
        let user = try await visit.run(ShowUser(user: name))
        let localID = user["localId"]?.string ?? name
        let timeline = try await visit.run(ShowTimeline(user: localID, kind: kind, after: after))
        let sessions = try await visit.run(ListUserSessions(user: localID, all: nil, after: nil, limit: 20))
        let view = UserView(
            user: user, timeline: timeline, sessions: sessions, labels: visit.labels,
            kind: kind, after: after,
            mayChange: visit.may(DisableUserOperation.self), now: visit.access.now)
        return try await visit.show(view.page)
    }
}

extension PeopleRoutes {
    @Sendable
    private func findRequest(_ visit: ConsoleVisit) async throws -> Response {
        let number = (visit.query[RequestsView.numberName] ?? "").trimmingCharacters(in: .whitespaces)
        guard number.isEmpty else { return visit.redirect(to: ConsoleLink.request(RequestID.typed(number) ?? number)) }
        return try await visit.show(try await refusals(visit).page)
    }

    private func refusals(_ visit: ConsoleVisit) async throws -> RequestsView {
        let filter = RefusalFilter(
            code: visit.query["code"], provider: visit.query["provider"], client: visit.query["client"])
        let before = visit.query[RequestsView.beforeName]
        return RequestsView(
            filter: filter, before: before, answer: try await visit.run(filter.operation(before: before)),
            labels: visit.labels)
    }

    @Sendable
    private func request(_ visit: ConsoleVisit) async throws -> Response {
        let id = visit.value("request")
        let answer: ExplainDecisions.Answer
        do {
            answer = try await visit.run(ExplainDecisions(of: id))
        } catch let failure as AdminFailure where failure.code == ExplainDecisions.nothingKnown {
            var view = try await refusals(visit)
            view.unknown = id
            return try await visit.show(view.page, .notFound)
        }
        let causes = answer.refusal == nil ? [] : try await visit.run(ShowStatistics()).hours.causes
        let view = RequestView(id: id, answer: answer, causes: causes, labels: visit.labels, now: visit.access.now)
        return try await visit.show(view.page)
    }
}

extension SearchView {
    /// The page that a text names: of the user whose id or address it is, or of the request whose number it is.
    static func target(of text: String, _ filters: Filters, _ answer: SearchUsers.Answer) -> String? {
        guard !text.isEmpty, filters == Filters() else { return nil }
        if let only = answer.users.first, answer.users.count == 1,
            [only.localId, only.email].contains(where: { $0?.hasSameBytes(as: text) == true })
        {
            return ConsoleLink.user(only.localId)
        }
        return answer.users.isEmpty ? answer.requestId.map(ConsoleLink.request) : nil
    }
}
