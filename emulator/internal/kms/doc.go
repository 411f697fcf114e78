// Package kms is the Key Management Service: its wire protocol (JSON 1.1, targets TrentService.*), keys, aliases,
// grants and the operations on them, over a store. Tables that are encrypted by a customer's key ask it too, by
// [Service.SealTableKey] and what stands beside it.
//
// A key is a row of materials: the last one encrypts, each decrypts what it encrypted, and a rotation adds one. The
// cryptography is the standard library's AES-256-GCM; materials and data keys come from the system's randomness and
// never from the emulator's seed. What is in the store is as safe as the store: a data folder is encrypted as a whole.
//
// The wordings are those of AWS where a public record has them: the snapshots of localstack's tests (2023 and 2024),
// moto's sources, and the developer guide's table of key states. docs/keys.md says which are not confirmed.
package kms
