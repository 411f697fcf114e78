// Package people simulates the people of a social app, and the services that tell them what happens there. They like,
// comment, share and follow; read and dismiss what they are told; switch categories off and on; sleep, by quiet hours
// of their own; fly across time zones; and have up to four phones, of which three may be active. The services enqueue
// an event for each thing that happens, some with a dedupeKey and some of these twice, when their answer was lost or
// because another one knows of it too. Several workers take the events up at the same moment, by the documented query
// and by the change feed, while the push services have bad days.
//
// What somebody does at which moment is a Plan, a pure function of the seed and the person's number.
//
// In the end each event that was acknowledged is read back, with everybody's notifications and devices, and held
// against what happened, with the wishes that somebody had at that moment; so are the pushes that the gateway
// delivered.
package people
