// Package people simulates the users of a social app and the services that notify them. Users like, comment, share and
// follow; read and dismiss notifications; switch categories off and on; set quiet hours; change time zones; and have up
// to four phones, of which three may be active. The services enqueue an event for each thing that happens, some with a
// dedupeKey, and some of these twice, because a response was lost or because another service knows of it too. Several
// workers process the events concurrently, by the documented query and by the change feed, while the push services
// sometimes fail.
//
// What a person does, and when, is a Plan, a pure function of the seed and the person's number.
//
// At the end, each acknowledged event is read back, with everybody's notifications and devices, and compared with what
// happened and with the preferences that the person had at that time; so are the pushes that the gateway delivered.
package people
