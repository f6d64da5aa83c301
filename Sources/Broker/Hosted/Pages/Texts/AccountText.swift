/// The account page.
struct AccountText: PageText {
    let title, nameless, verified, unverified: String
    let connected, noConnections, since, disconnect: String
    let offers, connect: String
    let sessions, browser, current, lastUsed: String
    let furtherDevices: Phrase
    let signedIn: String
    let signedInWith: Phrase
    let endSession, signOut, signOutEverywhere: String
    let merge, mergeText, mergeButton, mergedSince, mergeUndo: String
    let deletion, deletionText, delete: String
    let linked, unlinked: Phrase
    let sessionEnded, merged: String

    static let english = AccountText(
        title: "Your account", nameless: "No name", verified: "verified", unverified: "not verified",
        connected: "Ways to sign in",
        noConnections: "Nothing is connected yet. Connect a provider so that you can come back to this account.",
        since: "Connected", disconnect: "Disconnect",
        offers: "Connect another way", connect: "Connect",
        sessions: "Where you are signed in", browser: "A browser", current: "You are here",
        lastUsed: "Last used", furtherDevices: "Show {} more", signedIn: "Signed in", signedInWith: "Signed in with {}",
        endSession: "Sign out", signOut: "Sign out of this browser",
        signOutEverywhere: "Sign out everywhere",
        merge: "Join another account",
        mergeText: """
            You have a second account here? Sign in to it, and the two become one. You see what joins, and choose which \
            one remains.
            """,
        mergeButton: "Join another account…", mergedSince: "Joined", mergeUndo: "Separate",
        deletion: "Delete account",
        deletionText: "Your account, its connections and its sessions are removed. This cannot be undone.",
        delete: "Delete account…",
        linked: "{} is now connected to your account.", unlinked: "{} is no longer connected to your account.",
        sessionEnded: "The session has been signed out.", merged: "The two accounts are one now.")

    static let korean = AccountText(
        title: "내 계정", nameless: "이름 없음", verified: "확인됨", unverified: "확인되지 않음",
        connected: "로그인 방법",
        noConnections: "아직 연결된 로그인 방법이 없습니다. 이 계정으로 다시 로그인할 수 있도록 서비스를 연결해 주십시오.",
        since: "연결일", disconnect: "연결 해제",
        offers: "다른 로그인 방법 연결", connect: "연결",
        sessions: "로그인된 곳", browser: "브라우저", current: "현재 사용 중",
        lastUsed: "마지막 사용", furtherDevices: "{}곳 더 보기", signedIn: "로그인", signedInWith: "{} 계정으로 로그인",
        endSession: "로그아웃", signOut: "이 브라우저에서 로그아웃",
        signOutEverywhere: "모든 곳에서 로그아웃",
        merge: "다른 계정 합치기",
        mergeText: "이곳에 계정이 하나 더 있으십니까? 그 계정으로 로그인하시면 두 계정을 하나로 합칩니다. 합쳐질 내용을 확인하고 남길 계정을 선택하실 수 있습니다.",
        mergeButton: "다른 계정 합치기…", mergedSince: "합친 날", mergeUndo: "분리",
        deletion: "계정 삭제",
        deletionText: "계정과 연결 정보, 로그인 상태가 모두 삭제됩니다. 되돌릴 수 없습니다.",
        delete: "계정 삭제하기…",
        linked: "{} 계정이 연결되었습니다.", unlinked: "{} 계정의 연결이 해제되었습니다.",
        sessionEnded: "해당 세션에서 로그아웃되었습니다.", merged: "두 계정이 하나로 합쳐졌습니다.")
}
