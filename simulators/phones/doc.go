// Package phones simulates people with phones and the photo app on them: they install it, register for pushes, open it
// in the morning of their time zone, log out, uninstall it and come back, are away for months, and some ask for
// everything of theirs to be deleted. Now and then the push service gives an app a new token. Meanwhile jobs complete,
// and each is told to all of the user's devices through the backend and a push gateway.
//
// What somebody may do at which moment is a Plan, a pure function of the seed and the user's number. What comes of it
// depends on where their phones stand then. Answers get lost and requests are repeated, phones of one user act at the
// same moment, one registers twice at once, and jobs complete in between.
//
// In the end the devices of each user are read back through the API and held against what their phones did: exactly
// those, with the newest token, active or not, expiring 90 days after the last refresh, and nothing where it expired or
// was deleted. What the gateway delivered is held against the jobs: each phone that was to hear of one did, once, and
// no other.
package phones
