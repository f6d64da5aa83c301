import BrokerStore
import Foundation
import NIOHTTP1
import PostgreSQLTesting
import ProviderKit
import Testing

@testable import Broker

@Suite("Every operation at the console", .oneEngine("the check of roles, forms and reasons"))
struct ConsoleOperationTests {
    /// The least role for each scope, read from this page and not from the code.
    private static let roles: [ConsoleRole: Set<AdminScope>] = [
        .viewer: [.readUsers, .readConfiguration, .readAudit, .readEvents],
        .operator: [.writeUsers, .writeConfiguration, .writeEvents, .introspectTokens],
        .owner: [.trustProviders, .readProviderTokens, .admin],
    ]

    @Test func `a role has its scopes and those of the roles before it`() {
        var scopes: Set<AdminScope> = []
        for role in [ConsoleRole.viewer, .operator, .owner] {
            scopes.formUnion(Self.roles[role] ?? [])
            #expect(role.scopes == scopes, "\(role)")
        }
        #expect(scopes == Set(AdminScope.allCases))
    }

    @Test func `an operation runs for the roles that have its scope, and for no other`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            for role in ConsoleRole.allCases {
                try await browser.acceptInvitation(ann, to: role)
                let visit = try await broker.consoleVisit(of: browser, form: ["reason": "A test."])
                for operation in AdminOperations.all {
                    let isAllowed = operation.declaration.scope.map { role.scopes.contains($0) } ?? true
                    let refusal = ConsoleRefusal.roleTooLow(operation.declaration.scope)
                    #expect(visit.may(operation) == isAllowed, "\(operation.name) for \(role)")
                    guard !isAllowed else { continue }
                    #expect(await visit.refusal(of: operation) == refusal, "\(operation.name) for \(role)")
                }
            }
        }
    }

    @Test func `a change runs for a form only, after a recent login and with a reason`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .owner)
            let changes = AdminOperations.all.filter { $0.declaration.effect != .reads }
            #expect(changes.count > 30)
            let page = try await broker.consoleVisit(of: browser)
            let silent = try await broker.consoleVisit(of: browser, form: ["reason": " \n "])
            broker.clock.advance(seconds: 400)
            let late = try await broker.consoleVisit(of: browser, form: ["reason": "A test."])
            for operation in changes {
                #expect(await page.refusal(of: operation) == .notAllowed, "\(operation.name)")
                #expect(await late.refusal(of: operation) == .notAllowed, "\(operation.name)")
                #expect(await silent.failure(of: operation)?.message.hasPrefix("reason ") == true, "\(operation.name)")
            }
            let events = try await broker.core.store.read { try $0.auditEntries(AuditFilter(), limit: 100) }
            // The home page reads.
            #expect(
                events.allSatisfy { $0.event.hasPrefix("console.") || $0.event == "admin.read" },
                "\(events.map(\.event))")
        }
    }

    @Test func `a change has the administrator and the reason in the audit, and a read is recorded`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let user = try await broker.signIn(try providers.person(at: "gitlab.com", email: "ben@example.com"))
            let localID = try user.string("localId")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .operator)
            let visit = try await broker.consoleVisit(of: browser, form: ["reason": "Asked for it."])

            _ = try await visit.run(ShowUser(user: localID))
            let disable = try JSONValueDecoder().decode(DisableUserOperation.self, from: ["user": .string(localID)])
            _ = try await visit.run(disable)

            let entries = try await broker.core.store.read { try $0.auditEntries(AuditFilter(), limit: 2) }
            #expect(entries.map(\.event) == ["user.disabled", "admin.read"])
            #expect(entries.allSatisfy { $0.actor == visit.administrator.actor && $0.actorKind == .admin })
            #expect(entries.first?.reason == "Asked for it.")
            #expect(visit.administrator.actor == "console:\(visit.identity.row.id)")
        }
    }

    @Test func `who is asked is told who asks`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let ann = try providers.person(at: "github.com", email: "ann@example.com")
            let browser = TestBrowser(broker)
            try await browser.acceptInvitation(ann, to: .viewer)
            let answer = try await broker.consoleVisit(of: browser).run(WhoAmI())
            #expect(answer.kind == "console")
            #expect(Set(answer.scopes) == Set(ConsoleRole.viewer.scopes.map(\.rawValue)))
        }
    }
}

extension ConsoleVisit {
    /// The refusal of an operation with the arguments of its examples; nil where it runs or fails otherwise.
    fileprivate func refusal(of operation: any AdminOperation.Type) async -> ConsoleRefusal? {
        await error(of: operation) as? ConsoleRefusal
    }

    fileprivate func failure(of operation: any AdminOperation.Type) async -> AdminFailure? {
        await error(of: operation) as? AdminFailure
    }

    private func error<Operation: AdminOperation>(of type: Operation.Type) async -> (any Error)? {
        do {
            _ = try await run(try Operation.sample())
            return nil
        } catch {
            return error
        }
    }
}

extension AdminOperation {
    /// The operation with a value of the right form for every argument.
    fileprivate static func sample() throws -> Self {
        var body = JSONObject()
        for (declared, member) in try members() where !member.isOptional {
            body[declared.name] = declared.example ?? member.form.sample
        }
        return try JSONValueDecoder().decode(Self.self, from: .object(body))
    }
}

extension JSONForm {
    fileprivate var sample: JSONValue {
        switch self {
        case .integer: 1
        case .flag: true
        case .list: []
        case .object, .anyObject: [:]
        case .choice(let type): .string(Self.names(of: type).first ?? "")
        default: "text"
        }
    }
}
