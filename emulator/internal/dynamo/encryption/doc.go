// Package encryption has the keys of tables that are encrypted by a customer's key: they seal what the store has of the
// table, and the table is inaccessible while the customer's key cannot be used.
package encryption
