/// The form with which a user changes the name and the picture.
struct ProfilePage: HostedPage {
    let entry: Entry
    let problem: Problem?
    /// The pictures of the user's providers.
    let pictures: [Picture]
    /// Gains the fields `name`, `picture` and `address`.
    let form: HiddenForm

    /// What the form's fields have.
    struct Entry: Sendable {
        var name: String
        var picture: Choice
        /// The URL of another picture.
        var address: String
    }

    /// The picture that is chosen.
    enum Choice: Sendable, Hashable {
        case none, address
        /// That of a provider's entry.
        case provider(String)
    }

    enum Problem: Error {
        case nameTooLong, addressInvalid
    }

    struct Picture: Sendable {
        /// The id of the provider's entry.
        let provider: String
        /// The provider's name.
        let name: String
        let url: String
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.profile
        return PageContent(title: text.title, template: .profile, view: ProfileView(self, text))
    }
}

extension ProfilePage.Choice {
    private static let prefix = "provider:"

    /// Reads ``value``; what is none of them means no picture.
    init(_ value: String?) {
        switch value {
        case "address": self = .address
        case let value? where value.hasPrefix(Self.prefix): self = .provider(String(value.dropFirst(Self.prefix.count)))
        default: self = .none
        }
    }

    /// The value of the form's field.
    var value: String {
        switch self {
        case .none: "none"
        case .address: "address"
        case .provider(let id): Self.prefix + id
        }
    }
}

struct ProfileText: Sendable, Decodable {
    let title, name, nameHint, nameTooLong: String
    let picture, noPicture, otherPicture, address, addressInvalid: String
    let pictureOf: Phrase
    let save, cancel: String
}

/// The values of the `profile` template.
private struct ProfileView: Sendable {
    let heading, action: String
    let fields: [HiddenForm.Field]
    let nameLabel, name, nameHint: String
    let nameProblem: String?
    /// The ids of what explains the name.
    let nameDescription: String
    let pictureLabel: String
    let pictures: [Choice]
    let addressLabel, address: String
    let addressProblem: String?
    let save: String
    let cancel: LinkView

    struct Choice: Sendable {
        let id, value, text: String
        let isChosen: Bool
    }

    init(_ page: ProfilePage, _ text: ProfileText) {
        heading = text.title
        action = page.form.action.href
        fields = page.form.fields
        nameLabel = text.name
        name = page.entry.name
        nameHint = text.nameHint
        nameProblem = page.problem == .nameTooLong ? text.nameTooLong : nil
        nameDescription = page.problem == .nameTooLong ? "name-problem name-hint" : "name-hint"
        pictureLabel = text.picture
        let known = page.pictures.map { (ProfilePage.Choice.provider($0.provider), text.pictureOf(provider: $0.name)) }
        let all = [(ProfilePage.Choice.none, text.noPicture)] + known + [(.address, text.otherPicture)]
        pictures = all.enumerated().map { index, choice in
            Choice(
                id: "picture-\(index)", value: choice.0.value, text: choice.1, isChosen: choice.0 == page.entry.picture)
        }
        addressLabel = text.address
        address = page.entry.address
        addressProblem = page.problem == .addressInvalid ? text.addressInvalid : nil
        save = text.save
        cancel = LinkView("/account", text.cancel, style: "plain")
    }
}
