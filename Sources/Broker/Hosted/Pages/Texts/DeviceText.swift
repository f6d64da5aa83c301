/// Signing in a device that has no browser.
struct DeviceText: PageText {
    let title, explanation, label, hint, proceed: String
    let wrongCode, expiredCode: String
    let confirmTitle, terminalTitle: String
    let confirmApp, confirmTerminal: Phrase
    let compare, warning, allow, deny: String
    let doneTitle, doneText, deniedTitle, deniedText: String

    static let english = DeviceText(
        title: "Connect a device",
        explanation: "Enter the code that your device or terminal shows.",
        label: "Code", hint: "Eight letters, for example BCDF-GHJK. Upper or lower case and the dash do not matter.",
        proceed: "Continue",
        wrongCode: "This code is not known. Check it and enter it again.",
        expiredCode: "This code has expired or was already used. Ask your device for a new one.",
        confirmTitle: "Sign in on your device?",
        terminalTitle: "Prove who you are to a terminal?",
        confirmApp: "{} asks to sign in with your account.",
        confirmTerminal: "A command line asks you to prove your {} account.",
        compare: "Compare the code with the one on your device:",
        warning: """
            Continue only if the device is in front of you and shows exactly this code. If somebody sent it to you, deny.
            """,
        allow: "Continue", deny: "Deny",
        doneTitle: "Your device is signed in",
        doneText: "You can close this window and continue on your device.",
        deniedTitle: "Nothing was signed in",
        deniedText: "You denied the request. You can close this window.")

    static let korean = DeviceText(
        title: "기기 연결",
        explanation: "기기나 터미널에 표시된 코드를 입력해 주십시오.",
        label: "코드", hint: "영문자 8자입니다. 예: BCDF-GHJK. 대소문자와 하이픈은 구분하지 않습니다.",
        proceed: "계속하기",
        wrongCode: "알 수 없는 코드입니다. 확인한 후 다시 입력해 주십시오.",
        expiredCode: "만료되었거나 이미 사용된 코드입니다. 기기에서 새 코드를 받아 주십시오.",
        confirmTitle: "기기에서 로그인하시겠습니까?",
        terminalTitle: "터미널에서 본인임을 확인하시겠습니까?",
        confirmApp: "{} 앱이 사용자의 계정으로 로그인하려고 합니다.",
        confirmTerminal: "명령줄 프로그램이 사용자의 {} 계정을 확인하려고 합니다.",
        compare: "기기에 표시된 코드와 같은지 확인해 주십시오.",
        warning: "기기가 바로 앞에 있고 이 코드가 똑같이 표시된 경우에만 계속해 주십시오. 다른 사람이 보낸 코드라면 거부해 주십시오.",
        allow: "계속하기", deny: "거부",
        doneTitle: "기기에서 로그인되었습니다",
        doneText: "이 창을 닫고 기기에서 계속하실 수 있습니다.",
        deniedTitle: "로그인하지 않았습니다",
        deniedText: "요청을 거부하셨습니다. 이 창을 닫으셔도 됩니다.")
}
