import BrokerStore
import Hummingbird
import ProviderKit

/// `accounts:signUp` and `accounts:lookup` of Identity Toolkit v1: apps sign up anonymously and look up their own user,
/// backends create and find any user.
struct UserRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.account("signUp", legacy: "signupNewUser", signUp)
        routes.project(.post, accounts: "", signUp)
        routes.account("lookup", legacy: "getAccountInfo", lookUp)
        routes.project(.post, accounts: ":lookup", lookUp)
    }

    @Sendable
    func signUp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        var answer = JSONObject([("kind", "identitytoolkit#SignupNewUserResponse")])
        switch try await toolkit.account(request, in: context, with: .writeUsers, takesProof: false) {
        case .app(let caller, let fields):
            _ = try SignUpBody(fields, allowsAnonymous: toolkit.accounts.allowsAnonymousSignUp)
            let (facts, tokens) = try await toolkit.accounts.signUpAnonymously(origin: context.origin(caller))
            answer["localId"] = .string(facts.user.localID)
            answer.add(tokens)
        case .administrator(let administrator, let fields):
            let user = try await toolkit.accounts.createUser(try NewUser(fields), origin: context.origin(administrator))
                .user
            answer["localId"] = .string(user.localID)
            answer["displayName"] = user.displayName.map(JSONValue.string)
            answer["email"] = user.email.map(JSONValue.string)
        }
        return .json(.object(answer))
    }

    @Sendable
    func lookUp(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let users: [JSONObject]
        switch try await toolkit.account(request, in: context, with: .readUsers) {
        case .app(_, let fields):
            let (record, session) = try await toolkit.accounts.lookUp(try IDTokenBody(fields).idToken)
            var user = JSONObject(record)
            user.addLogin(of: session, record.user, stepUp: toolkit.accounts.policy.stepUp, at: toolkit.now)
            users = [user]
        case .administrator(_, let fields):
            users = try await toolkit.accounts.findUsers(try LookUpBody(fields).criteria).map(JSONObject.init)
        }
        var answer = JSONObject([("kind", "identitytoolkit#GetAccountInfoResponse")])
        // SDKs take an empty list for a user.
        if !users.isEmpty { answer["users"] = .array(users.map(JSONValue.object)) }
        return .json(.object(answer))
    }
}

/// The body of `accounts:lookup` of a backend (contract §2.5): the criteria, in the order of the answer.
struct LookUpBody: DeclaredRequest {
    private(set) var criteria: [UserCriterion] = []

    /// As many as Firebase's SDKs send at most.
    private static let limit = 100

    static let body = DeclaredBody<LookUpBody>([
        .texts("localId", atMost: limit, "Ids of users.") { $0.criteria += $1.map(UserCriterion.localID) }
            .example(["<user>"]),
        .texts("email", atMost: limit, "E-mail addresses of users.") { $0.criteria += $1.map(UserCriterion.email) },
        // No user has a telephone number here.
        .texts("phoneNumber", atMost: limit, "Is passed over: no user has a telephone number here.") { _, _ in },
        .value(
            "federatedUserId",
            schema: [
                "type": "array", "maxItems": .integer(limit),
                "items": [
                    "type": "object",
                    "properties": [
                        "providerId": ["type": "string", "description": "The provider's id."],
                        "rawId": ["type": "string", "description": "The user's permanent id at the provider."],
                    ],
                ],
            ], "Identities of users; one without both members is passed over."
        ) { (fields, body) throws(WireError) in
            for entry in try fields.objects("federatedUserId", limit: limit) {
                guard let provider = try entry.nonEmpty("providerId"), let subject = try entry.nonEmpty("rawId") else {
                    continue
                }
                body.criteria.append(.identity(provider: provider.lowercasedASCII, subject: subject))
            }
        },
        .texts("initialEmail", atMost: limit, "The first addresses of users.") {
            $0.criteria += $1.map(UserCriterion.initialEmail)
        },
    ])
}

/// The user that a backend creates (contract §2.1).
extension NewUser: DeclaredRequest {
    static let body = DeclaredBody<NewUser>([
        .text("localId", "The user's id, at most 128 characters; the broker draws one when absent.") {
            $0.localID = $1
        },
        .check { (fields, user) throws(WireError) in
            if try fields.nonEmpty("idToken") != nil, user.localID != nil {
                throw .code(.unexpectedParameter, "User ID")
            }
        },
        .refused(["idToken", "password", "phoneNumber", "mfaInfo"]) {
            .code(.operationNotAllowed, "\($0) is not offered here: users sign in through a provider.")
        },
        .emptyableText("email", "The user's e-mail address.") { $0.email = $1 }.example("grace@example.com"),
        .flag("emailVerified", "Whether the address counts as verified.") { $0.isEmailVerified = $1 ?? false },
        ProfileFields.displayName { $0.displayName = $1?.value },
        ProfileFields.picture { $0.photoURL = $1?.value },
        .flag("disabled", "Whether the user is disabled.") { $0.isDisabled = $1 ?? false },
    ])
}

/// The body of `accounts:signUp` of an app, which can sign users up anonymously only (contract §2.1).
struct SignUpBody: Sendable {
    private let allowsAnonymous: Bool

    /// - Throws: ``WireError`` in the order of contract §2.1.
    init(_ fields: RequestFields, allowsAnonymous: Bool) throws(WireError) {
        self.allowsAnonymous = allowsAnonymous
        try Self.body.read(fields, into: &self)
    }

    static let body = DeclaredBody<SignUpBody>([
        .check { (fields, body) throws(WireError) in
            if try fields.nonEmpty("localId") != nil { throw .code(.unexpectedParameter, "User ID") }
            let email = try fields.string("email")
            let password = try fields.nonEmpty("password")
            if try fields.nonEmpty("idToken") != nil || password != nil || email?.isEmpty == false {
                if email?.isEmpty ?? true { throw .code(.missingEmail) }
                if password == nil { throw .code(.missingPassword) }
                throw .code(.operationNotAllowed, "Passwords are not offered here: sign in through a provider.")
            }
            guard body.allowsAnonymous else { throw WireError(BrokerError.anonymousSignInOff) }
            if email != nil { throw .code(.invalidEmail) }
        },
        CommonFields.returnSecureToken().example(true),
    ])
}
