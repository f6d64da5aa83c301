/// A provider that could be connected.
struct OfferView: Sendable {
    let mark: ProviderMark
    let name, href, caption: String

    init(_ offer: AccountPage.Offer, _ text: AccountText) {
        mark = ProviderMark(kind: offer.kind, name: offer.name)
        name = offer.name
        href = PageLink(offer.href).href
        caption = text.connect
    }
}
