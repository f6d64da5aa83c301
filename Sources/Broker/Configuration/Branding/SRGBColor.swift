import Foundation
import ProviderKit

/// A colour of sRGB with eight bits a channel, as `#rrggbb`.
package struct SRGBColor: Sendable, Hashable {
    private let channels: [UInt8]

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) { channels = [red, green, blue] }

    /// - Parameter hex: `#` and six hexadecimal digits; anything else is nil.
    package init?(hex: String) {
        guard hex.utf8.first == UInt8(ascii: "#"), let channels = Hexadecimal.decode(hex.utf8.dropFirst()),
            channels.count == 3
        else { return nil }
        self.channels = channels
    }

    /// - Parameter linear: Red, green and blue in linear light; values outside of 0 to 1 are cut.
    fileprivate init(linear: [Double]) {
        channels = linear.map { channel in
            let light = min(1, max(0, channel))
            let encoded = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8((255 * encoded).rounded())
        }
    }

    package var hex: String { "#" + Hexadecimal.encode(channels) }

    /// Red, green and blue in linear light, 0 to 1 (IEC 61966-2-1).
    fileprivate var linear: [Double] {
        channels.map { channel in
            let encoded = Double(channel) / 255
            return encoded <= 0.040_45 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
        }
    }

    private var luminance: Double {
        let light = linear
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    }

    /// The contrast ratio of two colours, 1 to 21 (WCAG 2.2).
    package func contrast(to other: SRGBColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }
}

/// A colour in Oklab, where a change of lightness keeps the hue (Ottosson 2020; CSS Color 4 §9.3).
struct OklabColor: Sendable {
    let lightness: Double
    private let a, b: Double

    private init(lightness: Double, a: Double, b: Double) {
        (self.lightness, self.a, self.b) = (lightness, a, b)
    }

    init(_ color: SRGBColor) {
        let light = color.linear
        func cone(_ red: Double, _ green: Double, _ blue: Double) -> Double {
            cbrt(red * light[0] + green * light[1] + blue * light[2])
        }
        let long = cone(0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9)
        let medium = cone(0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6)
        let short = cone(0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5)
        self.init(
            lightness: 0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
            a: 1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
            b: 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short)
    }

    /// The same hue with at most this chroma.
    func limited(toChroma chroma: Double) -> OklabColor {
        let present = hypot(a, b)
        guard present > chroma else { return self }
        return OklabColor(lightness: lightness, a: a * chroma / present, b: b * chroma / present)
    }

    /// The sRGB colour of another lightness and the same hue. Its chroma is lowered as far as sRGB asks for it.
    func color(atLightness lightness: Double) -> SRGBColor {
        let tolerance = 1e-4
        var scale = 1.0
        while true {
            let linear = Self.linear(lightness, a * scale, b * scale)
            if linear.allSatisfy({ (-tolerance...1 + tolerance).contains($0) }) || scale < 0.02 {
                return SRGBColor(linear: linear)
            }
            scale -= 0.02
        }
    }

    private static func linear(_ lightness: Double, _ a: Double, _ b: Double) -> [Double] {
        let long = pow(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b, 3)
        let medium = pow(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b, 3)
        let short = pow(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b, 3)
        return [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
        ]
    }
}
