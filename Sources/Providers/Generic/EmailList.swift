import ProviderKit

/// `options.emails`: the list of a user's addresses, for providers that do not have them in the profile.
struct EmailListOptions: DeclaredOptions {
    var url = ""
    var list: ClaimPointer?
    var nextPage: ClaimPointer?
    var address: ClaimPointer?
    var primary: ClaimTest?
    var verified: ClaimTest?

    static let declaration = DeclaredObject<EmailListOptions>(
        "The list of a user's addresses, for providers that do not have them in the profile.",
        [
            .key("url", \.url, "the URL of the list: `GET`, with the access token as for `userinfoUrl`, JSON")
                .required()
                .narrowed(by: ProviderContext.baseURLs),
            .key("list", \.list, "the place of the list in the response")
                .initially(inWords: "the response is the list"),
            .key("nextPage", \.nextPage, "the place of the next page's URL in the response")
                .initially(inWords: "the header `Link` names the next page, if there is one"),
            .key("address", \.address, "the address in an element of the list").initially("/email"),
            .key("primary", \.primary, "what marks the address that is taken, in the element")
                .initially(inWords: "the first address is taken"),
            .key("verified", \.verified, "what marks a verified address, in the element")
                .initially(inWords: "no address is verified"),
        ])
}

/// The list of a user's addresses.
struct EmailList: Sendable {
    let url: String
    let list: JSONPointer
    /// Where a page names the next one.
    let next: NextPage
    private let address: JSONPointer
    private let primary: ClaimTest?
    private let verified: ClaimTest?

    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` and the fix.
    init(_ options: EmailListOptions) throws(ProviderError) {
        guard [options.primary, options.verified].allSatisfy({ $0?.sources.allSatisfy { $0.place == nil } ?? true })
        else {
            throw ProviderError(
                .configuration, at: .configure,
                "options.emails.primary and verified point into an element of the list: remove in")
        }
        url = options.url
        list = options.list?.pointer ?? JSONPointer(names: [])
        next = options.nextPage.map { .pointer($0.pointer) } ?? .link
        address = options.address?.pointer ?? JSONPointer(names: ["email"])
        primary = options.primary
        verified = options.verified
    }

    /// The address that the list marks, with its verification; nil where there is none.
    ///
    /// - Throws: ``ProviderError`` when a page has no list.
    func email(in pages: [JSONValue], acceptsText: Bool) throws(ProviderError) -> ExternalIdentity.Email? {
        var elements: [JSONValue] = []
        for page in pages {
            guard let list = page[list]?.array else {
                throw ProviderError(.upstream, at: .readProfile, "the response has no list at options.emails.list")
            }
            elements += list
        }
        func holds(_ test: ClaimTest, of element: JSONValue) -> Bool {
            test.holds(
                in: ClaimDocuments(profile: element, token: .null, callback: .null), acceptsText: acceptsText)
        }
        let element = elements.first { element in
            element[address]?.string?.isEmpty == false && (primary.map { holds($0, of: element) } ?? true)
        }
        guard let element, let text = element[address]?.string else { return nil }
        return .init(text, isVerified: verified.map { holds($0, of: element) } ?? false)
    }
}
