extension ConsoleStyle {
    /// Forms of operations, and filters.
    static let forms = """
        .fields{display:grid;gap:1rem;max-width:40rem}
        .block>*+.fields,.block>*+form{margin-block-start:1rem}
        .console :is(.fields,.filter) :is(.field label,legend){font-size:.875rem}
        .hint{font-size:.8125rem}
        .check .hint{display:block}
        textarea.entry{min-height:4.5rem;font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;resize:vertical}
        .secret{margin:.5rem 0 0;padding:.75rem;overflow-x:auto;border-radius:.5rem;background:var(--inset);
        white-space:pre-wrap;overflow-wrap:anywhere}
        .question{max-width:40rem}
        .question+.question{margin-block-start:.25rem}
        .block>.facts+form,.block>.question+.facts{margin-block-start:1rem}
        .filter{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(13rem,100%),1fr));gap:.75rem;align-items:end}
        .console .field{grid-template-columns:minmax(0,1fr);min-width:0}
        td .actions{justify-content:flex-end}

        """
}
