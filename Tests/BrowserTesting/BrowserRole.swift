/// What an assistive technology takes an element for (WAI-ARIA), as far as tests look for it.
package enum BrowserRole: String, Sendable {
    case link
    case button
    case heading
    case checkbox
    case radio
    case textbox
    case list
    case alert

    /// What may have the role; asking the browser for every element of a page would take long.
    var selector: String {
        switch self {
        case .link: "a[href], [role=link]"
        case .button: "button, input[type=submit], input[type=button], summary, [role=button]"
        case .heading: "h1, h2, h3, h4, h5, h6, [role=heading]"
        case .checkbox: "input[type=checkbox], [role=checkbox]"
        case .radio: "input[type=radio], [role=radio]"
        case .textbox: "input, textarea, [role=textbox]"
        case .list: "ul, ol, [role=list]"
        case .alert: "[role=alert]"
        }
    }
}
