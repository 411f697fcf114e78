// Package encryption has the table keys: the keys of tables that are encrypted by a KMS key. A table key seals
// everything that a folder stores of the table, and the table is inaccessible while its KMS key cannot be used.
package encryption
