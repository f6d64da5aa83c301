import Foundation
package import ProviderKit

/// Compares an app's files with the clients and the providers of the broker.
package struct ExamineApp: Sendable {
    /// The redirect URIs of native clients.
    package var redirectURIs: [String]
    /// The hosts of the identity providers.
    package var providerHosts: Set<String>
    /// The kinds of the enabled providers.
    package var providers: Set<ProviderKind>
    package var declarations: Declarations

    package init(
        redirectURIs: [String], providerHosts: Set<String>, providers: Set<ProviderKind>, declarations: Declarations
    ) {
        self.redirectURIs = redirectURIs
        self.providerHosts = providerHosts
        self.providers = providers
        self.declarations = declarations
    }

    /// The host at which 1Pass issues tokens.
    private static let onePassHost = "api.1pass.dev"

    /// The Swift packages with which apps sign users in, by identity.
    private static let signInPackages = socialPackages.union(["firebase-ios-sdk", "appauth-ios"])

    /// Those whose service App Review guideline 4.8 names.
    private static let socialPackages: Set<String> = [
        "facebook-ios-sdk", "googlesignin-ios", "wechatopensdk", "line-sdk-ios-swift",
    ]

    /// All findings about an app, in the order of the table.
    package func findings(in app: AppFiles) -> [DoctorFinding] {
        let parts = redirectURIs.compactMap { uri in URIParts(uri).map { (uri, $0) } }
        let webHosts = parts.filter { $0.1.scheme == "https" }.compactMap { URL(string: $0.0)?.host()?.lowercased() }
        return linkFindings(app, webHosts) + schemeFindings(app, parts.map(\.1.scheme)) + appleFindings(app)
            + packageFindings(app)
    }

    private func linkFindings(_ app: AppFiles, _ webHosts: [String]) -> [DoctorFinding] {
        let hosts = providerHosts.union([Self.onePassHost])
        var findings = webHosts.filter(hosts.contains).map { DoctorFinding(.callbackHostIsProviderHost, $0) }
        guard let linked = app.linkedHosts else { return findings }
        findings += linked.filter { claim in hosts.contains { Self.covers(claim, $0) } }
            .map { DoctorFinding(.applinksClaimsProviderHost, $0) }
        findings += webHosts.filter { host in !linked.contains { Self.covers($0, host) } }
            .map { DoctorFinding(.callbackHostMissing, $0) }
        return findings
    }

    /// Whether an entry of Associated Domains has a host; `*.` stands for any subdomain.
    private static func covers(_ entry: String, _ host: String) -> Bool {
        entry.hasPrefix("*.") ? host.hasSuffix(entry.dropFirst()) : entry == host
    }

    private func schemeFindings(_ app: AppFiles, _ redirectSchemes: [String]) -> [DoctorFinding] {
        guard let schemes = app.schemes else { return [] }
        var findings = schemes.filter { $0.contains("_") }.map { DoctorFinding(.schemeUnderscore, $0) }
        let custom = redirectSchemes.filter { !["http", "https"].contains($0) }
        let known = Set(schemes.map { $0.lowercased() })
        // One app has one of the clients: a scheme of any of them will do.
        if !custom.isEmpty, known.isDisjoint(with: custom) {
            findings.append(DoctorFinding(.callbackSchemeMissing, Set(custom).sorted().joined(separator: ", ")))
        }
        if providers.contains("1pass") {
            let missing = ["onepass", "https"].filter { !(app.queriesSchemes ?? []).contains($0) }
            if !missing.isEmpty {
                findings.append(DoctorFinding(.querySchemesMissing, missing.joined(separator: ", ")))
            }
        }
        return findings
    }

    private func appleFindings(_ app: AppFiles) -> [DoctorFinding] {
        let hasApple = providers.contains("apple")
        if hasApple, app.hasAppleSignIn == false {
            return [DoctorFinding(.appleEntitlementMissing, "com.apple.developer.applesignin")]
        }
        let social = Set((app.packages ?? []).map(\.identity)).intersection(Self.socialPackages)
        let others = Set(providers.map(\.rawValue)).subtracting(["apple"]).union(social)
        guard !hasApple, !others.isEmpty, declarations.appleNotOffered == nil else { return [] }
        return [DoctorFinding(.appleNotOffered, others.sorted().joined(separator: ", "))]
    }

    private func packageFindings(_ app: AppFiles) -> [DoctorFinding] {
        (app.packages ?? []).filter { $0.version == nil && Self.signInPackages.contains($0.identity) }
            .map { DoctorFinding(.packageWithoutVersion, $0.identity) }
    }
}
