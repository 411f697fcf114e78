package kefir

import "github.com/tabletop-db/tabletop/backend/internal/web"

// Errors for what does not exist. They are the same for what belongs to another user.
var (
	errNoUser     = web.NotFound("no profile exists yet; create it with PUT /kefir/profile")
	errNoBatch    = web.NotFound("you have no batch with this batchId")
	errNotPublic  = web.NotFound("there is no public batch with this batchId")
	errNoReminder = web.NotFound("no reminder of this batch has this reminderId")
	errNoDevice   = web.NotFound("you have no device with this deviceId")
	errConflict   = web.Conflict("conflicting concurrent changes; send the same request again")
)
