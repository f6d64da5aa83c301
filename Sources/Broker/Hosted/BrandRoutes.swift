import HTTPTypes
import Hummingbird

/// The pictures of the brand and of clients, below ``BrandPath/images``. The page that shows one names its content, so that
/// browsers keep it for good.
struct BrandRoutes: Sendable {
    private let images: [String: PublicDocument]
    private let clients: Clients

    private static let lifetime = 365 * 86_400

    init(_ branding: Branding, _ clients: Clients) {
        images = branding.documents(lifetime: Self.lifetime)
        self.clients = clients
    }

    func add(to routes: Routes) {
        routes.document(BrandPath.image("{\(PathParameter.image.name)}"), pages: .none) { [images] request, context in
            guard let image = images[BrandPath.image(context.parameters[PathParameter.image.name] ?? "")] else {
                throw WireError.notFound
            }
            return image.response(to: request)
        }
        let logo = BrandPath.logo("{\(PathParameter.image.name)}", ofClient: "{\(PathParameter.client.name)}")
        for method in [HTTPRequest.Method.get, .head] {
            routes.on(method, logo, pages: .none, counting: .unproven) { [clients] request, context in
                let name = context.parameters[PathParameter.image.name] ?? ""
                guard let format = BrandImage.Format(ofContentNamed: name),
                    let content = try await clients.logo(
                        named: name, ofClient: context.parameters[PathParameter.client.name] ?? "")
                else { throw WireError.notFound }
                return PublicDocument(picture: content, format.mediaType, lifetime: Self.lifetime).response(to: request)
            }
        }
    }
}

extension Branding {
    /// The pictures by their paths, as browsers get them.
    ///
    /// - Parameter lifetime: The seconds for which caches may keep them.
    /// - Returns: A document for each picture.
    func documents(lifetime: Int) -> [String: PublicDocument] {
        [logo, logoDark, favicon].compactMap(\.self).reduce(into: [:]) { documents, image in
            documents[BrandPath.image(image.name)] = PublicDocument(
                picture: image.bytes, image.format.mediaType, lifetime: lifetime)
        }
    }
}
