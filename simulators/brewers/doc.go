// Package brewers simulates people who brew water kefir for weeks with the kefir backend: they sign up, start batches,
// bottle them, put them into the fridge and drink them, take notes and photos, set reminders and cancel some, share a
// batch, change phones, and some leave with everything they have. Answers get lost on the way, and several instances of
// the reminder scheduler run at the same time.
//
// What a brewer will do is a Plan, a pure function of the seed and the brewer's number. Run plays all plans; in the end
// everything is read back, as its owner sees it and as strangers do, and held against what was done: each batch with
// exactly its events, each reminder sent exactly once or never, each push message, each line of the export, and in this
// process the number of items in the table.
package brewers
