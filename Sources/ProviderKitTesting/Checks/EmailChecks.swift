import ProviderKit

extension ConformanceSuite {
    /// The checks of verified e-mail addresses.
    static let emailChecks = [
        ConformanceCheck(
            "email-is-verified-on-the-providers-word", "an address is verified only if the provider says so",
            fix: "Set isVerified from the provider's member, and to false where it is absent."
        ) {
            let script = $0.script()
            let hasVerified = script.signIns.contains { $0.identity.email?.isVerified == true }
            guard hasVerified else { throw Deviation.notApplicable("no sign-in has a verified address") }
            try require(!script.unverified.isEmpty, "the fixture has no sign-in with an unverified address")
            for variation in script.unverified {
                let rehearsal = try Rehearsal($0, script.varied(by: variation))
                let ending = try await rehearsal.play(.signIn(variation.signIn))
                let isVerified = (try? ending.get())?.identity?.email?.isVerified == true
                try require(!isVerified, "verified although \(variation.title)")
            }
        },
        ConformanceCheck(
            "email-needs-a-plain-yes", "only the value true verifies an address",
            fix: "Decode the verification as Bool, or compare with true; take no other value for it."
        ) { fixture in
            try await fixture.everyCall { stage in
                guard stage.honest.identity?.email?.isVerified == true,
                    let answer = stage.exchange.answer, let document = try? JSONValue(parsing: answer.body)
                else { return }
                for member in document.placesOfYes where try await !stage.verifies(answer, document, member, "no") {
                    for value in JSONValue.noYes where try await stage.verifies(answer, document, member, value) {
                        throw Deviation.broken("\(stage.title) says \(value.serialized()) at \(member): verified")
                    }
                }
            }
            try await fixture.eachMintedClaim { position, name, value in
                guard value.isYes, try await !fixture.verifies(position, name, "no") else { return }
                for value in JSONValue.noYes where try await fixture.verifies(position, name, value) {
                    throw Deviation.broken("an ID token says \(value.serialized()) at \(name): verified")
                }
            }
        },
    ]
}

extension ProviderFixture {
    /// Whether an address is verified when a claim of the ID tokens has another value.
    fileprivate func verifies(_ position: Int, _ claim: String, _ value: JSONValue) async throws -> Bool {
        let rehearsal = try Rehearsal(self, script(changing: [claim: value]))
        let ending = try await rehearsal.play(.signIn(position))
        return (try? ending.get())?.identity?.email?.isVerified == true
    }
}

extension CallStage {
    /// Whether an address is verified when a member of the response has another value.
    fileprivate func verifies(
        _ answer: UpstreamResponse, _ document: JSONValue, _ pointer: String, _ value: JSONValue
    ) async throws -> Bool {
        let changed = document.replacingEachMember { $0.isYes ? value : $0 }.first { $0.pointer == pointer }?.document
        let body = (changed ?? document).serializedBytes()
        let ending = try await play(
            .answer(UpstreamResponse(status: answer.status, headers: answer.headers, body: body)))
        guard case .success(let outcome) = ending else { return false }
        return outcome.identity?.email?.isVerified == true
    }
}

extension JSONValue {
    /// Values that a lenient check takes for true. Null is absent, so that another response may have the value.
    fileprivate static let noYes: [JSONValue] = [0, 1, "yes", "1", "", [], [true], ["value": true]]

    /// Whether this value verifies an address.
    var isYes: Bool { self == true || self == "true" }

    /// The places of such values in the document.
    fileprivate var placesOfYes: [String] {
        replacingEachMember { $0.isYes ? .null : $0 }.filter { $0.document != self }.map(\.pointer)
    }
}
