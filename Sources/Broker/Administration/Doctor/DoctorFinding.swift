/// A problem that was found, and its place.
package struct DoctorFinding: Sendable, Hashable {
    package let diagnosis: Diagnosis
    /// The file, the host, the URI or the entry that it is about; it has no secret.
    package let subject: String

    package init(_ diagnosis: Diagnosis, _ subject: String) {
        self.diagnosis = diagnosis
        self.subject = subject
    }
}
