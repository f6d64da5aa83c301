/// The texts of the handler page while its script works, and when it fails.
struct HandlerText: Sendable {
    let working: String
    /// The browser holds nothing of this sign-in, or not any more.
    let lost: String
    /// The page that opened the window is gone.
    let alone: String
    /// The browser keeps nothing for this site.
    let noStorage: String
    let noScript: String

    static func text(in language: PageLanguage) -> HandlerText {
        switch language {
        case .english:
            HandlerText(
                working: "One moment, please.",
                lost: "This sign-in cannot go on here. Close this window and start again in the app.",
                alone: "The app that opened this window does not answer. Close this window and start again in the app.",
                noStorage: "Your browser keeps no data for this site. Allow it and start again in the app.",
                noScript: "This page needs JavaScript to take you back to the app.")
        case .korean:
            HandlerText(
                working: "잠시만 기다려 주세요.", lost: "여기서는 로그인을 계속할 수 없습니다. 이 창을 닫고 앱에서 다시 시작해 주세요.",
                alone: "이 창을 연 앱이 응답하지 않습니다. 이 창을 닫고 앱에서 다시 시작해 주세요.",
                noStorage: "브라우저가 이 사이트의 데이터를 저장하지 않습니다. 허용한 뒤 앱에서 다시 시작해 주세요.",
                noScript: "앱으로 돌아가려면 이 페이지에 JavaScript가 필요합니다.")
        }
    }

    /// All of it; the script shows one at a time.
    var html: String {
        """
        <p id="working" role="status">\(working)</p>
        <p id="lost" role="alert" hidden>\(lost)</p>
        <p id="alone" role="alert" hidden>\(alone)</p>
        <p id="no-storage" role="alert" hidden>\(noStorage)</p>
        <noscript><p>\(noScript)</p></noscript>
        """
    }
}
