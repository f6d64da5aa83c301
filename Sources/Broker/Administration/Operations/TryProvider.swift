package import BrokerStore
import Foundation
package import ProviderKit

/// `providers.try.start`: prepares a sign-in with a provider that is only shown.
package struct StartTrial: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.try.start",
        "Prepares a sign-in with a provider, also of a disabled entry. Nothing of it is stored.", .trustProviders,
        .reads, asksProviders: true, isStreamed: true, [.triedProvider],
        heading: "Try a sign-in with a provider")

    let provider: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "The id of the entry.",
            "authorizationUrl": "The URL at which a user signs in, in any browser.",
            "trial": .secret("Fetches the outcome with `providers.try.finish`."),
            "expiresAt": "The end of the trial.",
        ]

        package let id: String
        package let authorizationUrl: String
        package let trial: String
        package let expiresAt: Timestamp
    }

    package init(provider: String) {
        self.provider = provider
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let provider = try await call.triedProvider(provider)
        let started = try await call.admin.openID.redirects.startTrial(at: provider)
        return Answer(
            id: provider.id, authorizationUrl: started.authorizationURL, trial: started.handle,
            expiresAt: started.expiresAt)
    }
}

/// `providers.try.finish`: tells what came of a tried sign-in, once.
package struct FinishTrial: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.try.finish",
        "Tells what the provider answered at a tried sign-in, without tokens, and who the user would be.",
        .trustProviders, .reads, asksProviders: true, isStreamed: true,
        [.triedProvider, .option("trial", "The `trial` of `providers.try.start`.", example: "dHJpYWw")])

    let provider: String
    let trial: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "isWaiting": "Whether the browser has not come back yet; all else is empty then.",
            "callback": "The authorization response.",
            "exchanges": "The requests of the plugin with the provider's answers, in their order.",
            "idTokens": "The claims of the ID tokens that were verified.",
            "readings": "What the options selected, for `oauth2` and `oidc`.",
            "identity": "The user that the provider verified.",
            "problem": "The reason why no user would be signed in.",
        ]

        package let isWaiting: Bool
        package private(set) var callback = JSONObject()
        package private(set) var exchanges: [Exchange] = []
        package private(set) var idTokens: [JSONObject] = []
        package private(set) var readings: [Reading] = []
        package private(set) var identity: TriedIdentity?
        package private(set) var problem: Problem?
    }

    /// A request of the plugin, and what came of it.
    package struct Exchange: DescribedObject {
        package static let texts: [String: MemberText] = [
            "step": "The step of the sign-in.", "request": "Method and URL.", "status": "The HTTP status.",
            "body": "The answer; text where it is neither JSON nor a form.",
            "problem": "The reason why there is no answer.",
        ]

        package let step: String
        package let request: String
        package let status: Int?
        package let body: JSONValue?
        package let problem: String?
    }

    /// What one place of the options selected.
    package struct Reading: DescribedObject {
        package static let texts: [String: MemberText] = [
            "claim": "The claim in the options.", "place": "The document and the place in it.",
            "value": "The value; absent where there is none.",
        ]

        package let claim: String
        package let place: String
        package let value: JSONValue?
    }

    /// The user as the broker would take them.
    package struct TriedIdentity: DescribedObject {
        package static let texts: [String: MemberText] = [
            "subject": "The provider's identifier of the user.", "issuer": "The namespace of the subject.",
            "email": "The address.", "isEmailVerified": "Whether the provider says that it is verified.",
            "doesEmailCount": "Whether the broker treats it as verified: `trustEmail` decides as well.",
            "displayName": "The full name.", "givenName": "The given name.", "familyName": "The family name.",
            "screenName": "The user name at the provider.", "pictureUrl": "The URL of the picture.",
            "hasRefreshToken": "Whether the provider issued a refresh token.", "scopes": "The granted scopes.",
        ]

        package let subject: String
        package let issuer: String
        package let email: String?
        package let isEmailVerified: Bool
        package let doesEmailCount: Bool
        package let displayName: String?
        package let givenName: String?
        package let familyName: String?
        package let screenName: String?
        package let pictureUrl: String?
        package let hasRefreshToken: Bool
        package let scopes: [String]
    }

    /// Why a user would not be signed in.
    package struct Problem: DescribedObject {
        package static let texts: [String: MemberText] = [
            "fault": "Who has to act: `credential`, `cancelled`, `upstream`, `configuration` or `nonce`.",
            "step": "The step that failed.", "text": "The reason.",
        ]

        package let fault: String
        package let step: String
        package let text: String
    }

    package init(provider: String, trial: String) {
        (self.provider, self.trial) = (provider, trial)
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let provider = try await call.triedProvider(provider)
        guard let outcome = try await call.admin.openID.redirects.finishTrial(trial, at: provider) else {
            return Answer(isWaiting: true)
        }
        let answer = Answer(outcome, from: provider)
        // The administrator has seen a profile.
        try await call.admin.write(by: call.origin) { transaction in
            try transaction.audit(
                "provider.tried", of: nil, provider: provider.id,
                detail: ["outcome": .string(answer.problem?.fault ?? "identity")])
        }
        return answer
    }

    package func isFailure(_ answer: Answer) -> Bool { answer.problem != nil }
}

extension DeclaredArgument {
    fileprivate static let triedProvider = positional(
        "provider", "The provider's id, or its kind if only one entry has it.", as: "id", example: "github.com"
    ).of(.provider)
}

extension AdminCall {
    /// An instance of the entry, which may be disabled.
    fileprivate func triedProvider(_ name: String) async throws -> ConfiguredProvider {
        let providers = admin.providers
        // An entry that was written a moment ago counts as well.
        try await providers.storedConfiguration.reload()
        let current = providers.current
        do {
            return try current.named(name)
        } catch {
            guard let off = current.disabled(named: name) else { throw error }
            return try providers.instance(of: off)
        }
    }
}

extension FinishTrial.Answer {
    fileprivate init(_ outcome: SignInTrialOutcome, from provider: ConfiguredProvider) {
        self.init(isWaiting: false)
        let mask = TokenMask(of: outcome)
        callback = JSONObject(
            mask.masking(pairs: outcome.response.sorted { $0.name < $1.name }).map { ($0.name, .string($0.value)) })
        exchanges = outcome.record.exchanges.map { .init($0, mask) }
        idTokens = outcome.record.idTokens.compactMap { mask.masking(.object($0)).object }
        readings = outcome.record.readings.map {
            .init(claim: $0.claim, place: $0.place, value: $0.value.map { mask.masking($0) })
        }
        do {
            let identity = try outcome.identity.get()
            self.identity = .init(try Evidence(identity, from: provider), of: identity, mask)
        } catch let error as ProviderError {
            problem = .init(fault: error.fault.rawValue, step: error.step.rawValue, text: mask.masking(error.reason))
        } catch {
            problem = .init(fault: "upstream", step: "readProfile", text: "the provider named no usable subject")
        }
    }
}

extension FinishTrial.Exchange {
    /// Discovery documents and key sets are public and long, so only their status is told.
    fileprivate init(_ exchange: ObservedExchange, _ mask: TokenMask) {
        let request = exchange.request
        step = request.step.rawValue
        self.request = "\(request.method.rawValue) \(mask.masking(url: request.url))"
        switch exchange.answer {
        case .success(let response):
            status = response.status
            body = request.hasPublicAnswer && response.status == 200 ? nil : response.shown(mask)
            problem = nil
        case .failure(let error):
            (status, body) = (nil, nil)
            problem = mask.masking(error.reason)
        }
    }
}

extension FinishTrial.TriedIdentity {
    fileprivate init(_ evidence: Evidence, of identity: ExternalIdentity, _ mask: TokenMask) {
        func shown(_ text: String?) -> String? { text.map { mask.masking($0) } }
        self.init(
            subject: mask.masking(evidence.key.subject), issuer: evidence.key.issuer,
            email: shown(evidence.email?.address.value),
            isEmailVerified: evidence.email != nil && identity.email?.isVerified == true,
            doesEmailCount: evidence.email?.isVerified ?? false, displayName: shown(evidence.displayName),
            givenName: shown(evidence.givenName), familyName: shown(evidence.familyName),
            screenName: shown(evidence.screenName), pictureUrl: shown(evidence.photoURL),
            hasRefreshToken: evidence.grant?.refreshToken != nil, scopes: evidence.grant?.scopes ?? [])
    }
}

extension TokenMask {
    /// Hides what is secret in this sign-in. Its subject and the like are shown, whatever they look like.
    fileprivate init(of outcome: SignInTrialOutcome) {
        let identity = try? outcome.identity.get()
        let tokens = [identity?.grant?.accessToken, identity?.grant?.refreshToken, identity?.grant?.idToken]
        let found = outcome.record.exchanges.flatMap { exchange -> [String] in
            let response = try? exchange.answer.get()
            return response?.document.map(Self.secrets) ?? []
        }
        self.init(
            hiding: outcome.secrets + tokens.compactMap(\.self) + found,
            showing: [
                identity?.subject, identity?.email?.address, identity?.displayName, identity?.givenName,
                identity?.familyName, identity?.screenName, identity?.pictureURL,
            ].compactMap(\.self))
    }

    /// The texts at the places of secrets in a document.
    private static func secrets(in document: JSONValue) -> [String] {
        switch document {
        case .object(let object):
            object.flatMap { name, value in
                (isSecret(place: name) ? value.string.map { [$0] } : nil) ?? secrets(in: value)
            }
        case .array(let elements): elements.flatMap(secrets)
        default: []
        }
    }
}

extension UpstreamRequest {
    /// Whether a success says nothing about a user.
    fileprivate var hasPublicAnswer: Bool { step == .discover || step == .verifyIDToken }
}

extension UpstreamResponse {
    /// The body as JSON, or as the members of a form; nil where it is neither.
    fileprivate var document: JSONValue? {
        if let value = try? JSONValue(parsing: body) { return value }
        guard header("Content-Type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false,
            let pairs = FormEncoding.decode(body)
        else { return nil }
        return .object(JSONObject(pairs.map { ($0.name, .string($0.value)) }))
    }

    /// The body without tokens; the begin of a text that is long.
    fileprivate func shown(_ mask: TokenMask) -> JSONValue? {
        if let document { return mask.masking(document) }
        guard !body.isEmpty else { return nil }
        // Cut first, then masked: a token at the cut is hidden by its shape.
        return .string(mask.masking(String(decoding: body.prefix(2000), as: UTF8.self)))
    }
}
