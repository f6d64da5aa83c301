extension Diagnosis {
    /// The Korean text. No `default`: a new code does not compile until it has its text.
    var koreanText: Text {
        switch self {
        case .applinksClaimsProviderHost:
            Text(
                "앱이 missingCode 오류를 내거나, 제공자에서 로그인하는 도중에 앱이 열립니다.",
                "앱의 Associated Domains에 제공자의 호스트가 있어서 제공자의 링크가 앱을 엽니다.",
                "해당 호스트의 applinks 항목을 삭제하십시오. 앱에는 앱 자신의 호스트만 등록합니다.")
        case .schemeUnderscore:
            Text(
                "리디렉션 URI가 거부되거나 콜백이 앱에 도착하지 않습니다.",
                "URL 스킴에 밑줄이 있습니다. 스킴에는 밑줄을 쓸 수 없습니다(RFC 3986 §3.1).",
                "com.example.app처럼 도메인을 뒤집은 이름을 사용하십시오.")
        case .callbackSchemeMissing:
            Text(
                "로그인 후에도 브라우저가 닫히지 않습니다.", "앱의 CFBundleURLTypes에 클라이언트의 리디렉션 URI 스킴이 없습니다.",
                "broker clients plist가 출력하는 내용을 앱의 Info.plist에 추가하십시오.")
        case .callbackHostMissing:
            Text(
                "콜백이 앱이 아니라 웹 페이지를 엽니다.", "리디렉션 URI가 https 주소인데 앱의 Associated Domains에 그 호스트가 없습니다.",
                "applinks:와 그 호스트를 추가하고, 그 호스트에서 apple-app-site-association 파일을 제공하십시오.")
        case .callbackHostIsProviderHost:
            Text(
                "콜백이 제공자에서 끝납니다.", "리디렉션 URI의 호스트가 제공자의 호스트입니다.",
                "앱 자신의 스킴이나 호스트를 사용하는 리디렉션 URI를 등록하십시오.")
        case .querySchemesMissing:
            Text(
                "제공자의 앱이 설치되어 있는데도 열리지 않습니다.", "앱의 LSApplicationQueriesSchemes에 onepass 또는 https가 없습니다.",
                "Info.plist의 LSApplicationQueriesSchemes에 둘 다 추가하십시오.")
        case .appleEntitlementMissing:
            Text(
                "앱에서 Apple로 로그인이 오류 1000으로 실패합니다.", "앱에 com.apple.developer.applesignin 권한이 없습니다.",
                "앱 타깃에 Sign in with Apple 기능을 추가하십시오.")
        case .appleNotOffered:
            Text(
                "앱 심사에서 거절됩니다(지침 4.8).", "다른 제공자로 로그인할 수 있지만 Apple로 로그인은 없습니다.",
                "Apple을 사용하도록 설정하거나, 예외 사유를 broker.json의 declarations.appleNotOffered에 적으십시오.")
        case .packageWithoutVersion:
            Text(
                "앱을 바꾸지 않았는데 빌드 결과가 달라집니다.", "로그인 패키지가 버전이 아니라 브랜치나 커밋에 고정되어 있습니다.",
                "from: \"1.2.0\"처럼 버전을 지정하십시오.")
        case .relaySenderUnregistered:
            Text(
                "privaterelay.appleid.com 주소로 보낸 메일이 전달되지 않습니다.",
                "Apple은 등록된 발신자의 메일만 전달하는데, broker.json에 등록된 발신자가 없습니다.",
                "Apple에 발신자를 등록한 다음 declarations.relaySenders에 적으십시오.")
        case .noProvider:
            Text(
                "아무도 로그인할 수 없습니다.", "사용하도록 설정된 제공자가 없습니다.",
                "plugins.json의 항목을 사용하도록 설정하거나 broker providers add로 추가하십시오.")
        case .publicURLIsLocal:
            Text(
                "브로커가 있는 컴퓨터에서만 로그인할 수 있습니다.", "publicURL이 이 컴퓨터를 가리킵니다.",
                "publicURL을 사용자가 접속하는 https 주소로 바꾸고 그 리디렉션 URI를 등록하십시오.")
        case .clientAddressHidden:
            Text(
                "어떤 클라이언트에도 주소별 요청 제한이 적용되지 않고, 로그에는 클라이언트가 하나만 보입니다.",
                "publicURL은 https인데 브로커가 TLS 없이 이 컴퓨터에서만 수신하고 trustedProxies가 비어 있어, 모든 요청의 주소가 "
                    + "프록시의 주소입니다.",
                "trustedProxies에 프록시를 127.0.0.1처럼 적거나, 브로커가 직접 TLS를 처리하게 하십시오.")
        case .clientAddressUnknown:
            Text(
                "일부 클라이언트에 주소별 요청 제한이 적용되지 않습니다.",
                "지난 두 시간 동안 신뢰하는 프록시가 X-Forwarded-For에 unknown이라고 전달했습니다.",
                "프록시가 클라이언트의 주소나 밑줄로 시작하는 식별자(RFC 7239 §6.3)를 전달하게 하십시오.")
        case .fileReadable:
            Text(
                "호스트의 다른 계정이 브로커의 비밀을 읽을 수 있습니다.", "비밀이 있는 파일을 다른 계정이 읽을 수 있습니다.",
                "chmod go-r로 권한을 없애십시오.")
        case .stepUpUnattainable:
            Text(
                "다시 로그인하라는 요청이 나오고, 어떤 방법으로 로그인해도 거부됩니다.",
                """
                policy.stepUp의 규칙에 사용하도록 설정된 제공자가 없습니다. 또는 규칙이 연결을 보호하므로 다른 제공자나 \
                커스텀 토큰의 사용자가 규칙의 제공자를 먼저 연결할 수 없습니다.
                """,
                """
                이 사용자들이 가진 제공자를 규칙에 추가하십시오. custom은 커스텀 토큰을 뜻하며 OAuth 클라이언트에는 \
                없습니다. 또는 규칙의 routes에서 accounts:signInWithIdp를 빼십시오.
                """)
        case .storeUnavailable:
            Text(
                "브로커가 503으로 응답합니다.", "저장소에 연결할 수 없거나, 마스터 키가 다르거나, 가득 찼습니다.",
                "메시지를 따르십시오. Docs/Operations.md에 저장소 종류별 설명이 있습니다.")
        case .diskNearlyFull:
            Text(
                "곧 로그인이 실패합니다.", "저장소가 있는 디스크에 5퍼센트 또는 256 MB도 남지 않았습니다.",
                "공간을 확보하거나 broker store copy로 저장소를 옮기십시오.")
        case .clockDiffers:
            Text(
                "토큰이 만료되었거나 미래에 발급되었다는 이유로 거부됩니다.", "이 호스트의 시계가 다른 브로커나 제공자의 시계와 다릅니다.",
                "모든 호스트의 시계를 맞추십시오(NTP).")
        case .signingKeyMissing:
            Text(
                "토큰을 발급할 수 없습니다.", "사용 중인 서명 키가 없는 토큰 종류가 있습니다.", "broker keys rotate로 키를 만드십시오.")
        case .providerAppNotEntered:
            Text(
                "제공자의 앱이 설치되어 있는데도 브라우저에서 로그인이 열립니다.", "앱이 인증 URL을 웹 세션에서 먼저 엽니다.",
                "먼저 universalLinksOnly로 열고, 열리지 않으면 임시 웹 세션을 사용하십시오.")
        case .refreshFailsInBackground:
            Text(
                "기기가 잠겨 있으면 토큰 갱신이 실패합니다.", "갱신 토큰의 키체인 항목이 잠금 해제 중에만 읽히거나 생체 인증을 요구합니다.",
                "접근 제어 없이 kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly로 저장하십시오.")
        case .tokenOnAnotherDevice:
            Text(
                "백업을 복원하면 다른 기기에 토큰이 나타납니다.", "키체인 항목의 접근성이 ThisDeviceOnly로 끝나지 않습니다.",
                "토큰은 ThisDeviceOnly 접근성으로만 저장하십시오.")
        case .protectedItemLost:
            Text(
                "생체 인증으로 보호한 항목을 더 이상 읽을 수 없습니다.",
                "등록된 지문이나 얼굴이 바뀌어 biometryCurrentSet 항목이 무효가 되었습니다.",
                "사용자에게 다시 로그인하도록 요청하십시오. 이런 항목은 중요한 작업에만 사용하십시오.")
        case .deviceSecretRefused:
            Text(
                "devices:bootstrap이 INVALID_DEVICE_SECRET으로 응답합니다.", "기기의 비밀을 잃었거나 제공자가 기기를 더 이상 모릅니다.",
                "새 deviceId로 기기를 등록하십시오. 익명 사용자는 다시 로그인합니다.")
        case .userNameIsNoLogin:
            Text(
                "위젯에 다른 사람의 데이터가 보입니다.", "사용자 이름으로 하는 공개 조회는 아무것도 증명하지 않는데 앱이 로그인으로 취급합니다.",
                "이름은 설정으로만 다루십시오. 로그인해야 사용자가 됩니다.")
        }
    }
}
