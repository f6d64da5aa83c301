/// Explains the codes of `broker doctor`. It says nothing about this broker.
struct DiagnosePage: HostedPage {
    func content(in language: PageLanguage) -> PageContent {
        let frame = language.texts.diagnose
        return StatementView(
            symbol: .question, heading: frame.heading, paragraphs: [frame.introduction],
            facts: Diagnosis.allCases.map { diagnosis in
                let text = language.texts.diagnoses[diagnosis]
                return .init(
                    label: diagnosis.rawValue,
                    value: "\(text.symptom) \(frame.cause): \(text.cause) \(frame.remedy): \(text.remedy)")
            }
        ).page()
    }
}

/// The text around the table.
struct DiagnoseText: Sendable, Decodable {
    let heading, introduction, cause, remedy: String
}
