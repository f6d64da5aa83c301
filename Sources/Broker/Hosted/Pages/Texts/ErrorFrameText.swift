/// What error pages offer and where they point.
struct ErrorFrameText: PageText {
    let startAgain: String
    let account: String
    let app: Phrase
    let reference: String

    static let english = ErrorFrameText(
        startAgain: "Start again", account: "Go to your account", app: "Continue to {}", reference: "Request")
    static let korean = ErrorFrameText(
        startAgain: "다시 시작하기", account: "내 계정으로 이동", app: "{} 앱으로 계속하기", reference: "요청 번호")
}
