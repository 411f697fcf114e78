// Package notification is the notifications of a social app: events become entries of a user's notification centre and pushes
// to the user's phones.
package notification
