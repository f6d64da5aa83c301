import BrokerStore
import HTTPTypes
import Hummingbird
import JOSE
import ProviderKit

/// The methods of backends for many users: `accounts:batchGet`, `accounts:batchCreate`, `accounts:batchDelete` and
/// `accounts:query` (contract §7.1 to §7.4), with the names that the legacy v3 API has for them.
struct BatchRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.project(.get, accounts: ":batchGet", takesLong: true, batchGet)
        routes.project(.post, accounts: ":batchCreate", takesLong: true, batchCreate)
        routes.project(.post, accounts: ":batchDelete", takesLong: true, batchDelete)
        routes.project(.post, accounts: ":query", takesLong: true, query)
        routes.identityToolkit(.post, "/v1/projects/{project}:queryAccounts", pages: .none, takesLong: true, query)
        for root in ["", "/www.googleapis.com"] {
            let root = root + "/identitytoolkit/v3/relyingparty/"
            routes.on(
                .post, root + "downloadAccount", pages: .none, counting: .byProof, takesLong: true, downloadAccount)
            routes.on(.post, root + "uploadAccount", pages: .none, counting: .byProof, takesLong: true, batchCreate)
        }
    }

    @Sendable
    func batchGet(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.administrator(request, in: context, with: .readUsers)
        let fields = JSONObject(try QueryParameters.of(request).all.map { ($0.name, .string($0.value)) })
        return try await page(RequestFields(fields).ofProject(toolkit.projectID))
    }

    @Sendable
    func downloadAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.administrator(request, in: context, with: .readUsers)
        return try await page(RequestFields(request).ofProject(toolkit.projectID))
    }

    private func page(_ fields: RequestFields) async throws -> Response {
        let asked = try UserPageRequest(fields)
        let page = try await toolkit.accounts.userPage(after: asked.cursor, limit: asked.limit)
        var answer = JSONObject([("kind", "identitytoolkit#DownloadAccountResponse")])
        answer["users"] = .array(page.records.map { .object(JSONObject($0)) })
        // Also when nothing follows: the next page is empty then, and has none.
        if page.users.count == asked.limit, let last = page.users.last {
            answer["nextPageToken"] = .string(Base64URL.encode(Array(last.localID.utf8)))
        }
        return .json(.object(answer))
    }

    @Sendable
    func batchCreate(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await toolkit.administrator(request, in: context, with: .writeUsers)
        let fields = try await RequestFields(request, maximumBody: RequestFields.maximumUserPage)
            .ofProject(toolkit.projectID)
        let upload = try UserUpload(fields)
        let reader = UserRecordReader(at: toolkit.now)
        var errors: [Int: ImportRefusal] = [:]
        var dropped: [JSONValue] = []
        var users: [(index: Int, user: ImportedUser)] = []
        for (index, record) in upload.records.enumerated() {
            do throws(ImportRefusal) {
                users.append((index, try reader.user(record)))
            } catch {
                errors[index] = error
            }
        }
        let outcomes = try await toolkit.accounts.importUsers(
            users.map(\.user), replacesExisting: upload.replacesExisting, origin: context.origin(administrator))
        for ((index, user), outcome) in zip(users, outcomes) {
            switch outcome {
            case .created, .replaced:
                guard !user.droppedFields.isEmpty else { continue }
                let fields = user.droppedFields.map(JSONValue.string)
                dropped.append(["index": .integer(Int64(index)), "fields": .array(fields)])
            case .unchanged: errors[index] = .localIDTaken
            case .refused(let refusal): errors[index] = refusal
            }
        }
        var answer: JSONObject = [
            "kind": "identitytoolkit#UploadAccountResponse",
            "error": .array(
                errors.sorted { $0.key < $1.key }.map { index, refusal in
                    ["index": .integer(Int64(index)), "message": .string(refusal.text)]
                }),
        ]
        // Of users who were imported: SDKs count an entry of `error` as a user who was not.
        if !dropped.isEmpty { answer["broker"] = ["dropped": .array(dropped)] }
        return .json(.object(answer))
    }

    @Sendable
    func batchDelete(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await toolkit.administrator(request, in: context, with: .writeUsers)
        let fields = try await RequestFields(request, maximumBody: RequestFields.maximumUserPage)
            .ofProject(toolkit.projectID)
        let deletion = try UserDeletion(fields)
        let refused = try await toolkit.accounts.deleteUsers(
            deletion.localIDs, includesEnabled: deletion.includesEnabled, origin: context.origin(administrator))
        guard !refused.isEmpty else { return .json([:]) }
        return .json([
            "errors": .array(
                refused.map { index in
                    [
                        "index": .integer(Int64(index)), "localId": .string(deletion.localIDs[index]),
                        "message": "NOT_DISABLED : Disable the account before batch deletion.",
                    ]
                })
        ])
    }

    @Sendable
    func query(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.administrator(request, in: context, with: .readUsers)
        let query = try UserQuery(try await RequestFields(request).ofProject(toolkit.projectID))
        guard query.returnsUsers else {
            let count =
                if let criterion = query.criterion {
                    try await toolkit.accounts.findUsers([criterion]).count
                } else {
                    try await toolkit.accounts.userCount()
                }
            return .json(["recordsCount": .string(String(count))])
        }
        let records =
            if let criterion = query.criterion {
                Array(try await toolkit.accounts.findUsers([criterion]).dropFirst(query.offset).prefix(query.limit))
            } else {
                try await toolkit.accounts.users(in: query.order, offset: query.offset, limit: query.limit)
            }
        return .json([
            "recordsCount": .string(String(records.count)),
            "userInfo": .array(records.map { .object(JSONObject($0)) }),
        ])
    }
}
