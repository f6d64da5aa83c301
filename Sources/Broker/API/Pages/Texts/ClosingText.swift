/// The last pages of a way.
struct ClosingText: PageText {
    let signedIn, reauthenticated: String
    let linked, proven: Phrase
    let closeTerminal: String
    let closeApp: Phrase
    let closeAnyApp: String
    let signedOutTitle, signedOutText, signInAgain: String
    let backTo: Phrase

    static let english = ClosingText(
        signedIn: "You are signed in", reauthenticated: "Thank you, it is you", linked: "{} is connected",
        proven: "{} has confirmed who you are",
        closeTerminal: "You may close this window and return to your terminal.",
        closeApp: "You may close this window and return to {}.",
        closeAnyApp: "You may close this window and return to the app.",
        signedOutTitle: "You are signed out",
        signedOutText: "On a computer that others use too, close the browser's windows as well.",
        signInAgain: "Sign in again", backTo: "Back to {}")

    static let korean = ClosingText(
        signedIn: "로그인되었습니다", reauthenticated: "본인 확인이 완료되었습니다", linked: "{} 계정이 연결되었습니다",
        proven: "{} 계정이 확인되었습니다",
        closeTerminal: "이 창을 닫고 터미널로 돌아가셔도 됩니다.",
        closeApp: "이 창을 닫고 {} 앱으로 돌아가셔도 됩니다.",
        closeAnyApp: "이 창을 닫고 앱으로 돌아가셔도 됩니다.",
        signedOutTitle: "로그아웃되었습니다",
        signedOutText: "여러 사람이 함께 사용하는 컴퓨터라면 브라우저 창도 닫아 주십시오.",
        signInAgain: "다시 로그인", backTo: "{} 앱으로 돌아가기")
}
