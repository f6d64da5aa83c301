import Foundation

/// A moment as a user reads it and as a program does: in UTC, until ``LocalTimeScript`` knows the reader's time zone.
struct PageDate: Sendable {
    /// `2026-11-21T14:55:00Z`
    let machine: String
    /// `21 November 2026, 14:55 UTC`
    let text: String

    init(_ date: Date, _ language: PageLanguage) {
        let day = PageDate(day: date, language)
        let parts = Self.calendar.dateComponents([.hour, .minute], from: date)
        let time = "\(Self.padded(parts.hour)):\(Self.padded(parts.minute))"
        machine = "\(day.machine)T\(time):00Z"
        text = language.texts.dates.moment(date: day.text, time: language.grammar.digits(of: time)) + " UTC"
    }

    /// The day alone, where the hour says nothing.
    init(day date: Date, _ language: PageLanguage) {
        let parts = Self.calendar.dateComponents([.year, .month, .day], from: date)
        let (year, month, day) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
        machine = "\(year)-\(Self.padded(month))-\(Self.padded(day))"
        let (texts, grammar) = (language.texts.dates, language.grammar)
        text = texts.day(
            day: grammar.digits(of: String(day)), month: texts.months.all[(month - 1) % 12],
            year: grammar.digits(of: String(year)))
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private static func padded(_ number: Int?) -> String {
        let text = String(number ?? 0)
        return text.utf8.count < 2 ? "0\(text)" : text
    }
}

/// The one script of the hosted pages: writes moments in the reader's time zone. Without it they stand there in UTC.
///
/// The pages are XML as well, so it does without `<` and `&`.
enum LocalTimeScript {
    static let text = """
        (function () {
          "use strict";
          var pattern = document.currentScript.dataset.moment;
          var tag = document.documentElement.lang;
          // The day before the month, and hours from 0 to 23, as the texts have them.
          var language = tag === "en" ? "en-GB" : tag;
          var time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
          var date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
          var near = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
          var midnight = new Date();
          midnight.setHours(0, 0, 0, 0);
          document.querySelectorAll("time[datetime*=T]").forEach(function (element) {
            var moment = new Date(element.dateTime);
            if (isNaN(moment)) return;
            var days = Math.floor((moment - midnight) / 864e5);
            var day = days === 0 || days === -1 ? near.format(days, "day") : date.format(moment);
            element.title = element.textContent;
            element.textContent = pattern
              .replace("{date}", day.charAt(0).toLocaleUpperCase(tag) + day.slice(1))
              .replace("{time}", time.format(moment));
          });
        })();
        """
}
