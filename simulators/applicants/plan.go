package applicants

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Purposes of random streams; no two purposes share numbers.
const (
	forApplicant = iota + 1
	forCaller
	forReviewer
	forFile
	forClient
)

// Verdict is the final status of a case.
type Verdict string

// The verdicts: three decisions of the reviewers, and what remains when an applicant gives up.
const (
	Approved     Verdict = "approved"
	Rejected     Verdict = "rejected"
	Resubmission Verdict = "resubmission_required"
	AbandonedNew Verdict = "created"             // only the case
	AbandonedMid Verdict = "documents_uploading" // some of the documents
	AbandonedEnd Verdict = "documents_complete"  // never submitted
)

// step is the time between two actions of an applicant, so that the audit trail has an order.
const step = 5 * time.Minute

// File is a document that an applicant sends.
type File struct {
	Side, MimeType string
	Content        []byte
}

// Application is a case from opening to submission.
type Application struct {
	At      time.Duration // when it is opened, relative to the start of the simulation
	Key     string        // the Idempotency-Key
	Files   []File
	Verdict Verdict
}

// Plan is an applicant and their actions: a pure function of seed and number. If the first application must be
// repeated, a second one follows.
type Plan struct {
	Number       int
	Client       int // index of the client they apply through
	DocumentType string
	Email, Phone string
	ExternalID   string
	Applications []Application
}

// enrolment is the period in which new applicants apply.
const enrolment = 5 * 24 * time.Hour

// NewPlan generates the applicant with this number.
func NewPlan(seed uint64, number, clients int) Plan {
	r := sim.NewRand(seed, forApplicant, uint64(number))
	p := Plan{
		Number: number, Client: r.IntN(clients), DocumentType: sim.Pick(r, documentTypes()),
		Email: fmt.Sprintf("applicant-%d-%08x@example.com", number, r.Uint32()), Phone: fmt.Sprintf("+2677%07d",
			r.IntN(10_000_000)),
		ExternalID: fmt.Sprintf("cust_%d_%d", seed, number),
	}
	at := time.Duration(r.Int64N(int64(enrolment))).Truncate(step)
	for again := 0; ; again++ {
		a := Application{At: at, Key: sim.UUID(r.Uint64(), r.Uint64()), Files: files(r, p.DocumentType), Verdict: verdict(r)}
		p.Applications = append(p.Applications, a)
		if a.Verdict != Resubmission || again == 2 {
			return p
		}
		at += time.Duration(36+r.IntN(48)) * time.Hour // some time after the reviewers have decided
	}
}

func verdict(r *rand.Rand) Verdict {
	switch roll := r.Float64(); {
	case roll < 0.5:
		return Approved
	case roll < 0.65:
		return Rejected
	case roll < 0.8:
		return Resubmission
	case roll < 0.87:
		return AbandonedNew
	case roll < 0.95:
		return AbandonedMid
	}
	return AbandonedEnd
}

// submitted reports whether a case with this verdict reaches the reviewers.
func (v Verdict) submitted() bool { return v == Approved || v == Rejected || v == Resubmission }

func documentTypes() []string { return []string{"omang", "passport", "drivers_license", "id_card"} }

func sides(documentType string) []string {
	if documentType == "passport" {
		return []string{"passport_photo", "selfie"}
	}
	return []string{documentType + "_front", documentType + "_back", "selfie"}
}

// files generates a photo for each side: a few bytes with the header of their type, followed by noise.
func files(r *rand.Rand, documentType string) []File {
	var all []File
	for _, side := range sides(documentType) {
		kind := sim.Pick(r, []File{
			{MimeType: "image/jpeg", Content: []byte("\xff\xd8\xff\xe0\x00\x10JFIF")},
			{MimeType: "image/png", Content: []byte("\x89PNG\x0d\x0a\x1a\x0a")},
		})
		kind.Side = side
		for range 64 + r.IntN(4096) {
			kind.Content = append(kind.Content, byte(r.Uint32()))
		}
		all = append(all, kind)
	}
	return all
}
