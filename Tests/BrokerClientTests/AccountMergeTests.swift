import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("Merges that the user asks for", .timeLimit(.minutes(20)))
struct AccountMergeTests {
    private static let merge: JSONObject = [
        "kind": "broker#Merge", "id": "m1", "absorbedLocalId": "user-2", "undoableUntil": "2030-01-02T03:04:05Z",
        "survivor": ["localId": "user-1", "displayName": "Ada"],
    ]

    /// An app of `user-1`, who has logged in to the account of `user-2` as well.
    private static func run(_ body: (TestApp, OtherAccount) async throws -> Void) async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            broker.answer { call in
                guard call.form["subject_token"] != nil else { return nil }
                return .json(try broker.tokens(of: "user-2", claims: ["email": "ada@work.example"]))
            }
            let other = try await app.auth.signInToOtherAccount(
                with: .idToken("other", of: .gitLab, nonce: SignInNonce()))
            broker.answer { _ in nil }
            try await body(app, other)
        }
    }

    @Test func `a login to the other account leaves the session as it is, and shows no token`() async throws {
        try await Self.run { app, other in
            #expect(other.userID == "user-2" && other.email == "ada@work.example")
            #expect(await app.auth.session?.userID == "user-1")
            #expect(try await app.auth.accessToken() == "access-1")
            let form = try #require(app.broker.calls(of: "/oauth/token").last?.form)
            #expect(form["scope"] == "openid" && form["actor_token"] == nil)
            #expect(!app.storage.text.contains("access-2"))
            var text = "\(other)"
            dump(other, to: &text)
            #expect(!text.contains("access-2"))
        }
    }

    @Test func `a preview shows both users and the two choices`() async throws {
        try await Self.run { app, other in
            app.broker.answer { call in
                guard call.path == "/v1/broker/me:previewMerge" else { return nil }
                return .json([
                    "users": [
                        ["localId": "user-1", "providers": ["apple.com"], "sessions": 2, "customClaims": ["role"]],
                        ["localId": "user-2", "email": "ada@work.example", "providers": ["gitlab.com"], "sessions": 1],
                    ],
                    "choices": [
                        ["survivor": "user-1", "absorbed": "user-2", "email": "a@example.com", "differingClaims": []],
                        [
                            "survivor": "user-2", "absorbed": "user-1", "differingClaims": ["role"],
                            "refusal": ["code": "MERGE_NEEDS_ADMINISTRATOR", "message": "An administrator decides."],
                        ],
                    ],
                ])
            }

            let preview = try await app.auth.previewMerge(with: other)

            #expect(preview.users.map(\.userID) == ["user-1", "user-2"] && preview.users[0].sessionCount == 2)
            #expect(preview.users[1].providers == [.gitLab] && preview.users[0].customClaims == ["role"])
            #expect(preview.choices.map(\.survivor) == ["user-1", "user-2"])
            #expect(preview.choices[0].refusal == nil && preview.choices[0].email == "a@example.com")
            #expect(preview.choices[1].refusal == .mergeNeedsAdministrator)
            #expect(preview.choices[1].differingClaims == ["role"])
            #expect(app.broker.calls.last?.json == ["otherToken": "access-2"])
        }
    }

    @Test func `a merge refreshes the session and ends the other login`() async throws {
        try await Self.run { app, other in
            app.broker.answer { call in
                if call.path == "/v1/broker/me:merge" { return .json(Self.merge) }
                guard call.path == "/oauth/token" else { return nil }
                var tokens = try app.broker.tokens()
                tokens["broker"] = ["mergedFrom": ["user-2"]]
                return .json(tokens)
            }

            let merge = try await app.auth.merge(with: other, keeping: "user-1")

            #expect(merge.id == "m1" && merge.absorbedUserID == "user-2" && merge.survivor.displayName == "Ada")
            #expect(merge.undoableUntil == Date(timeIntervalSince1970: 1_893_553_445))
            let call = try #require(app.broker.calls(of: "/v1/broker/me:merge").first)
            #expect(call.json == ["otherToken": "access-2", "survivor": "user-1"])
            #expect(app.broker.refreshes.count == 1)
            #expect(app.broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["access-2"])
        }
    }

    @Test func `merges are listed, and an undo ends the session`() async throws {
        try await Self.run { app, other in
            app.broker.answer { call in
                switch call.path {
                case "/v1/broker/me/merges":
                    .json([
                        "merges": [
                            [
                                "id": "m1", "absorbedLocalId": "user-2", "mergedAt": "2030-01-01T00:00:00Z",
                                "undoableUntil": "2030-01-31T00:00:00Z", "provingProviders": ["gitlab.com"],
                                "conflicts": [["code": "EMAIL", "message": "The address stays."]],
                            ]
                        ]
                    ])
                case "/v1/broker/me/merges/m1:undo":
                    .json(["localId": "user-1", "restoredLocalId": "user-2", "conflicts": []])
                default: .business("MERGE_NOT_FOUND : No merge with this id is pending.")
                }
            }
            var events = app.auth.events.makeAsyncIterator()

            let merges = try await app.auth.merges()
            let unknown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.undoMerge("../x", with: other)
            }
            let conflicts = try await app.auth.undoMerge("m1", with: other)

            #expect(merges.map(\.id) == ["m1"] && merges[0].provingProviders == [.gitLab])
            #expect(merges[0].conflicts.map(\.code) == ["EMAIL"] && merges[0].mergedAt != nil)
            #expect(unknown == .mergeNotFound && conflicts.isEmpty)
            #expect(await events.next() == .signedOut(.endedByBroker))
            #expect(await app.auth.session == nil && app.storage.items.isEmpty)
        }
    }
}
