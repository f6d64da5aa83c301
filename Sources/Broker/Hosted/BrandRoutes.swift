import HTTPTypes
import Hummingbird

/// The pictures of the brand and of clients, below ``BrandPath/images``. The page that shows one names its content, so that
/// browsers keep it for good.
struct BrandRoutes: Sendable {
    private let images: [String: BrandImage]
    private let clients: Clients

    private static let lifetime = 365 * 86_400

    init(_ branding: Branding, _ clients: Clients) {
        let images = [branding.logo, branding.logoDark, branding.favicon].compactMap(\.self)
        self.images = Dictionary(images.map { ($0.name, $0) }) { first, _ in first }
        self.clients = clients
    }

    func add(to routes: Routes) {
        routes.document(BrandPath.image("{\(PathParameter.image.name)}"), pages: .none) { [images] request, context in
            guard let image = images[context.parameters[PathParameter.image.name] ?? ""] else {
                throw WireError.notFound
            }
            return Self.answer(image.bytes, image.format, to: request)
        }
        let logo = BrandPath.logo("{\(PathParameter.image.name)}", ofClient: "{\(PathParameter.client.name)}")
        for method in [HTTPRequest.Method.get, .head] {
            routes.on(method, logo, pages: .none, counting: .unproven) { [clients] request, context in
                let name = context.parameters[PathParameter.image.name] ?? ""
                guard let format = BrandImage.Format(ofContentNamed: name),
                    let content = try await clients.logo(
                        named: name, ofClient: context.parameters[PathParameter.client.name] ?? "")
                else { throw WireError.notFound }
                return Self.answer(content, format, to: request)
            }
        }
    }

    private static func answer(_ content: [UInt8], _ format: BrandImage.Format, to request: Request) -> Response {
        PublicDocument(picture: content, format.mediaType, lifetime: lifetime).response(to: request)
    }
}
