/// The sign-in chooser.
struct ChooserText: PageText {
    let title: String
    let titleForApp: Phrase
    let explanation: String
    let continueWith: Phrase
    let continueWithApple: String
    let continueAs: Phrase
    let others: String
    let accountExists, accountFound, accountWays: Phrase
    let signInAgain, otherAccount: String
    let cancelled: Phrase
    let unavailable: Phrase
    let nothing: String
    let backToApp: Phrase
    let back: String
    let nameless: String

    static let english = ChooserText(
        title: "Sign in",
        titleForApp: "Sign in to {}",
        explanation: "Choose how to sign in.",
        continueWith: "Continue with {}",
        continueWithApple: "Continue with Apple",
        continueAs: "Continue as {}",
        others: "or sign in another way",
        accountExists: """
            There is already an account with this e-mail address. Sign in the way you did before, and {} will be \
            connected to it.
            """,
        accountFound: "There is already an account with the e-mail address of your {} account.",
        accountWays: "It signs in with {}: sign in that way first, then the new one is connected to it.",
        signInAgain: "To continue, please prove that it is you.",
        otherAccount: "Now sign in to the other account. You stay signed in to this one.",
        cancelled: "You cancelled at {}. Nothing has changed. You can try again or sign in another way.",
        unavailable: "{} does not answer at the moment. Try again in a few minutes, or sign in another way.",
        nothing: "No way to sign in is set up yet. The operator of this site can turn one on in plugins.json.",
        backToApp: "Back to {}",
        back: "Back",
        nameless: "your account")

    static let korean = ChooserText(
        title: "로그인",
        titleForApp: "{}에 로그인",
        explanation: "로그인 방법을 선택해 주십시오.",
        continueWith: "{} 계정으로 계속하기",
        continueWithApple: "Apple로 계속하기",
        continueAs: "{} 님으로 계속하기",
        others: "또는 다른 방법으로 로그인",
        accountExists: """
            이 이메일 주소를 사용하는 계정이 이미 있습니다. 이전에 사용한 방법으로 로그인하시면 {} 계정이 연결됩니다.
            """,
        accountFound: "{} 계정의 이메일 주소를 사용하는 계정이 이미 있습니다.",
        accountWays: "먼저 기존 로그인 방법({})으로 로그인하시면 새 방법이 연결됩니다.",
        signInAgain: "계속하려면 본인 확인을 해 주십시오.",
        otherAccount: "이제 다른 계정으로 로그인해 주십시오. 현재 계정의 로그인은 유지됩니다.",
        cancelled: "{} 로그인을 취소하셨습니다. 변경된 내용은 없습니다. 다시 시도하거나 다른 방법으로 로그인하실 수 있습니다.",
        unavailable: "지금은 {} 서비스가 응답하지 않습니다. 몇 분 후에 다시 시도하거나 다른 방법으로 로그인해 주십시오.",
        nothing: "아직 설정된 로그인 방법이 없습니다. 사이트 운영자가 plugins.json에서 로그인 방법을 켤 수 있습니다.",
        backToApp: "{} 앱으로 돌아가기",
        back: "돌아가기",
        nameless: "내 계정")
}
