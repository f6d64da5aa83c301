/// The text of each ``ErrorPage/Cause``.
struct ErrorTexts: PageText {
    let attemptUnknownOrUsed, otherBrowser: ErrorText
    let providerRefused, cancelled, providerUnavailable, providerMisconfigured: ErrorText
    let clientUnknown, redirectNotRegistered, badRequest: ErrorText
    let accountDisabled: ErrorText
    let alreadyLinkedElsewhere, providerAlreadyLinked, emailTaken: ErrorText
    let noAccountToMerge, sameAccount, twoOfOneProvider: ErrorText
    let mergeNeedsAdministrator, undoNeedsAdministrator, otherLoginEnded: ErrorText
    let lastWayIn: ErrorText
    let signUpOff, deletionOff: ErrorText
    let notFound, unavailable, tooManyRequests, notAllowed: ErrorText
}

/// The text of one error page.
struct ErrorText: Sendable {
    let headline: Phrase
    /// The event.
    let happened: Phrase
    /// The user's remedy.
    let advice: Phrase
}

/// The links of error pages.
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

extension ErrorTexts {
    static let english = ErrorTexts(
        attemptUnknownOrUsed: .init(
            headline: "This sign-in is no longer valid",
            happened: "It was already used, it has expired, or it was started in another browser.",
            advice: "Go back to the app and start again."),
        otherBrowser: .init(
            headline: "Continue in the browser you started in",
            happened: "This sign-in was started in another browser or on another device.",
            advice: "Go back there to finish it. If you did not start it, close this page: nothing has happened."),
        providerRefused: .init(
            headline: "{} did not confirm the sign-in",
            happened: "{} sent you back without confirming who you are.",
            advice: "Start again. If it happens once more, choose another way to sign in."),
        cancelled: .init(
            headline: "Sign-in cancelled",
            happened: "You cancelled at {}, or did not give the permission it asked for. Nothing has changed.",
            advice: "You can start again at any time."),
        providerUnavailable: .init(
            headline: "{} does not answer",
            happened: "We could not reach {} just now.",
            advice: "Try again in a few minutes, or choose another way to sign in."),
        providerMisconfigured: .init(
            headline: "Sign-in with {} is not set up correctly",
            happened: "{} does not accept the settings of this site. This is not your mistake.",
            advice: "Choose another way to sign in, and please tell the operator of this site."),
        clientUnknown: .init(
            headline: "This app is not registered here",
            happened: "The client_id of this request belongs to no app of this broker.",
            advice: "For developers: register the app with “broker clients add” and use the client_id it prints."),
        redirectNotRegistered: .init(
            headline: "This app's return address is not registered",
            happened: "The redirect_uri of this request is none of those registered for the app.",
            advice: """
                For developers: register the exact address, byte for byte. “broker clients show” lists the ones that count.
                """),
        badRequest: .init(
            headline: "This request is incomplete",
            happened: "The link or the app that brought you here sent something that cannot be understood.",
            advice: "Go back and start again. For developers: {}"),
        accountDisabled: .init(
            headline: "This account is disabled",
            happened: "It exists, but nobody can sign in to it at the moment.",
            advice: "Ask the operator of this site for help."),
        alreadyLinkedElsewhere: .init(
            headline: "This {} account belongs to someone else here",
            happened: "It is already connected to another account of this site. Nothing has changed.",
            advice: "Sign in with it instead, or disconnect it there first."),
        providerAlreadyLinked: .init(
            headline: "Your account already has a {} account",
            happened: "Only one account of each provider can be connected. Nothing has changed.",
            advice: "Disconnect the present one first, then connect the new one."),
        emailTaken: .init(
            headline: "This e-mail address is already in use",
            happened: "The address of the {} account belongs to another account here. Nothing has changed.",
            advice: "Sign in to that account and connect from there."),
        noAccountToMerge: .init(
            headline: "There is no account here for it",
            happened: "The {} account that you signed in to belongs to no account of this site. Nothing has changed.",
            advice: "Connect it on your account page instead, or sign in the way you did to the other account."),
        sameAccount: .init(
            headline: "This is the same account",
            happened: "You signed in to the account you are in. Nothing has changed.",
            advice: "Start again, and choose another account at the provider, or another provider."),
        twoOfOneProvider: .init(
            headline: "Both accounts have a {} account",
            happened: "Only one account of each provider can be connected. Nothing has changed.",
            advice: "Disconnect {} in one of the two accounts first, then join them."),
        mergeNeedsAdministrator: .init(
            headline: "The operator has to approve this",
            happened: """
                One of the accounts is disabled, or has rights that the other one would not get. Your request waits. Nothing \
                has changed.
                """,
            advice: "Ask the operator of this site. You can also keep the other account instead, if that was offered."),
        undoNeedsAdministrator: .init(
            headline: "Only the operator can separate these accounts",
            happened: "No way to sign in is left by which you could prove the other account. Nothing has changed.",
            advice: "Ask the operator of this site to undo it."),
        otherLoginEnded: .init(
            headline: "The sign-in to the other account is no longer valid",
            happened: "It was too long ago, was not sufficient, or the account has changed. Nothing has changed.",
            advice: "Start again on your account page."),
        lastWayIn: .init(
            headline: "This is your only way to sign in",
            happened: "Without it you could not come back to this account. Nothing has changed.",
            advice: "Connect another way to sign in first."),
        signUpOff: .init(
            headline: "New accounts are not created here",
            happened: "You have no account at this site yet, and only its operator can create one.",
            advice: "Ask the operator of this site for an account, or sign in the way you did before."),
        deletionOff: .init(
            headline: "Accounts are deleted by the operator only",
            happened: "This site does not let users delete their accounts themselves. Nothing has changed.",
            advice: "Ask the operator of this site to delete your account."),
        notFound: .init(
            headline: "There is nothing here",
            happened: "The address is wrong, or the page has moved.",
            advice: "Check the address, or go back."),
        unavailable: .init(
            headline: "We will be right back",
            happened: "The service cannot answer at the moment. Your account is safe.",
            advice: "Try again in a few minutes."),
        tooManyRequests: .init(
            headline: "Too many requests",
            happened: "Too many requests came from your network in a short time.",
            advice: "Wait a minute, then load this page again."),
        notAllowed: .init(
            headline: "We could not be sure that this was you",
            happened: "The request did not come from a page of this site, or the page was open for too long.",
            advice: "Nothing has changed. Open the page again and repeat what you did."))
}

extension ErrorTexts {
    static let korean = ErrorTexts(
        attemptUnknownOrUsed: .init(
            headline: "더 이상 유효하지 않은 로그인입니다",
            happened: "이미 사용되었거나 만료되었거나 다른 브라우저에서 시작된 로그인입니다.",
            advice: "앱으로 돌아가 다시 시작해 주십시오."),
        otherBrowser: .init(
            headline: "처음 시작한 브라우저에서 계속해 주십시오",
            happened: "이 로그인은 다른 브라우저나 다른 기기에서 시작되었습니다.",
            advice: "그 브라우저로 돌아가 완료해 주십시오. 직접 시작하지 않으셨다면 이 페이지를 닫아 주십시오. 변경된 내용은 없습니다."),
        providerRefused: .init(
            headline: "{} 로그인이 확인되지 않았습니다",
            happened: "{} 측에서 본인 여부를 확인하지 않고 돌려보냈습니다.",
            advice: "다시 시작해 주십시오. 같은 일이 반복되면 다른 로그인 방법을 선택해 주십시오."),
        cancelled: .init(
            headline: "로그인이 취소되었습니다",
            happened: "{} 로그인을 취소하셨거나 요청된 권한을 허용하지 않으셨습니다. 변경된 내용은 없습니다.",
            advice: "언제든지 다시 시작하실 수 있습니다."),
        providerUnavailable: .init(
            headline: "{} 서비스가 응답하지 않습니다",
            happened: "지금 {} 서비스에 연결할 수 없었습니다.",
            advice: "몇 분 후에 다시 시도하거나 다른 로그인 방법을 선택해 주십시오."),
        providerMisconfigured: .init(
            headline: "{} 로그인이 올바르게 설정되어 있지 않습니다",
            happened: "{} 측에서 이 사이트의 설정을 받아들이지 않습니다. 사용자의 잘못이 아닙니다.",
            advice: "다른 로그인 방법을 선택하시고, 사이트 운영자에게 알려 주시기 바랍니다."),
        clientUnknown: .init(
            headline: "등록되지 않은 앱입니다",
            happened: "이 요청의 client_id에 해당하는 앱이 이 브로커에 없습니다.",
            advice: "개발자 안내: “broker clients add” 명령으로 앱을 등록하고 출력된 client_id를 사용해 주십시오."),
        redirectNotRegistered: .init(
            headline: "앱의 돌아갈 주소가 등록되어 있지 않습니다",
            happened: "이 요청의 redirect_uri는 앱에 등록된 주소가 아닙니다.",
            advice: "개발자 안내: 주소를 한 글자도 다르지 않게 등록해 주십시오. “broker clients show” 명령으로 등록된 주소를 볼 수 있습니다."),
        badRequest: .init(
            headline: "요청이 완전하지 않습니다",
            happened: "이 페이지로 연결한 링크나 앱이 이해할 수 없는 내용을 보냈습니다.",
            advice: "돌아가서 다시 시작해 주십시오. 개발자 안내: {}"),
        accountDisabled: .init(
            headline: "사용이 중지된 계정입니다",
            happened: "계정은 있지만 지금은 로그인할 수 없습니다.",
            advice: "사이트 운영자에게 문의해 주십시오."),
        alreadyLinkedElsewhere: .init(
            headline: "이 {} 계정은 이미 다른 계정에 연결되어 있습니다",
            happened: "이 사이트의 다른 계정에 연결된 계정입니다. 변경된 내용은 없습니다.",
            advice: "그 계정으로 로그인하거나, 먼저 그쪽에서 연결을 해제해 주십시오."),
        providerAlreadyLinked: .init(
            headline: "이미 연결된 {} 계정이 있습니다",
            happened: "서비스마다 하나의 계정만 연결할 수 있습니다. 변경된 내용은 없습니다.",
            advice: "먼저 지금의 연결을 해제한 다음 새 계정을 연결해 주십시오."),
        emailTaken: .init(
            headline: "이미 사용 중인 이메일 주소입니다",
            happened: "{} 계정의 이메일 주소를 이곳의 다른 계정이 사용하고 있습니다. 변경된 내용은 없습니다.",
            advice: "그 계정으로 로그인한 다음 연결해 주십시오."),
        noAccountToMerge: .init(
            headline: "해당하는 계정이 없습니다",
            happened: "로그인하신 {} 계정은 이 사이트의 어느 계정에도 연결되어 있지 않습니다. 변경된 내용은 없습니다.",
            advice: "내 계정 페이지에서 연결하시거나, 다른 계정에 로그인할 때 사용한 방법을 선택해 주십시오."),
        sameAccount: .init(
            headline: "같은 계정입니다",
            happened: "현재 사용 중인 계정으로 로그인하셨습니다. 변경된 내용은 없습니다.",
            advice: "다시 시작하여 서비스에서 다른 계정을 선택하시거나 다른 로그인 방법을 선택해 주십시오."),
        twoOfOneProvider: .init(
            headline: "두 계정 모두 {} 계정이 연결되어 있습니다",
            happened: "서비스마다 하나의 계정만 연결할 수 있습니다. 변경된 내용은 없습니다.",
            advice: "먼저 둘 중 한 계정에서 {} 연결을 해제한 다음 합쳐 주십시오."),
        mergeNeedsAdministrator: .init(
            headline: "사이트 운영자의 승인이 필요합니다",
            happened: "사용이 중지된 계정이 있거나, 한 계정의 권한이 다른 계정으로 옮겨지지 않습니다. 요청은 대기 중이며 변경된 내용은 없습니다.",
            advice: "사이트 운영자에게 문의해 주십시오. 다른 계정을 남기는 방법이 제시되었다면 그것을 선택하실 수도 있습니다."),
        undoNeedsAdministrator: .init(
            headline: "운영자만 분리할 수 있는 계정입니다",
            happened: "다른 계정의 소유자임을 확인할 로그인 방법이 남아 있지 않습니다. 변경된 내용은 없습니다.",
            advice: "사이트 운영자에게 분리를 요청해 주십시오."),
        otherLoginEnded: .init(
            headline: "다른 계정의 로그인이 더 이상 유효하지 않습니다",
            happened: "시간이 너무 지났거나 인증이 충분하지 않거나 계정이 변경되었습니다. 변경된 내용은 없습니다.",
            advice: "내 계정 페이지에서 다시 시작해 주십시오."),
        lastWayIn: .init(
            headline: "하나뿐인 로그인 방법입니다",
            happened: "이 방법이 없으면 이 계정으로 다시 로그인할 수 없습니다. 변경된 내용은 없습니다.",
            advice: "먼저 다른 로그인 방법을 연결해 주십시오."),
        signUpOff: .init(
            headline: "새 계정을 만들 수 없습니다",
            happened: "이 사이트에 아직 계정이 없으며, 계정은 사이트 운영자만 만들 수 있습니다.",
            advice: "사이트 운영자에게 계정을 요청하거나 이전에 사용한 방법으로 로그인해 주십시오."),
        deletionOff: .init(
            headline: "계정은 운영자만 삭제할 수 있습니다",
            happened: "이 사이트에서는 사용자가 직접 계정을 삭제할 수 없습니다. 변경된 내용은 없습니다.",
            advice: "사이트 운영자에게 계정 삭제를 요청해 주십시오."),
        notFound: .init(
            headline: "페이지를 찾을 수 없습니다",
            happened: "주소가 잘못되었거나 페이지가 옮겨졌습니다.",
            advice: "주소를 확인하거나 이전 페이지로 돌아가 주십시오."),
        unavailable: .init(
            headline: "잠시 후 다시 찾아 주십시오",
            happened: "지금은 서비스가 응답할 수 없습니다. 계정은 안전합니다.",
            advice: "몇 분 후에 다시 시도해 주십시오."),
        tooManyRequests: .init(
            headline: "요청이 너무 많습니다",
            happened: "사용 중인 네트워크에서 짧은 시간에 너무 많은 요청이 있었습니다.",
            advice: "1분 후에 이 페이지를 다시 불러와 주십시오."),
        notAllowed: .init(
            headline: "본인의 요청인지 확인할 수 없었습니다",
            happened: "이 사이트의 페이지에서 온 요청이 아니거나, 페이지를 연 지 너무 오래되었습니다.",
            advice: "변경된 내용은 없습니다. 페이지를 다시 열고 한 번 더 시도해 주십시오."))
}
