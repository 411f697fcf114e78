package verification

import (
	"fmt"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Status is the status of a case (VR-R2).
type Status string

// The documented statuses, in order. The last five are decisions: nothing follows them.
const (
	Created              Status = "created"
	DocumentsUploading   Status = "documents_uploading"
	DocumentsComplete    Status = "documents_complete"
	Submitted            Status = "submitted"
	Processing           Status = "processing"
	PendingReview        Status = "pending_review"
	InReview             Status = "in_review"
	Approved             Status = "approved"
	Rejected             Status = "rejected"
	AutoRejected         Status = "auto_rejected"
	ResubmissionRequired Status = "resubmission_required"
	Expired              Status = "expired"
)

// Statuses returns all statuses, in the order of the document.
func Statuses() []Status {
	return []Status{
		Created, DocumentsUploading, DocumentsComplete, Submitted, Processing, PendingReview, InReview,
		Approved, Rejected, AutoRejected, ResubmissionRequired, Expired,
	}
}

// actor says who may make a transition.
type actor string

const (
	actorClient   actor = "its client"
	actorReviewer actor = "a reviewer"
	actorTime     actor = "time"
)

// permittedTransition is a permitted transition.
type permittedTransition struct {
	from, to Status
	by       actor
}

// permittedTransitions returns all transitions (VR-R2). They are the arrows of the document; in addition, time expires
// every case that is not decided (VR-R7).
func permittedTransitions() []permittedTransition {
	all := []permittedTransition{
		{Created, DocumentsUploading, actorClient},
		{DocumentsUploading, DocumentsComplete, actorClient},
		{DocumentsComplete, Submitted, actorClient},
		{Submitted, Processing, actorReviewer},
		{Processing, PendingReview, actorReviewer},
		{PendingReview, InReview, actorReviewer},
		{InReview, Approved, actorReviewer},
		{InReview, Rejected, actorReviewer},
		{InReview, AutoRejected, actorReviewer},
		{InReview, ResubmissionRequired, actorReviewer},
		{InReview, Expired, actorReviewer},
	}
	for _, s := range Statuses() {
		if s.open() {
			all = append(all, permittedTransition{s, Expired, actorTime})
		}
	}
	return all
}

// open reports whether the case is not decided yet.
func (s Status) open() bool {
	switch s {
	case Approved, Rejected, AutoRejected, ResubmissionRequired, Expired:
		return false
	}
	return true
}

// checkTransition returns a 409 that names the current status, unless the transition is permitted.
func checkTransition(from, to Status, by actor) error {
	other := actor("")
	for _, m := range permittedTransitions() {
		if m.from != from || m.to != to {
			continue
		}
		if m.by == by {
			return nil
		}
		if m.by != actorTime {
			other = m.by
		}
	}
	if other != "" {
		return web.Conflict(fmt.Sprintf("the case is %s; only %s can make it %s", from, other, to))
	}
	return web.Conflict(fmt.Sprintf("the case is %s and cannot become %s", from, to))
}
