// Package brewers simulates people who brew water kefir for weeks with the kefir backend: they sign up, start batches,
// bottle them, put them into the fridge and drink them, take notes and photos, set reminders and cancel some, share a
// batch and change phones; some leave and delete everything. Responses are lost, and several instances of the reminder
// scheduler run concurrently.
//
// What a brewer does is a Plan, a pure function of the seed and the brewer's number. Run plays all plans. At the end it
// reads everything back, as the owner and as strangers see it, and compares it with what was done: each batch with
// exactly its events, each reminder sent exactly once or never, each push, each line of the export and, with a backend
// in this process, the number of items in the table.
package brewers
