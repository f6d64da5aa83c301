import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("Errors, their codes and their texts", .timeLimit(.minutes(20)))
struct ErrorTests {
    @Test func `each code of WireErrors is the case that the page says`() async throws {
        let page = try Self.page()
        let codes = page.matches(of: /(?m)^\| `([A-Z_]+)` \| [0-9, ]+ \|/).map { String($0.1) }
        let section = page[try #require(page.firstRange(of: "## In BrokerClient")).upperBound...]
        var cases: [String: String] = [:]
        for row in section.matches(of: /(?m)^\| `(\w+)` \| (.+) \|$/) {
            for code in row.2.matches(of: /`([A-Z_]+)`/) { cases[String(code.1)] = String(row.1) }
        }
        let list = section[try #require(section.firstRange(of: "no call of BrokerClient can meet")).upperBound...]
        let others = Set(list.matches(of: /`([A-Z_]+)`/).map { String($0.1) })

        #expect(Set(codes) == others.union(cases.keys), "each code is in the table or in the list below it")
        #expect(others.isDisjoint(with: cases.keys))
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker)
            for code in codes {
                broker.answer { call in call.path == "/v1/broker/me" ? .business("\(code) : A text.") : nil }
                let error = try #require(
                    await failure { () async throws(BrokerAuthError) in try await app.auth.account() })
                #expect("\(error)".prefix { $0 != "(" } == cases[code] ?? "server", "\(code)")
            }
        }
    }

    @Test func `the providers and the scopes of a refusal are values`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                return .json(
                    [
                        "error": "invalid_grant", "error_description": "NEED_CONFIRMATION : Any text.",
                        "providers": ["github.com", "gitlab.com"],
                    ], status: 400)
            }
            let confirmation = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            }
            broker.answer { _ in nil }
            let user = try await TestApp.signedIn(broker)
            broker.answer { call in
                call.path.hasSuffix(":token") ? .business("SCOPE_MISSING : repo read:org") : nil
            }
            let scopes = await failure { () async throws(BrokerAuthError) in
                try await user.auth.providerToken(.gitHub, scopes: ["repo", "read:org"])
            }

            #expect(confirmation == .needConfirmation(providers: [.gitHub, .gitLab]))
            #expect(scopes == .scopeMissing(["repo", "read:org"]))
        }
    }

    @Test func `every error has a text for users in English and in Korean`() throws {
        let errors = Self.samples
        let names = Set(errors.map { "\($0)".prefix { $0 != "(" } })
        let source = try Self.text(of: "Sources/BrokerClient/Errors/BrokerAuthError.swift")
        let declared = try #require(source.split(separator: "\n}\n").first)
        let cases = Set(declared.matches(of: /(?m)^    case (\w+)/).map { $0.1 })
        #expect(Set(names.map(String.init)) == Set(cases.map(String.init)), "a sample of each case")

        for error in errors {
            let (english, korean) = (error.text(in: ["en-GB", "ko"]), error.text(in: ["ko-KR", "en"]))
            #expect(english.utf8.allSatisfy { $0 < 0x80 } && english.hasSuffix("."), "\(error): \(english)")
            #expect(
                korean.contains(/[가-힣]/) && (korean.hasSuffix("세요.") || error == .userCancelled || error == .cancelled))
            #expect(!english.contains("secret") && !korean.contains("secret"), "texts of developers are not shown")
            #expect(error.text(in: ["fr", "de"]) == english && error.text(in: []) == english)
            #expect([english, korean].contains(error.localizedDescription))
        }
        #expect(BrokerAuthError.signedOut.text(in: ["fr", "ko_KR.UTF-8"]).contains("로그인"))
        #expect(
            BrokerAuthError.needConfirmation(providers: [.gitHub, .onePass]).text(in: ["en"])
                .contains("GitHub or 1Pass"))
    }

    private static let samples: [BrokerAuthError] = {
        let secret = "secret"
        let reasons: [NetworkFailure.Reason] = [
            .unreachable, .timedOut, .insecure, .unavailable(status: 503), .invalidResponse,
        ]
        return reasons.map { .network(NetworkFailure($0)) } + [
            .notConfigured(secret), .userCancelled, .cancelled, .handoffTimeout, .alreadyInProgress, .missingCode,
            .stateMismatch, .unexpectedRedirect, .missingOrInvalidNonce, .noPendingRequest, .missingIdentityToken,
            .invalidTokenText, .invalidToken(secret), .credentialAlreadyUsed, .reservedParameter(secret),
            .tokenCreationFailed(secret), .withdrawalFailed([Withdrawal(provider: .apple, state: "failed")]),
            .accountMerged(into: secret), .recentLoginRequired, .deviceCodeExpired, .storageLocked,
            .storageFailed(secret), .adminOnlyOperation, .needConfirmation(providers: []),
            .needConfirmation(providers: [.gitHub]), .accountExists(providers: []), .accountExists(providers: [.apple]),
            .emailExists, .accountNotFound, .providerAlreadyLinked, .lastSignInMethod, .userMismatch, .userDisabled,
            .userNotFound, .credentialRefused(secret), .credentialExpired, .tokenExpired, .insufficientPermission,
            .operationNotAllowed(secret), .invalidPhotoURL, .sessionNotFound, .reauthorizationRequired,
            .providerGrantRevoked, .scopeMissing([secret]), .invalidDevice, .invalidDeviceSecret,
            .deviceClaimedByOtherUser, .mergeConflict, .mergeNeedsAdministrator, .mergeNotFound, .mergeOfOneUser,
            .otherLoginInvalid(secret), .server(code: secret, message: secret), .signedOut,
        ]
    }()

    private static func page() throws -> String { try text(of: "Docs/WireErrors.md") }

    private static func text(of path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
