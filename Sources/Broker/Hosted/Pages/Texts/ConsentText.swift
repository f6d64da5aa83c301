/// The account that a user continues to an app with, and what the app learns.
struct ConsentText: PageText {
    let account, nameless, otherAccount: String
    let shared: Phrase
    let identifier, profile, email, offline: String

    static let english = ConsentText(
        account: "Your account", nameless: "An account without a name", otherAccount: "Use another account",
        shared: "What {} receives",
        identifier: "an identifier of your account", profile: "your name and picture", email: "your e-mail address",
        offline: "access until you sign out")

    static let korean = ConsentText(
        account: "로그인한 계정", nameless: "이름이 없는 계정", otherAccount: "다른 계정 사용",
        shared: "{} 앱에 전달되는 정보",
        identifier: "계정 식별자", profile: "이름과 사진", email: "이메일 주소", offline: "로그아웃할 때까지의 접근 권한")
}
