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

// mover says who may make a transition.
type mover string

const (
	client   mover = "its client"
	reviewer mover = "a reviewer"
	clock    mover = "time"
)

// move is a permitted transition.
type move struct {
	from, to Status
	by       mover
}

// moves returns all transitions (VR-R2). They are the arrows of the document; in addition, time expires every case that
// is not decided (VR-R7).
func moves() []move {
	all := []move{
		{Created, DocumentsUploading, client},
		{DocumentsUploading, DocumentsComplete, client},
		{DocumentsComplete, Submitted, client},
		{Submitted, Processing, reviewer},
		{Processing, PendingReview, reviewer},
		{PendingReview, InReview, reviewer},
		{InReview, Approved, reviewer},
		{InReview, Rejected, reviewer},
		{InReview, AutoRejected, reviewer},
		{InReview, ResubmissionRequired, reviewer},
		{InReview, Expired, reviewer},
	}
	for _, s := range Statuses() {
		if s.open() {
			all = append(all, move{s, Expired, clock})
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

// allow returns a 409 that names the current status, unless the transition is permitted.
func allow(from, to Status, by mover) error {
	whose := mover("")
	for _, m := range moves() {
		if m.from != from || m.to != to {
			continue
		}
		if m.by == by {
			return nil
		}
		if m.by != clock {
			whose = m.by
		}
	}
	if whose != "" {
		return web.Conflict(fmt.Sprintf("the case is %s; only %s can make it %s", from, whose, to))
	}
	return web.Conflict(fmt.Sprintf("the case is %s and cannot become %s", from, to))
}
