/// What error pages offer and where they point.
struct ErrorFrameText: PageText {
    let startAgain: String
    let account: String
    let reference: String

    static let english = ErrorFrameText(
        startAgain: "Start again", account: "Go to your account", reference: "Request")
    static let korean = ErrorFrameText(
        startAgain: "다시 시작하기", account: "내 계정으로 이동", reference: "요청 번호")
}
