public import Foundation

/// The texts are for users. Those for developers are in the cases' values.
extension BrokerAuthError: LocalizedError {
    /// What happened and what the user can do, in the language of the app: Korean or English.
    public var errorDescription: String? { text(in: Self.appLanguages) }

    /// What happened and what the user can do.
    ///
    /// - Parameter languages: BCP 47 tags in order of preference. English is the text of every other language.
    /// - Returns: One or two sentences.
    public func text(in languages: [String]) -> String {
        let known = languages.lazy.compactMap { $0.split { $0 == "-" || $0 == "_" }.first?.lowercased() }
            .first { ["ko", "en"].contains($0) }
        let (english, korean) = texts
        return known == "ko" ? korean : english
    }

    /// The languages that the app shows, or on Linux those of the environment.
    private static var appLanguages: [String] {
        #if canImport(Darwin)
            Bundle.main.preferredLocalizations
        #else
            ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { ProcessInfo.processInfo.environment[$0] }
        #endif
    }

    /// All texts. No `default`: a new case does not compile until it has its texts here.
    private var texts: (english: String, korean: String) {
        switch self {
        case .notConfigured, .reservedParameter, .server, .unexpectedRedirect, .missingCode, .noPendingRequest,
            .missingIdentityToken, .invalidTokenText, .missingOrInvalidNonce, .insufficientPermission,
            .operationNotAllowed, .invalidDevice:
            ("That did not work. Tell the makers of the app.", "처리하지 못했습니다. 앱 개발자에게 알려 주세요.")
        case .userCancelled, .cancelled: ("You cancelled. Nothing has changed.", "취소되었습니다. 변경된 내용은 없습니다.")
        case .handoffTimeout, .deviceCodeExpired:
            ("The sign-in took too long. Try again.", "로그인 시간이 초과되었습니다. 다시 시도하세요.")
        case .alreadyInProgress:
            ("Another sign-in is open. Finish it first.", "다른 로그인이 진행 중입니다. 먼저 그 로그인을 마치세요.")
        case .stateMismatch, .invalidToken:
            (
                "The answer could not be verified. Check the date and time of this device and try again.",
                "응답을 확인하지 못했습니다. 기기의 날짜와 시간을 확인하고 다시 시도하세요."
            )
        case .credentialAlreadyUsed, .credentialExpired, .credentialRefused, .tokenExpired:
            ("Your sign-in was not confirmed. Sign in again.", "로그인이 확인되지 않았습니다. 다시 로그인하세요.")
        case .tokenCreationFailed:
            (
                "Apple did not confirm your account. Sign out, sign in again, and repeat this.",
                "Apple에서 계정을 확인하지 못했습니다. 로그아웃하고 다시 로그인한 다음 한 번 더 시도하세요."
            )
        case .withdrawalFailed(let withdrawals): Self.withdrawalFailed(at: withdrawals)
        case .accountMerged:
            (
                "Your accounts were merged. Look at your account, then try again.",
                "계정이 합쳐졌습니다. 계정을 확인한 다음 다시 시도하세요."
            )
        case .recentLoginRequired:
            ("Confirm that it is you, then try again.", "본인 확인이 필요합니다. 다시 로그인한 다음 한 번 더 시도하세요.")
        case .storageLocked: ("Unlock the device, then try again.", "기기의 잠금을 해제한 다음 다시 시도하세요.")
        case .storageFailed:
            (
                "Your sign-in could not be stored on this device. Free some space and try again.",
                "기기에 로그인을 저장하지 못했습니다. 저장 공간을 확인하고 다시 시도하세요."
            )
        case .network(let failure): Self.texts(of: failure.reason)
        case .adminOnlyOperation:
            ("Only an administrator can do this. Ask them.", "관리자만 할 수 있는 작업입니다. 관리자에게 문의하세요.")
        case .needConfirmation(let providers): Self.needConfirmation(of: providers)
        case .accountExists(let providers): Self.accountExists(at: providers)
        case .emailExists:
            (
                "Another account has this e-mail address. Sign in to it first, then link this one.",
                "다른 계정이 이 이메일 주소를 사용합니다. 먼저 그 계정으로 로그인한 다음 연결하세요."
            )
        case .accountNotFound:
            (
                "There is no account for this sign-in. Sign in as you did before.",
                "이 로그인에 해당하는 계정이 없습니다. 이전에 사용한 방법으로 로그인하세요."
            )
        case .providerAlreadyLinked:
            (
                "Another account of this provider is linked. Unlink it first.",
                "이 제공자의 다른 계정이 이미 연결되어 있습니다. 먼저 그 연결을 해제하세요."
            )
        case .lastSignInMethod:
            (
                "This is your only way to sign in. Link another provider first.",
                "하나뿐인 로그인 방법입니다. 먼저 다른 제공자를 연결하세요."
            )
        case .userMismatch:
            (
                "This is another user's account. Nothing has changed. Use your own.",
                "다른 사용자의 계정입니다. 변경된 내용은 없습니다. 본인의 계정을 사용하세요."
            )
        case .userDisabled:
            ("This account is disabled. Ask the administrator.", "사용이 중지된 계정입니다. 관리자에게 문의하세요.")
        case .userNotFound:
            ("This account does not exist any more. Sign in again.", "더 이상 없는 계정입니다. 다시 로그인하세요.")
        case .invalidPhotoURL: ("This picture cannot be used. Choose another.", "사용할 수 없는 사진입니다. 다른 사진을 선택하세요.")
        case .sessionNotFound:
            ("This session has ended already. Look at the list again.", "이미 끝난 세션입니다. 목록을 다시 확인하세요.")
        case .reauthorizationRequired, .providerGrantRevoked, .scopeMissing:
            (
                "The provider's permission is missing or has ended. Link the provider again.",
                "제공자의 권한이 없거나 끝났습니다. 제공자를 다시 연결하세요."
            )
        case .invalidDeviceSecret:
            ("This device is not known any more. Sign in again.", "더 이상 등록되어 있지 않은 기기입니다. 다시 로그인하세요.")
        case .deviceClaimedByOtherUser:
            (
                "This device belongs to another user. Sign in as that user.",
                "다른 사용자의 기기입니다. 그 사용자로 로그인하세요."
            )
        case .mergeConflict:
            (
                "Both accounts have a sign-in at the same provider. Unlink it from one of them first.",
                "두 계정 모두 같은 제공자에 연결되어 있습니다. 먼저 한 계정에서 연결을 해제하세요."
            )
        case .mergeNeedsAdministrator:
            (
                "Only an administrator can merge or separate these accounts. Ask them.",
                "관리자만 합치거나 분리할 수 있는 계정입니다. 관리자에게 문의하세요."
            )
        case .mergeNotFound:
            (
                "These accounts cannot be separated any more. Look at the list again.",
                "더 이상 분리할 수 없는 계정입니다. 목록을 다시 확인하세요."
            )
        case .mergeOfOneUser:
            (
                "You signed in to the same account. Sign in to the other one.",
                "같은 계정으로 로그인했습니다. 합칠 다른 계정으로 로그인하세요."
            )
        case .otherLoginInvalid:
            (
                "Your sign-in to the other account is too old. Sign in to it again.",
                "다른 계정의 로그인이 만료되었습니다. 그 계정으로 다시 로그인하세요."
            )
        case .signedOut: ("You are signed out. Sign in again.", "로그아웃되었습니다. 다시 로그인하세요.")
        }
    }

    private static func texts(of reason: NetworkFailure.Reason) -> (english: String, korean: String) {
        switch reason {
        case .unreachable, .timedOut:
            (
                "The server cannot be reached. Check the network and try again.",
                "서버에 연결하지 못했습니다. 네트워크를 확인하고 다시 시도하세요."
            )
        case .insecure:
            (
                "The connection is not secure. Use another network and try again.",
                "안전하지 않은 연결입니다. 다른 네트워크에서 다시 시도하세요."
            )
        case .unavailable:
            ("The server cannot answer now. Try again later.", "지금은 서버가 응답할 수 없습니다. 잠시 후 다시 시도하세요.")
        case .invalidResponse:
            (
                "The network answered in place of the server. Sign in to the network, then try again.",
                "서버의 응답이 아닙니다. 네트워크에 로그인해야 하는지 확인하고 다시 시도하세요."
            )
        }
    }

    private static func needConfirmation(of providers: [ProviderID]) -> (english: String, korean: String) {
        guard !providers.isEmpty else {
            return (
                "An account has this e-mail address. Sign in as before, then link this one.",
                "이 이메일 주소의 계정이 이미 있습니다. 이전에 사용한 방법으로 로그인한 다음 연결하세요."
            )
        }
        return (
            "An account has this e-mail address. Sign in with \(providers.names(joinedBy: " or ")), then link this one.",
            "이 이메일 주소의 계정이 이미 있습니다. \(providers.names(joinedBy: ", "))에서 로그인한 다음 연결하세요."
        )
    }

    private static func accountExists(at providers: [ProviderID]) -> (english: String, korean: String) {
        let names = providers.names(joinedBy: ", ")
        return (
            "This \(names.isEmpty ? "" : names + " ")account is linked already. Sign in with it.",
            "이 \(names.isEmpty ? "" : names + " ")계정은 이미 연결되어 있습니다. 이 계정으로 로그인하세요."
        )
    }

    private static func withdrawalFailed(at withdrawals: [Withdrawal]) -> (english: String, korean: String) {
        let names = withdrawals.filter(\.hasFailed).map(\.provider).names(joinedBy: ", ")
        return (
            "Your account is deleted. Remove this app in your account's settings at \(names) too.",
            "계정이 삭제되었습니다. 제공자 \(names)의 계정 설정에서도 이 앱을 삭제하세요."
        )
    }
}

extension [ProviderID] {
    fileprivate func names(joinedBy separator: String) -> String { map(\.displayName).joined(separator: separator) }
}
