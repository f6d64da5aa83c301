/// Explains the codes of `broker doctor`. It says nothing about this broker.
struct DiagnosePage: HostedPage {
    func content(in language: PageLanguage) -> PageContent {
        let frame = DiagnoseText.texts(in: language)
        return StatementView(
            symbol: .question, heading: frame.heading, paragraphs: [frame.introduction],
            facts: Diagnosis.allCases.map { diagnosis in
                let text = diagnosis.text(in: language)
                return .init(
                    label: diagnosis.rawValue,
                    value: "\(text.symptom) \(frame.cause): \(text.cause) \(frame.remedy): \(text.remedy)")
            }
        ).page()
    }
}

/// The text around the table.
struct DiagnoseText: PageText {
    let heading, introduction, cause, remedy: String

    static let english = DiagnoseText(
        heading: "Trouble with a sign-in",
        introduction: "What developers and operators see, why, and what helps. broker doctor finds most of it.",
        cause: "Cause", remedy: "Remedy")
    static let korean = DiagnoseText(
        heading: "로그인 문제 해결",
        introduction: "개발자와 운영자가 겪는 증상과 원인, 해결 방법입니다. 대부분은 broker doctor 명령이 찾아냅니다.",
        cause: "원인", remedy: "해결 방법")
}

extension Diagnosis {
    func text(in language: PageLanguage) -> Text {
        switch language {
        case .english: text
        case .korean: koreanText
        }
    }
}
