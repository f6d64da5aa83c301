/// The end of a terminal's sign-in; the terminal decides what follows.
struct DonePage: HostedPage {
    /// The provider that verified the user.
    let provider: String
    /// The user's name at the provider.
    var person: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        return StatementView(
            symbol: .done, heading: text.proven(provider),
            paragraphs: [person, text.closeTerminal].compactMap(\.self)
        ).page()
    }
}

/// Says that a sign-out has happened.
struct SignedOutPage: HostedPage {
    var signInHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        return StatementView(
            symbol: .done, heading: text.signedOutTitle, paragraphs: [text.signedOutText],
            links: signInHref.map { [LinkView($0, text.signInAgain, style: "primary")] } ?? []
        ).page()
    }
}

/// Says that the account is deleted, and what becomes of its access at the providers.
struct DeletedPage: HostedPage {
    let withdrawals: [WithdrawalPart]
    var signInHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        return StatementView(
            symbol: .done, heading: text.deletedTitle, paragraphs: [text.deletedText],
            facts: withdrawals.compactMap { part in
                part.text(in: language).map { .init(label: part.provider, value: $0) }
            },
            links: signInHref.map { [LinkView($0, text.signInAgain, style: "plain")] } ?? []
        ).page()
    }
}

/// The texts of all three.
struct ClosingText: PageText {
    let proven: Phrase
    let closeTerminal: String
    let signedOutTitle, signedOutText, signInAgain: String
    let deletedTitle, deletedText: String

    static let english = ClosingText(
        proven: "{} has confirmed who you are",
        closeTerminal: "You may close this window and return to your terminal.",
        signedOutTitle: "You are signed out",
        signedOutText: "On a computer that others use too, close the browser's windows as well.",
        signInAgain: "Sign in again",
        deletedTitle: "Your account is deleted",
        deletedText: "Its connections and its sessions are removed with it.")

    static let korean = ClosingText(
        proven: "{} 계정이 확인되었습니다",
        closeTerminal: "이 창을 닫고 터미널로 돌아가셔도 됩니다.",
        signedOutTitle: "로그아웃되었습니다",
        signedOutText: "여러 사람이 함께 사용하는 컴퓨터라면 브라우저 창도 닫아 주십시오.",
        signInAgain: "다시 로그인",
        deletedTitle: "계정이 삭제되었습니다",
        deletedText: "연결 정보와 로그인 상태도 함께 삭제되었습니다.")
}
