/// What `deleteAttribute` names; on the wire also by number, in this order.
enum UserAttribute: String, CaseIterable {
    case unspecified = "USER_ATTRIBUTE_NAME_UNSPECIFIED"
    case email = "EMAIL"
    case displayName = "DISPLAY_NAME"
    case provider = "PROVIDER"
    case photoURL = "PHOTO_URL"
    case password = "PASSWORD"
    case rawUserInfo = "RAW_USER_INFO"
}
