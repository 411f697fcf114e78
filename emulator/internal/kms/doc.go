// Package kms implements the Key Management Service: its wire protocol (JSON 1.1, targets TrentService.*), keys,
// aliases, grants and their operations, over a store. DynamoDB encrypts tables with KMS keys through
// [Service.EncryptTableKey] and the functions next to it.
//
// A key is a list of key materials: the last one encrypts, each decrypts what it encrypted, and a rotation adds one.
// The cryptography is the standard library's AES-256-GCM. Key materials and data keys come from the system's
// randomness, never from the emulator's seed. The keys are as safe as the store: a data folder is encrypted as a whole.
//
// Error messages are AWS's where a public record has them: the snapshots of localstack's tests (2023 and 2024), moto's
// sources, and the developer guide's table of key states. docs/keys.md lists which are not confirmed.
package kms
