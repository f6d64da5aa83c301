import StoreSchema

/// A session with the rows that its validation and its next token need.
package struct SessionView<Linked: SessionIdentity>: Sendable, Hashable {
    package var session: Session
    package var user: User
    /// What the view has of the user's identities, in link order.
    package var identities: [Linked]
    /// Whether the next answer with tokens of the session may have notices for the app.
    package var mayHaveNotices = false
    /// Whether users may have been merged into its user: each answer to an OAuth client lists them.
    package var mayHaveAbsorbedUsers = false
    /// The notices that the answer with its tokens delivers.
    package var notices: [AccountNotice] = []

    package init(session: Session, user: User, identities: [Linked]) {
        self.session = session
        self.user = user
        self.identities = identities
    }

    /// The same without identities.
    package var withoutIdentities: SessionView<Never> {
        var view = SessionView<Never>(session: session, user: user, identities: [])
        (view.mayHaveNotices, view.mayHaveAbsorbedUsers) = (mayHaveNotices, mayHaveAbsorbedUsers)
        view.notices = notices
        return view
    }
}

/// A session with all that is stored about its user's identities, for flows that change the account.
package typealias SessionFacts = SessionView<Identity>

/// What a ``SessionView`` has of each identity. All of it is read by one statement.
package protocol SessionIdentity: Sendable, Hashable {
    /// Finds a session by its id: ``Session/viewColumns`` and, with a row for each identity of the user, the identity's
    /// key and the columns of this type; the key is null for a user without identities.
    static var ofSession: Statement { get }

    /// Reads the columns of this type.
    init(reading row: inout Row) throws(StoreError)
}

/// No identities.
extension Never: SessionIdentity {
    package static let ofSession = Statement(
        "session_with_user",
        "SELECT \(Session.viewColumns) FROM \(Session.withUser) WHERE sessions.id = $1", .text)

    package init(reading row: inout Row) throws(StoreError) {
        throw StoreError(.misuse, "a session without identities was asked for")
    }
}

extension TokenIdentity: SessionIdentity {
    package static let ofSession = Statement(
        "session_with_token_identities",
        """
        SELECT \(Session.viewColumns), identities.key, \(TokenIdentity.columns)
        FROM \(Session.withIdentities) WHERE sessions.id = $1
        """, .text)
}

extension LinkedIdentity: SessionIdentity {
    package static let ofSession = Statement(
        "session_with_linked_identities",
        """
        SELECT \(Session.viewColumns), identities.key, \(LinkedIdentity.columns)
        FROM \(Session.withIdentities) WHERE sessions.id = $1
        """, .text)
}

extension Identity: SessionIdentity {
    package static let ofSession = Statement(
        "session_with_identities",
        """
        SELECT \(Session.viewColumns), identities.key, \(Identity.columns)
        FROM \(Session.withIdentities) WHERE sessions.id = $1
        """, .text)
}

extension Session {
    /// The columns of a session, of its user, and whether there may be something to tell the app.
    static let viewColumns = """
        \(Session.columns), \(User.columns), CASE WHEN \(AccountNotice.areDue) THEN 1 ELSE 0 END,
        CASE WHEN sessions.family = 'oauth' AND EXISTS (
            SELECT 1 FROM user_aliases WHERE user_aliases.user_key = sessions.user_key) THEN 1 ELSE 0 END
        """

    fileprivate static let viewWidth = Session.table.recordColumns.count + User.table.recordColumns.count + 2

    static let withUser = "sessions JOIN users ON users.key = sessions.user_key"

    // In no order: with ORDER BY both engines would sort whole rows, mostly one.
    static let withIdentities = "\(withUser) LEFT JOIN identities ON identities.user_key = users.key"
}

/// Puts the rows of ``SessionIdentity/ofSession`` together.
struct SessionRows<Linked: SessionIdentity> {
    private(set) var view: SessionView<Linked>?
    /// The keys of the view's identities, which are time-ordered.
    private var keys: [Int64] = []

    mutating func read(_ row: inout Row) throws(StoreError) {
        if view == nil {
            view = SessionView(session: try Session(reading: &row), user: try User(reading: &row), identities: [])
            view?.mayHaveNotices = try row.flag()
            view?.mayHaveAbsorbedUsers = try row.flag()
        } else {
            row.skip(Session.viewWidth)
        }
        guard row.hasMore, let key = try row.optionalInteger() else { return }
        let identity = try Linked(reading: &row)
        // Nearly always in this order already.
        if let place = keys.firstIndex(where: { $0 > key }) {
            keys.insert(key, at: place)
            view?.identities.insert(identity, at: place)
        } else {
            keys.append(key)
            view?.identities.append(identity)
        }
    }
}

extension Transaction {
    /// The session with this id, valid or not, with its user and what the type has of the user's identities.
    @specialized(where Linked == TokenIdentity)
    @specialized(where Linked == LinkedIdentity)
    package func session<Linked: SessionIdentity>(
        id: String, with identities: Linked.Type
    ) throws(StoreError) -> SessionView<Linked>? {
        var rows = SessionRows<Linked>()
        try connection.run(Linked.ofSession, [.text(id)]) { row throws(StoreError) in try rows.read(&row) }
        return rows.view
    }

    /// The session with this id, valid or not, its user and the user's identities.
    package func sessionFacts(id: String) throws(StoreError) -> SessionFacts? {
        try session(id: id, with: Identity.self)
    }
}
