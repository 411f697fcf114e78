package kefir

import "github.com/tabletop-db/tabletop/backend/internal/web"

// Errors for what does not exist. They are the same for what belongs to another user.
var (
	errNoUser     = web.NotFound("there is no profile yet; make one with PUT /kefir/profile")
	errNoBatch    = web.NotFound("no batch of yours has this batchId")
	errNotPublic  = web.NotFound("no public batch has this batchId")
	errNoReminder = web.NotFound("no reminder of this batch has this reminderId")
	errNoDevice   = web.NotFound("no device of yours has this deviceId")
	errCrowded    = web.Conflict("other changes of the same thing got in the way; send the same request again")
)
