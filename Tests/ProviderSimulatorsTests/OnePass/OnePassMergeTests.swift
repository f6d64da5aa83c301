import Crypto
import Foundation
import ProviderSimulators
import Testing

@Suite("1Pass simulator: merged accounts")
struct OnePassMergeTests {
    private static let application = OnePassSimulator.Application()
    private let options = OnePassSimulator.Options(application: application)

    private struct People {
        let ada: OnePassSimulator.Person
        let cleo: OnePassSimulator.Person
        let lastEvent: () -> String?
    }

    /// The claims of userinfo after `cleo` went into `ada`.
    private func merged(
        knowing names: [String], style: OnePassSimulator.LinkedSubjects = .objects, numeric: Bool = false,
        of name: String = "cleo", _ body: (People, [String: Any]) throws -> Void
    ) async throws {
        try await OnePassSimulator.running(options) { onePass in
            let people = People(
                ada: try onePass.named("ada"), cleo: try onePass.named("cleo"),
                lastEvent: { onePass.events(for: Self.application).last?.id })
            onePass.behaviour.linkedSubjects = style
            onePass.behaviour.writesNumericSubjects = numeric
            for known in names { _ = onePass.tokens(for: try onePass.named(known), application: Self.application) }
            try await onePass.merge(try onePass.named("cleo"), into: try onePass.named("ada"))
            let token = onePass.accessToken(for: try onePass.named(name), application: Self.application)
            try body(people, try await onePass.userinfo(token).json)
        }
    }

    @Test func `an application that knew only the absorbed account keeps its subject`() async throws {
        try await merged(knowing: ["cleo"]) { people, claims in
            #expect(claims["sub"] as? String == people.cleo.subject)
            #expect(claims["canonical_sub"] as? String == people.ada.subject)
            #expect(claims["is_canonical"] as? Bool == false)
            #expect(claims["preferred_name"] as? String == "ada")
        }
    }

    @Test(arguments: [["ada"], ["ada", "cleo"], []])
    func `everybody else sees the surviving account`(known: [String]) async throws {
        try await merged(knowing: known) { people, claims in
            #expect(claims["sub"] as? String == people.ada.subject)
            #expect(claims["is_canonical"] as? Bool == true)
        }
    }

    @Test func `absorbed accounts are listed in each documented shape`() async throws {
        try await merged(knowing: ["ada"]) { people, claims in
            let entry = try #require((claims["linked_subs"] as? [[String: Any]])?.first)
            #expect(entry["sub"] as? String == people.cleo.subject)
            #expect(entry["merged_canonical_sub"] as? String == people.ada.subject)
            #expect(entry["merged_via"] as? String == "t2_email_match")
            #expect(entry["source_event_id"] as? String == people.lastEvent())
        }
        try await merged(knowing: [], style: .strings) { people, claims in
            #expect(claims["linked_subs"] as? [String] == [people.cleo.subject])
        }
        try await merged(knowing: [], style: .integers, numeric: true) { people, claims in
            #expect(claims["linked_subs"] as? [Int64] == [people.cleo.id])
            #expect(claims["sub"] as? Int64 == people.ada.id)
            #expect(claims["canonical_sub"] as? Int64 == people.ada.id)
        }
        try await merged(knowing: [], style: .absent) { _, claims in
            #expect(claims["linked_subs"] == nil)
        }
    }

    @Test func `a merge ends the absorbed account's sessions, not the survivor's`() async throws {
        try await OnePassSimulator.running(options) { onePass in
            let (ada, cleo) = (try onePass.named("ada"), try onePass.named("cleo"))
            let survivor = onePass.tokens(for: ada, application: Self.application)
            let absorbed = onePass.tokens(for: cleo, application: Self.application)
            let key = onePass.personalKey(for: cleo)
            try await onePass.merge(cleo, into: ada)

            let refusal = try await onePass.refresh(absorbed.refreshToken)
            #expect(try refusal.json["error"] as? String == "invalid_grant")
            #expect(try await onePass.refresh(survivor.refreshToken).status == 200)
            #expect(try await onePass.api("POST", "/me/merge/session-token", key: key).status == 401)
            // Access tokens are signed: they last until they expire, and tell of the merge.
            let claims = try await onePass.userinfo(absorbed.accessToken).json
            #expect(claims["sub"] as? String == cleo.subject && claims["canonical_sub"] as? String == ada.subject)
        }
    }

    @Test func `accounts merge once, without chains, cycles or themselves`() async throws {
        try await OnePassSimulator.running(options) { onePass in
            let (ada, ben, cleo) = (try onePass.named("ada"), try onePass.named("ben"), try onePass.named("cleo"))
            try await onePass.merge(cleo, into: ada)
            func refusal(
                _ absorbed: OnePassSimulator.Person, _ survivor: OnePassSimulator.Person
            ) async -> String? {
                await #expect(throws: OnePassSimulator.MergeRefusal.self) {
                    try await onePass.merge(absorbed, into: survivor)
                }?.code
            }

            #expect(await refusal(ada, ben) == "conflicting_credentials")
            #expect(await refusal(ada, cleo) == "conflicting_credentials")
            #expect(await refusal(cleo, ben) == "conflicting_credentials")
            #expect(await refusal(ben, cleo) == "conflicting_credentials")
            #expect(await refusal(ben, ben) == "self_merge_forbidden")
            try await onePass.merge(ben, into: ada)
        }
    }

    @Test func `a user merges another account of theirs by a code or another device's token`() async throws {
        let clock = SimulatorClock.stopped(at: .epoch)
        try await OnePassSimulator.running(.init(clock: clock, application: Self.application)) { onePass in
            let (ada, ben, cleo) = (try onePass.named("ada"), try onePass.named("ben"), try onePass.named("cleo"))
            let key = onePass.personalKey(for: ada)
            func merge(_ body: String) async throws -> WebClient.Answer {
                try await onePass.api("POST", "/me/merge", key: key, body)
            }
            func token() async throws -> String {
                let answer = try await onePass.api(
                    "POST", "/me/merge/session-token", key: onePass.personalKey(for: cleo))
                return try #require(try answer.json["session_token"] as? String)
            }
            let password = onePass.oneTimePassword(for: ben)
            let byCode = try await merge(#"{"target_user_id":\#(ben.id),"otp_code":"\#(password)"}"#)
            let late = try await token()
            clock.advance(by: 300)
            let shown = try await token()
            let byToken = try await merge(#"{"target_session_token":"\#(shown)"}"#)

            #expect(shown.hasPrefix("ltgt_"))
            #expect(try byCode.json["merged_via"] as? String == "t3_otp")
            #expect(try byCode.json["primary_user_id"] as? Int64 == ada.id)
            #expect(try byToken.json["linked_user_id"] as? Int64 == cleo.id)
            for (body, status, error) in [
                (#"{"target_session_token":"\#(shown)"}"#, 401, "token_consumed"),
                (#"{"target_session_token":"\#(late)"}"#, 401, "token_expired"),
                (#"{"target_session_token":"x"}"#, 401, "invalid_token"), ("{}", 422, "missing_credentials"),
                (#"{"target_user_id":1,"otp_code":"1","target_session_token":"x"}"#, 422, "conflicting_credentials"),
            ] {
                let answer = try await merge(body)
                #expect(answer.status == status)
                #expect(try answer.json["error"] as? String == error)
            }
        }
    }
}
