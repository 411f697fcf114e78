// Package phones simulates people with phones and the photo app on them: they install it, register for pushes, open it
// in the morning of their time zone, log out, uninstall it and come back, are away for months, and some request the
// deletion of all their data. From time to time the push service gives an app a new token. At the same time, jobs
// complete, and all of the user's devices are notified of each through the backend and a push gateway.
//
// What may happen to a user, and when, is a Plan, a pure function of the seed and the user's number. The effect depends
// on the state of the user's phones at that time. Responses are lost and requests are repeated, phones of one user act
// concurrently, an app registers twice at once, and jobs complete in between.
//
// At the end, the devices of each user are read back through the API and compared with what their phones did: exactly
// those, with the newest token, active or not, expiring 90 days after the last refresh, and none that expired or was
// deleted. The gateway's deliveries are compared with the jobs: each phone that had to receive a push received it once,
// and no other phone did.
package phones
