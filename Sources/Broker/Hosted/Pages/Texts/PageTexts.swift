import ProviderKit

/// Everything that the pages say in one language. The members' names are those of the language files; all are required.
struct PageTexts: Sendable, Decodable {
    let language: LanguageText
    let frame: FrameText
    let dates: DateText
    let account: AccountText
    let chooser: ChooserText
    let closing: ClosingText
    let confirm: ConfirmText
    let consent: ConsentText
    let deletion: DeletionText
    let device: DeviceText
    let diagnose: DiagnoseText
    let errors: ErrorTexts
    let errorLinks: ErrorLinksText
    let handler: HandlerText
    let start: StartText
    let history: HistoryText
    let profile: ProfileText
    let withdrawal: WithdrawalText
    let diagnoses: DiagnosisTexts
}

/// The choice of a language. Each language is called by its own name, in every language.
struct LanguageText: Sendable, Decodable {
    let name, menu: String
}

/// What stands around every page.
struct FrameText: Sendable, Decodable {
    let terms, privacy, support: String
    /// The name of the list of sections, and the link past it.
    let contents, skip: String
}

/// How moments are written.
struct DateText: Sendable, Decodable {
    let day, moment: Phrase
    let months: Months

    struct Months: Sendable, Decodable {
        let january, february, march, april, may, june: String
        let july, august, september, october, november, december: String

        var all: [String] {
            [january, february, march, april, may, june, july, august, september, october, november, december]
        }
    }
}

/// The texts of each ``Diagnosis``, by its code.
struct DiagnosisTexts: Sendable, Decodable {
    private let texts: [Diagnosis: Diagnosis.Text]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Code.self)
        var texts: [Diagnosis: Diagnosis.Text] = [:]
        for diagnosis in Diagnosis.allCases {
            texts[diagnosis] = try container.decode(Diagnosis.Text.self, forKey: Code(stringValue: diagnosis.rawValue))
        }
        self.texts = texts
    }

    private struct Code: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    subscript(_ diagnosis: Diagnosis) -> Diagnosis.Text {
        guard let text = texts[diagnosis] else { preconditionFailure("all are decoded") }
        return text
    }
}

extension Diagnosis {
    /// The English text.
    package var text: Text { PageLanguage.english.texts.diagnoses[self] }
}
