import Broker
import BrokerStore
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("accounts:batchCreate, batchGet, batchDelete and query")
struct BatchRoutesTests {
    /// A backend with an admin token.
    private struct Backend {
        let broker: TestBroker
        private let headers: HTTPHeaders

        init(_ broker: TestBroker, scopes: Set<AdminScope> = [.readUsers, .writeUsers]) async throws {
            let (_, token) = try await broker.core.sessions.adminCredentials.create(
                named: "Test", scopes: scopes, lifetime: nil, origin: Origin(.admin, actor: "test"))
            self.broker = broker
            headers = ["Authorization": "Bearer \(token.text)", "Content-Type": "application/json"]
        }

        private var project: String { "/v1/projects/\(broker.core.configuration.project.id)" }

        func post(_ name: String, _ body: JSONValue) async throws -> Answer {
            try await send("\(project)/accounts:\(name)", body)
        }

        func send(_ path: String, _ body: JSONValue) async throws -> Answer {
            try await broker.send(.POST, path, headers: headers, body: Array(body.serialized().utf8))
        }

        func page(_ query: String = "") async throws -> Answer {
            try await broker.send(.GET, "\(project)/accounts:batchGet?\(query)", headers: headers)
        }
    }

    private static func user(_ id: String, _ fields: JSONObject = [:]) -> JSONValue {
        var user = JSONObject([("localId", .string(id))])
        for (name, value) in fields { user[name] = value }
        return .object(user)
    }

    private static func gitHub(_ subject: String) -> JSONValue {
        [["providerId": "github.com", "rawId": .string(subject), "displayName": "Ann", "email": "ann@example.com"]]
    }

    private static func messages(_ answer: Answer) -> [[String]] {
        (answer["error"]?.array ?? []).map { [$0["index"]?.number?.literal ?? "", $0["message"]?.string ?? ""] }
    }

    @Test func `an imported user keeps the id and signs in with the identity`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            let ada = try broker.person("ada")

            let answer = try await backend.post(
                "batchCreate",
                [
                    "users": [
                        Self.user(
                            "uid-ada",
                            [
                                "email": "Ada@Example.com", "emailVerified": true, "displayName": "Ada L.",
                                "customAttributes": #"{"role":"admin"}"#, "createdAt": "1600000000000",
                                "lastLoginAt": 1_600_000_001_000, "passwordHash": "c2VjcmV0",
                                "providerUserInfo": [
                                    ["providerId": "GitHub.com", "rawId": .string(String(ada.id))],
                                    ["providerId": "password", "federatedId": "ada@example.com"],
                                ],
                            ])
                    ]
                ])
            let session = try await broker.signIn(ada)

            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["kind"] == "identitytoolkit#UploadAccountResponse" && answer["error"] == [])
            #expect(try session.string("localId") == "uid-ada", "\(session.text)")
            #expect(try broker.claims(of: session)["role"] == "admin")
            let users = try await backend.page()
            let user = try #require(users["users"]?.array?.first)
            #expect(user["email"] == "ada@example.com" && user["emailVerified"] == true)
            #expect(user["createdAt"] == "1600000000000" && user["validSince"]?.string != nil)
            #expect(!users.text.contains("c2VjcmV0"))
            let audit = try await broker.core.store.read { try $0.auditEntries(localID: "uid-ada", limit: 10) }
            #expect(audit.contains { $0.event == "user.imported" && $0.actor?.hasPrefix("credential:") == true })
        }
    }

    @Test func `each user is imported or refused by itself, with the message that tells why`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            let ada = try await broker.signIn(broker.person("ada"))
            let adaSubject = String(try broker.person("ada").id)
            let adaID = try ada.string("localId")
            let long = #"{"a":""# + String(repeating: "x", count: 1000) + #""}"#

            let answer = try await backend.post(
                "batchCreate",
                [
                    "users": [
                        [:],
                        Self.user("a", ["customAttributes": #"{"sub":"x"}"#]),
                        Self.user("b", ["customAttributes": "[]"]),
                        Self.user("c", ["customAttributes": .string(long)]),
                        Self.user("d", ["providerUserInfo": [["providerId": "github.com"]]]),
                        Self.user("thief", ["providerUserInfo": Self.gitHub(adaSubject)]),
                        Self.user("e", ["email": "no address"]),
                        Self.user("f", ["email": "ADA@example.com"]),
                        Self.user(adaID),
                        Self.user("g", ["providerUserInfo": [["providerId": "google.com", "rawId": "1"]]]),
                        Self.user("h", ["providerUserInfo": [["providerId": "github.com", "rawId": "null"]]]),
                        Self.user("good", ["email": "good@example.com"]),
                        Self.user("late", ["email": "good@example.com"]),
                    ]
                ])

            #expect(
                Self.messages(answer) == [
                    ["0", "localId is missing"], ["1", "Custom claims provided include a reserved claim."],
                    ["2", "Invalid custom claims provided."], ["3", "Custom claims provided are too large."],
                    ["4", "federatedId or (providerId & rawId) is required"],
                    ["5", "raw id exists in other account in database"], ["6", "email is invalid"],
                    ["7", "email exists in other account in database"],
                    ["8", "localId belongs to an existing account - can not overwrite."],
                    ["9", "no enabled provider entry has the id google.com"],
                    ["10", "rawId of github.com is no usable subject"],
                    ["12", "email exists in other account in database"],
                ], "\(answer.text)")
            #expect(try await broker.signIn(broker.person("ada")).string("localId") == adaID)
            #expect(try await backend.page()["users"]?.array?.count == 2)
        }
    }

    @Test func `duplicates within a request refuse all of it`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            let one = Self.user("a", ["email": "x@example.com", "providerUserInfo": Self.gitHub("7")])
            let two = Self.user("b", ["email": "y@example.com", "providerUserInfo": Self.gitHub("7")])
            let three = Self.user("c", ["email": "x@example.com"])

            let emails = try await backend.post("batchCreate", ["sanityCheck": true, "users": [one, three]])
            let subjects = try await backend.post("batchCreate", ["sanity_check": "true", "users": [one, two]])
            let ids = try await backend.post("batchCreate", ["users": [one, one]])
            let none = try await backend.post("batchCreate", ["users": []])

            #expect(emails.message == "DUPLICATE_EMAIL : x@example.com")
            #expect(subjects.message == "DUPLICATE_RAW_ID : Provider id(github.com), Raw id(7)")
            #expect(ids.message == "DUPLICATE_LOCAL_ID : a")
            #expect(none.message == "MISSING_USER_ACCOUNT")
            #expect(try await backend.page()["users"] == [])
        }
    }

    @Test func `overwriting replaces the user, ends the sessions and unlinks other identities`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            let session = try await broker.signIn(broker.person("ada"))
            let id = try session.string("localId")

            let answer = try await backend.post(
                "batchCreate",
                [
                    "allowOverwrite": true,
                    "users": [Self.user(id, ["display_name": "New", "provider_user_info": Self.gitHub("77")])],
                ])
            let old = try await broker.lookup(session.string("idToken"))
            let user = try #require(try await backend.page()["users"]?.array?.first)

            #expect(answer["error"] == [], "\(answer.text)")
            #expect(old.status == 400)
            #expect(user["localId"]?.string == id && user["displayName"] == "New" && user["email"] == nil)
            #expect(user["providerUserInfo"]?.array?.map { $0["rawId"]?.string } == ["77"])
            // The identity that was taken away leads to a new user.
            #expect(try await broker.signIn(broker.person("ada")).string("localId") != id)
        }
    }

    @Test func `pages follow one another to the last user`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            let users = (0..<45).map { Self.user("user-\($0 + 100)") }
            _ = try await backend.post("batchCreate", ["users": .array(users)])

            var seen: [String] = []
            var sizes: [Int] = []
            var token: String?
            repeat {
                let page = try await backend.page("maxResults=15\(token.map { "&nextPageToken=\($0)" } ?? "")")
                let ids = (page["users"]?.array ?? []).compactMap { $0["localId"]?.string }
                seen += ids
                sizes.append(ids.count)
                token = page["nextPageToken"]?.string
            } while token != nil

            #expect(seen == (0..<45).map { "user-\($0 + 100)" })
            #expect(sizes == [15, 15, 15, 0])
            #expect(try await backend.page()["users"]?.array?.count == 20)
            #expect(try await backend.page("maxResults=5000")["users"]?.array?.count == 45)
            #expect(try await backend.page("maxResults=-1").status == 400)
            #expect(try await backend.page("nextPageToken=!").code == "INVALID_PAGE_SELECTION")
        }
    }

    @Test func `the legacy names take the same bodies`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            let project = JSONValue.string(broker.core.configuration.project.id)
            let root = "/identitytoolkit/v3/relyingparty/"

            let upload = try await backend.send(
                root + "uploadAccount", ["targetProjectId": project, "users": [Self.user("a"), Self.user("b")]])
            let download = try await backend.send(
                root + "downloadAccount", ["targetProjectId": project, "maxResults": 1])
            let foreign = try await backend.send(root + "downloadAccount", ["targetProjectId": "other"])

            #expect(upload["error"] == [], "\(upload.text)")
            #expect(download["users"]?.array?.count == 1 && download["nextPageToken"]?.string != nil)
            #expect(foreign.code == "INSUFFICIENT_PERMISSION")
        }
    }

    @Test func `deletion takes disabled users, all of them only by force, and unknown ones in silence`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            _ = try await backend.post(
                "batchCreate", ["users": [Self.user("off", ["disabled": true]), Self.user("on"), Self.user("on2")]])

            let gentle = try await backend.post("batchDelete", ["localIds": ["off", "on", "unknown"]])
            let forced = try await backend.post("batchDelete", ["localIds": ["on"], "force": true])
            let none = try await backend.post("batchDelete", ["localIds": []])

            #expect(
                gentle.body == [
                    "errors": [
                        [
                            "index": 1, "localId": "on",
                            "message": "NOT_DISABLED : Disable the account before batch deletion.",
                        ]
                    ]
                ], "\(gentle.text)")
            #expect(forced.status == 200 && forced.body == [:])
            #expect(none.code == "LOCAL_ID_LIST_EXCEEDS_LIMIT")
            #expect(try await backend.page()["users"]?.array?.map { $0["localId"]?.string } == ["on2"])
        }
    }

    @Test func `queries count, sort, cut and find`() async throws {
        try await TestBroker.run { broker in
            let backend = try await Backend(broker)
            _ = try await backend.post(
                "batchCreate",
                [
                    "users": [
                        Self.user("a", ["displayName": "Zoe", "createdAt": "3000", "email": "z@example.com"]),
                        Self.user("b", ["displayName": "Ann", "createdAt": "1000"]),
                        Self.user("c", ["createdAt": "2000"]),
                    ]
                ])
            func ids(_ body: JSONObject) async throws -> [String] {
                let answer = try await backend.post("query", .object(body))
                #expect(answer["recordsCount"]?.string == answer["userInfo"]?.array.map { String($0.count) })
                return (answer["userInfo"]?.array ?? []).compactMap { $0["localId"]?.string }
            }

            #expect(try await backend.post("query", ["returnUserInfo": false]).body == ["recordsCount": "3"])
            #expect(try await ids([:]) == ["a", "b", "c"])
            #expect(try await ids(["order": "DESC"]) == ["c", "b", "a"])
            #expect(try await ids(["sortBy": "CREATED_AT"]) == ["b", "c", "a"])
            #expect(try await ids(["sortBy": "NAME", "order": "DESC", "limit": "2"]) == ["a", "b"])
            #expect(try await ids(["sort_by": "NAME", "offset": 1]) == ["a", "c"])
            #expect(try await ids(["expression": [["email": "Z@example.com"]]]) == ["a"])
            #expect(try await ids(["expression": [["userId": "b"]]]) == ["b"])
            #expect(try await ids(["expression": [["phoneNumber": "+49"]]]).isEmpty)
            let project = broker.core.configuration.project.id
            let alias = try await backend.send("/v1/projects/\(project):queryAccounts", ["returnUserInfo": false])
            #expect(alias.body == ["recordsCount": "3"])
            #expect(try await backend.post("query", ["sortBy": "AGE"]).status == 400)
        }
    }

    @Test func `reading and writing need their scopes, and an API key has neither`() async throws {
        try await TestBroker.run { broker in
            let reader = try await Backend(broker, scopes: [.readUsers])
            let writer = try await Backend(broker, scopes: [.writeUsers])
            let project = broker.core.configuration.project.id

            #expect(try await reader.post("batchCreate", ["users": [Self.user("a")]]).status == 403)
            #expect(try await reader.post("batchDelete", ["localIds": ["a"]]).status == 403)
            #expect(try await writer.page().status == 403)
            #expect(try await writer.post("query", [:]).status == 403)
            let app = try await broker.post("/v1/projects/\(project)/accounts:batchCreate", ["users": [Self.user("a")]])
            #expect(app.code == "INSUFFICIENT_PERMISSION")
        }
    }
}
