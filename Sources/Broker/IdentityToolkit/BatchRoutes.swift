import BrokerStore
import Foundation
import HTTPTypes
import Hummingbird
import JOSE
import ProviderKit

/// The methods of backends for many users: `accounts:batchGet`, `accounts:batchCreate`, `accounts:batchDelete` and
/// `accounts:query` (contract §7.1 to §7.4), with the names that the legacy v3 API has for them.
struct BatchRoutes: Sendable {
    let callers: CallerCheck
    /// The one project of this broker.
    let projectID: String
    let batches: UserBatches
    let importUsers: ImportUsers
    let now: @Sendable () -> Date

    func add(to routes: Routes) {
        for host in ["", "/identitytoolkit.googleapis.com"] {
            let project = host + "/v1/projects/{project}"
            routes.on(.get, project + "/accounts:batchGet", pages: .none, batchGet)
            routes.on(.post, project + "/accounts:batchCreate", pages: .none, batchCreate)
            routes.on(.post, project + "/accounts:batchDelete", pages: .none, batchDelete)
            routes.on(.post, project + "/accounts:query", pages: .none, query)
            routes.on(.post, project + ":queryAccounts", pages: .none, query)
        }
        for root in ["", "/www.googleapis.com"] {
            let root = root + "/identitytoolkit/v3/relyingparty/"
            routes.on(.post, root + "downloadAccount", pages: .none, downloadAccount)
            routes.on(.post, root + "uploadAccount", pages: .none, batchCreate)
        }
    }

    @Sendable
    func batchGet(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await administrator(request, context, .readUsers)
        let parameters: QueryParameters
        do throws(ParameterError) {
            parameters = try QueryParameters(queryOf: request)
        } catch {
            throw WireError.badRequest(error.text)
        }
        let fields = JSONObject(parameters.all.map { ($0.name, .string($0.value)) })
        return try await page(checked(RequestFields(fields)))
    }

    @Sendable
    func downloadAccount(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await administrator(request, context, .readUsers)
        return try await page(checked(RequestFields(request)))
    }

    /// The administrator that calls a method of the project, as the path names it.
    private func administrator(
        _ request: Request, _ context: BrokerRequestContext, _ scope: AdminScope
    ) async throws -> Administrator {
        guard request.headers[.authorization] != nil else {
            _ = try await callers(request)
            throw WireError.code(
                "INSUFFICIENT_PERMISSION", "Only authenticated requests can specify target_project_id.")
        }
        let administrator = try await callers.administrator(request, with: scope)
        if let named = context.parameters.get("project"), !named.hasSameBytes(as: projectID) {
            throw Self.foreignProject
        }
        return administrator
    }

    /// The fields, once it is clear that they do not reach for another project or a tenant.
    private func checked(_ fields: RequestFields) throws(WireError) -> RequestFields {
        if let named = try fields.nonEmpty("targetProjectId"), !named.hasSameBytes(as: projectID) {
            throw Self.foreignProject
        }
        if try fields.nonEmpty("tenantId") != nil { throw .code("INVALID_TENANT_ID") }
        return fields
    }

    private static let foreignProject = WireError.code(
        "INSUFFICIENT_PERMISSION", "This broker serves another project.")

    private func page(_ fields: RequestFields) async throws -> Response {
        let size = try fields.number("maxResults", in: 0...Int.max) ?? 0
        let limit = size == 0 ? 20 : min(size, UserBatches.maximumPage)
        let page = try await batches.page(after: try Self.cursor(fields), limit: limit)
        var answer = JSONObject([("kind", "identitytoolkit#DownloadAccountResponse")])
        answer["users"] = .array(page.records.map { .object(JSONObject($0)) })
        // Also when nothing follows: the next page is empty then, and has none.
        if page.users.count == limit, let last = page.users.last {
            answer["nextPageToken"] = .string(Base64URL.encode(Array(last.localID.utf8)))
        }
        return .json(.object(answer))
    }

    private static func cursor(_ fields: RequestFields) throws(WireError) -> String? {
        guard let token = try fields.nonEmpty("nextPageToken") else { return nil }
        guard let bytes = Base64URL.decode(token), let localID = String(validating: bytes, as: UTF8.self),
            LocalID.isUsable(localID)
        else { throw WireError.code("INVALID_PAGE_SELECTION", "nextPageToken is not of an earlier answer.") }
        return localID
    }

    @Sendable
    func batchCreate(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await administrator(request, context, .writeUsers)
        let fields = try checked(await RequestFields(request, maximumBody: RequestFields.maximumUserPage))
        let upload = try UserUpload(fields)
        let reader = UserRecordReader(at: Timestamp(now()))
        var errors: [Int: ImportRefusal] = [:]
        var users: [(index: Int, user: ImportedUser)] = []
        for (index, record) in upload.records.enumerated() {
            do throws(ImportRefusal) {
                users.append((index, try reader(record)))
            } catch {
                errors[index] = error
            }
        }
        let outcomes = try await importUsers(
            users.map(\.user), replacesExisting: upload.replacesExisting, origin: context.origin(administrator))
        for ((index, _), outcome) in zip(users, outcomes) {
            switch outcome {
            case .created, .replaced: break
            case .unchanged: errors[index] = .localIDTaken
            case .refused(let refusal): errors[index] = refusal
            }
        }
        return .json([
            "kind": "identitytoolkit#UploadAccountResponse",
            "error": .array(
                errors.sorted { $0.key < $1.key }.map { index, refusal in
                    ["index": .integer(Int64(index)), "message": .string(refusal.text)]
                }),
        ])
    }

    @Sendable
    func batchDelete(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await administrator(request, context, .writeUsers)
        let fields = try checked(await RequestFields(request, maximumBody: RequestFields.maximumUserPage))
        let localIDs = try fields.strings("localIds")
        guard (1...UserBatches.maximumPage).contains(localIDs.count) else {
            throw WireError.code("LOCAL_ID_LIST_EXCEEDS_LIMIT", "Send 1 to \(UserBatches.maximumPage) localIds.")
        }
        let refused = try await batches.delete(
            localIDs, includesEnabled: try fields.bool("force") ?? false, origin: context.origin(administrator))
        guard !refused.isEmpty else { return .json([:]) }
        return .json([
            "errors": .array(
                refused.map { index in
                    [
                        "index": .integer(Int64(index)), "localId": .string(localIDs[index]),
                        "message": "NOT_DISABLED : Disable the account before batch deletion.",
                    ]
                })
        ])
    }

    @Sendable
    func query(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await administrator(request, context, .readUsers)
        let query = try UserQuery(checked(await RequestFields(request)))
        guard query.returnsUsers else {
            let count =
                if let criterion = query.criterion {
                    try await batches.users(criterion).count
                } else {
                    try await batches.count()
                }
            return .json(["recordsCount": .string(String(count))])
        }
        let records =
            if let criterion = query.criterion {
                Array(try await batches.users(criterion).dropFirst(query.offset).prefix(query.limit))
            } else {
                try await batches.users(in: query.order, offset: query.offset, limit: query.limit)
            }
        return .json([
            "recordsCount": .string(String(records.count)),
            "userInfo": .array(records.map { .object(JSONObject($0)) }),
        ])
    }
}

extension RequestFields {
    /// A whole number, which may stand as a string.
    ///
    /// - Throws: ``WireError`` for anything else, and for a number out of range.
    func number(_ name: String, in range: ClosedRange<Int>) throws(WireError) -> Int? {
        guard let text = try nonEmpty(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WireError.field("/\(name)", "must be integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
