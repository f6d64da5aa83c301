/// The withdrawal of this site's access at a provider, for a page. It is sealed into the page's address.
struct WithdrawalPart: Codable, Sendable {
    /// The provider's name.
    let provider: String
    /// The name of a ``WithdrawalReceipt/State``.
    let state: String
    let receipt: String?

    /// One sentence; nil for a state that there is none of.
    func text(in language: PageLanguage) -> String? {
        let text = WithdrawalText.texts(in: language)
        switch state {
        case "queued": return receipt.map { text.queued($0) }
        case "nothingStored": return text.nothingStored
        case "notSupported": return text.notSupported
        default: return nil
        }
    }
}

struct WithdrawalText: PageText {
    let queued: Phrase
    let nothingStored, notSupported: String

    static let english = WithdrawalText(
        queued: "The provider is being asked to end this site's access. Receipt: {}",
        nothingStored: "This site had no access token to give back. You can end its access in your settings there.",
        notSupported: "The provider lets only you end this site's access: in your settings there.")

    static let korean = WithdrawalText(
        queued: "이 사이트의 접근 권한을 끝내도록 해당 서비스에 요청하고 있습니다. 접수 번호: {}",
        nothingStored: "이 사이트에는 반환할 접근 토큰이 없었습니다. 접근 권한은 해당 서비스의 설정에서 끝내실 수 있습니다.",
        notSupported: "이 사이트의 접근 권한은 해당 서비스의 설정에서 직접 끝내셔야 합니다.")
}
