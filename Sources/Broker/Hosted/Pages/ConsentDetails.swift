import ProviderKit

/// The facts that a user consents to: the account, and what the app receives of it.
struct ConsentDetails: Sendable {
    let name: String?
    let email: String?
    let scopes: Scopes
    /// Leads to the chooser; `nil` where no other account will do.
    var otherAccountHref: String?

    /// The facts as the pages show them.
    func facts(for app: String, in language: PageLanguage) -> [StatementView.Fact] {
        let text = ConsentText.texts(in: language)
        let account = [name, email].compactMap(\.self).filter { !$0.isEmpty }
        let shared =
            [text.identifier]
            + [
                (Scope.profile, text.profile), (.email, text.email), (.claims, text.claims),
                (.offlineAccess, text.offline), (.account, text.control),
            ]
            .filter { scopes.contains($0.0) }.map(\.1)
        return [
            .init(label: text.account, value: account.isEmpty ? text.nameless : account.joined(separator: " · ")),
            .init(label: text.shared(app), value: shared.joined(separator: ", ")),
        ]
    }

    /// The link to another account.
    func alternatives(in language: PageLanguage) -> [LinkView] {
        otherAccountHref.map { [LinkView($0, ConsentText.texts(in: language).otherAccount)] } ?? []
    }
}

/// The texts of the facts.
struct ConsentText: PageText {
    let account, nameless, otherAccount: String
    let shared: Phrase
    let identifier, profile, email, claims, offline, control: String

    static let english = ConsentText(
        account: "Your account", nameless: "An account without a name", otherAccount: "Use another account",
        shared: "What {} receives",
        identifier: "an identifier of your account", profile: "your name and picture", email: "your e-mail address",
        claims: "your roles and what else administrators have set for you", offline: "access until you sign out",
        control: "control of your account: e-mail address, profiles of connected providers, sessions, deletion")

    static let korean = ConsentText(
        account: "로그인한 계정", nameless: "이름이 없는 계정", otherAccount: "다른 계정 사용",
        shared: "{} 앱에 전달되는 정보",
        identifier: "계정 식별자", profile: "이름과 사진", email: "이메일 주소",
        claims: "역할 등 관리자가 설정한 정보", offline: "로그아웃할 때까지의 접근 권한",
        control: "계정 관리 권한(이메일 주소, 연결된 로그인 수단의 프로필, 세션, 계정 삭제)")
}
