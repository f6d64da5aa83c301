import BrokerStore
import Hummingbird
import ProviderKit

/// `/account/profile`: the form with which the browser's user changes the name and the picture.
struct ProfilePageRoutes: Sendable {
    let pages: HostedPages

    static let path = "/account/profile"

    // The fields of the form.
    fileprivate static let name = DeclaredParameter("name", "The name; without it the user has none.")
    fileprivate static let picture = DeclaredParameter(
        "picture", "`none`, `address`, or `provider:` with the id of a connected provider.")
    fileprivate static let address = DeclaredParameter("address", "The URL of the picture.")
    static let parameters = [name, picture, address]

    func add(to routes: HostedRoutes) {
        routes.on(.get, Self.path, show)
        routes.on(.post, Self.path, save)
    }

    @Sendable
    func show(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let visit = try await pages.visit(request, context)
        guard let session = visit.session else { return pages.redirect(visit, to: "/sign-in") }
        return try page(ProfilePage.Entry(of: session), nil, session, visit)
    }

    @Sendable
    func save(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let (visit, session, _, fields) = try await pages.posted(
            request, context, AccountPageRoutes.SessionForm.self, for: .profile, \.sessionID)
        let entry = ProfilePage.Entry(fields)
        let changes: AccountChanges
        do throws(ProfilePage.Problem) {
            changes = try entry.changes(of: session)
        } catch {
            return try page(entry, error, session, visit)
        }
        do {
            _ = try await pages.accounts.updateAccount(session.presented, changes, origin: visit.origin)
        } catch BrokerError.stepUpRequired {
            return try await pages.loginAgain(session, visit)
        }
        return pages.redirect(visit, to: "/account?done=profile")
    }

    private func page(
        _ entry: ProfilePage.Entry, _ problem: ProfilePage.Problem?, _ session: SessionFacts, _ visit: Visit
    ) throws -> Response {
        let page = ProfilePage(
            entry: entry, problem: problem, pictures: session.pictures(pages.providers.current),
            form: try pages.form(
                Self.path, .profile, AccountPageRoutes.SessionForm(sessionID: session.session.id), visit))
        return pages.page(page, to: visit, status: problem == nil ? .ok : .badRequest, at: Self.path)
    }
}

extension SessionFacts {
    /// The pictures that the user's providers know.
    fileprivate func pictures(_ directory: ProviderDirectory) -> [ProfilePage.Picture] {
        identities.compactMap { identity in
            PictureURL(identity.photoURL).map {
                ProfilePage.Picture(
                    provider: identity.provider, name: directory.displayName(of: identity.provider), url: $0.text)
            }
        }
    }
}

extension ProfilePage.Entry {
    /// The profile as it is.
    fileprivate init(of session: SessionFacts) {
        let url = PictureURL(session.user.photoURL)?.text
        let provider = session.identities.first { url != nil && PictureURL($0.photoURL)?.text == url }?.provider
        name = session.user.displayName ?? ""
        picture = url == nil ? .none : provider.map(ProfilePage.Choice.provider) ?? .address
        address = provider == nil ? url ?? "" : ""
    }

    /// What was typed.
    fileprivate init(_ fields: QueryParameters) {
        name = fields[ProfilePageRoutes.name] ?? ""
        picture = ProfilePage.Choice(fields[ProfilePageRoutes.picture])
        address = fields[ProfilePageRoutes.address] ?? ""
    }

    /// What a form changes of the profile.
    ///
    /// - Throws: The problem of a field.
    fileprivate func changes(of session: SessionFacts) throws(ProfilePage.Problem) -> AccountChanges {
        var changes = AccountChanges()
        do {
            changes.displayName = try ProfileFields.change(name, of: "name")
        } catch {
            throw .nameTooLong
        }
        let url: String
        switch picture {
        case .none: url = ""
        case .address: url = address
        case .provider(let id):
            // A provider that was disconnected meanwhile has no picture any more.
            url = session.identities.first { $0.provider.hasSameBytes(as: id) }?.photoURL ?? ""
        }
        do {
            changes.photoURL = try ProfileFields.picture(url)
        } catch {
            throw .addressInvalid
        }
        return changes
    }
}
