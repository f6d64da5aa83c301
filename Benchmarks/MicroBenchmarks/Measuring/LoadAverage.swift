import Foundation

/// How busy the machine is.
enum LoadAverage {
    /// Runnable processes, averaged over the last minute; 0 where the system does not tell.
    static var now: Double {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : 0
    }
}
