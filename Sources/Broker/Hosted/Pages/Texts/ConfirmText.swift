/// The confirmations.
struct ConfirmText: PageText {
    let cancel: String
    let linkTitle: Phrase
    let linkText, linkThere, linkHere, linkWarning, link: String
    let unlinkTitle, unlinkText, unlinkGrant: Phrase
    let unlinkLast, unlink: String
    let everywhereTitle, everywhereText, everywhere: String
    let deleteTitle, deleteText, deleteConsent, delete: String
    let mergeTitle, mergeText, mergeHere, mergeThere: String
    let mergeSessions: Phrase
    let mergeWaits, keepOwn, keepOther: String
    let undoMergeTitle: Phrase
    let undoMergeText, undoMerge: String
    let signOutTitle: String
    let signOutTitleForApp: Phrase
    let signOutText, signOut: String
    let continueTitle, continueText: Phrase
    let continueButton: String

    static let english = ConfirmText(
        cancel: "Cancel",
        linkTitle: "Connect {}?",
        linkText: "From then on you can sign in with either of the two.",
        linkThere: "Account at the provider", linkHere: "Your account here",
        linkWarning: "Continue only if you started this yourself just now. If somebody sent you here, cancel.",
        link: "Connect",
        unlinkTitle: "Disconnect {}?",
        unlinkText: "You can no longer sign in with {} then.",
        unlinkGrant: """
            This site gives up its access to {}: it deletes the access tokens, and asks the provider to end them where \
            that is possible. Whatever else you allowed it there is listed in your settings at that provider.
            """,
        unlinkLast: "This is your only way to sign in. Without it you cannot come back to this account.",
        unlink: "Disconnect",
        everywhereTitle: "Sign out everywhere?",
        everywhereText: "Every browser and every app is signed out of your account, this browser too.",
        everywhere: "Sign out everywhere",
        deleteTitle: "Delete your account?",
        deleteText: """
            Your account, its connections and its sessions are removed, and the providers are asked to end this site's \
            access. Apps may keep data of their own.
            """,
        deleteConsent: "I understand that this cannot be undone.",
        delete: "Delete account",
        mergeTitle: "Join these two accounts?",
        mergeText: """
            Afterwards you can sign in with everything below. The account that you keep has its name, its address and what \
            apps know it by. The other one is removed, and most places where you used it are signed out. You can separate \
            the two for 30 days.
            """,
        mergeHere: "This account", mergeThere: "The other account", mergeSessions: "sessions: {}",
        mergeWaits: "The operator of this site has to approve it",
        keepOwn: "Keep this account", keepOther: "Keep the other account",
        undoMergeTitle: "Separate {} again?",
        undoMergeText: """
            It becomes an account of its own again, with the ways to sign in that it had. What you changed since then stays \
            in this account. You are signed out of both everywhere.
            """,
        undoMerge: "Separate the accounts",
        signOutTitle: "Sign out?",
        signOutTitleForApp: "Sign out of {}?",
        signOutText: "You will be signed out of this browser, and of the apps you signed in to with it.",
        signOut: "Sign out",
        continueTitle: "Continue to {}?",
        continueText: "You are signed in. {} will learn who you are.",
        continueButton: "Continue")

    static let korean = ConfirmText(
        cancel: "취소",
        linkTitle: "{} 계정을 연결하시겠습니까?",
        linkText: "연결한 다음에는 둘 중 어느 방법으로든 로그인하실 수 있습니다.",
        linkThere: "연결할 계정", linkHere: "현재 로그인한 계정",
        linkWarning: "방금 직접 시작하신 경우에만 계속해 주십시오. 다른 사람이 보낸 링크로 들어오셨다면 취소해 주십시오.",
        link: "연결",
        unlinkTitle: "{} 연결을 해제하시겠습니까?",
        unlinkText: "더 이상 {} 계정으로 로그인할 수 없습니다.",
        unlinkGrant: """
            이 사이트에 저장된 {} 접근 토큰이 삭제되며, 가능한 경우 해당 서비스에도 토큰을 폐기하도록 요청합니다. 그 밖에 허용하신 권한은 해당 서비스의 설정에서 확인하실 수 있습니다.
            """,
        unlinkLast: "남아 있는 유일한 로그인 방법입니다. 해제하면 이 계정에 다시 로그인할 수 없습니다.",
        unlink: "연결 해제",
        everywhereTitle: "모든 곳에서 로그아웃하시겠습니까?",
        everywhereText: "이 브라우저를 포함한 모든 브라우저와 앱에서 로그아웃됩니다.",
        everywhere: "모든 곳에서 로그아웃",
        deleteTitle: "계정을 삭제하시겠습니까?",
        deleteText: """
            계정과 연결 정보, 로그인 상태가 모두 삭제되며, 연결된 서비스에 이 사이트의 접근 권한을 끝내도록 요청합니다. \
            앱이 자체적으로 보관하는 데이터는 남을 수 있습니다.
            """,
        deleteConsent: "되돌릴 수 없다는 것을 이해했습니다.",
        delete: "계정 삭제",
        mergeTitle: "두 계정을 합치시겠습니까?",
        mergeText: """
            합친 다음에는 아래의 모든 방법으로 로그인하실 수 있습니다. 남기는 계정의 이름과 주소, 앱에서 쓰는 정보가 유지됩니다. \
            다른 계정은 없어지고 그 계정으로 로그인한 대부분의 곳에서 로그아웃됩니다. 30일 동안은 다시 분리하실 수 있습니다.
            """,
        mergeHere: "현재 계정", mergeThere: "다른 계정", mergeSessions: "세션: {}",
        mergeWaits: "사이트 운영자의 승인이 필요합니다",
        keepOwn: "현재 계정 남기기", keepOther: "다른 계정 남기기",
        undoMergeTitle: "{} 계정을 다시 분리하시겠습니까?",
        undoMergeText: """
            이전의 로그인 방법을 가진 별개의 계정으로 돌아갑니다. 그 후에 변경하신 내용은 현재 계정에 남습니다. \
            두 계정 모두 모든 곳에서 로그아웃됩니다.
            """,
        undoMerge: "계정 분리",
        signOutTitle: "로그아웃하시겠습니까?",
        signOutTitleForApp: "{}에서 로그아웃하시겠습니까?",
        signOutText: "이 브라우저와, 이 브라우저로 로그인한 앱에서 로그아웃됩니다.",
        signOut: "로그아웃",
        continueTitle: "{} 앱으로 계속하시겠습니까?",
        continueText: "로그인되어 있습니다. 계속하시면 {} 앱에 사용자 정보가 전달됩니다.",
        continueButton: "계속하기")
}
