package kms

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"time"
)

// The states of a key.
const (
	enabled         = "Enabled"
	disabled        = "Disabled"
	pendingDeletion = "PendingDeletion"
)

// Managers of a key.
const (
	customer = "CUSTOMER"
	aws      = "AWS"
)

// Specs and usages of a key.
const (
	symmetric      = "SYMMETRIC_DEFAULT"
	encryptDecrypt = "ENCRYPT_DECRYPT"
	macUsage       = "GENERATE_VERIFY_MAC"
)

// key is a KMS key as stored, in JSON. It is immutable: a change creates another one.
type key struct {
	ID          string
	Created     float64 // seconds since 1970, as are all times here
	Description string
	Spec, Usage string
	Manager     string
	State       string
	Deletion    float64 // time of deletion
	Policy      string
	Tags        []tag
	Grants      []grant
	Materials   []material // the last one is current
	Rotates     bool       // whether it rotates on schedule
	Period      int        // days between rotations
	Next        float64    // time of the next rotation
	OnDemand    int        // rotations on demand so far
}

// material is the key material of one rotation.
type material struct {
	Secret  []byte
	Since   float64
	Rotated string // AUTOMATIC or ON_DEMAND; empty for the first
}

type tag struct{ TagKey, TagValue string }

// clone returns a copy of the key that can be changed.
func (k *key) clone() *key {
	c := *k
	c.Tags, c.Grants, c.Materials = slices.Clone(k.Tags), slices.Clone(k.Grants), slices.Clone(k.Materials)
	return &c
}

// current is the index of the material that encrypts.
func (k *key) current() int { return len(k.Materials) - 1 }

// addMaterial rotates the key.
func (k *key) addMaterial(at float64, rotated string) {
	secret := make([]byte, secretSize(k.Spec))
	rand.Read(secret) // never fails
	k.Materials = append(k.Materials, material{Secret: secret, Since: at, Rotated: rotated})
}

// materialID returns AWS's id of a key material. It reveals nothing about the secret.
func (k *key) materialID(i int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", k.ID, i))
	return hex.EncodeToString(sum[:])
}

// macSizes are the sizes in bytes of the key materials for HMACs.
var macSizes = map[string]int{"HMAC_224": 28, "HMAC_256": 32, "HMAC_384": 48, "HMAC_512": 64}

func secretSize(spec string) int {
	if size, ok := macSizes[spec]; ok {
		return size
	}
	return 32
}

// checkUsable refuses cryptographic operations with a key that is disabled or pending deletion.
func (a *account) checkUsable(k *key) error {
	switch k.State {
	case disabled:
		return kmsError("DisabledException", a.arn("key/"+k.ID)+" is disabled.")
	case pendingDeletion:
		return a.checkNotPendingDeletion(k)
	}
	return nil
}

// checkNotPendingDeletion refuses changes of a key that is pending deletion.
func (a *account) checkNotPendingDeletion(k *key) error {
	if k.State == pendingDeletion {
		return kmsError("KMSInvalidStateException", a.arn("key/"+k.ID)+" is pending deletion.")
	}
	return nil
}

// checkUsableFor also refuses a key with another usage.
func (a *account) checkUsableFor(k *key, usage, operation string) error {
	if k.Usage != usage {
		return kmsError("InvalidKeyUsageException", a.arn("key/"+k.ID)+" key usage is "+k.Usage+
			" which is not valid for "+operation+".")
	}
	return a.checkUsable(k)
}

// checkRotatable refuses to rotate, or to list the rotations of, a key that cannot rotate.
func (a *account) checkRotatable(k *key) error {
	if k.Spec != symmetric {
		return kmsError("UnsupportedOperationException", a.arn("key/"+k.ID)+" key spec is "+k.Spec+
			" which is not valid for this operation.")
	}
	return nil
}

// metadata is KeyMetadata in responses.
type metadata struct {
	AWSAccountId          string
	Arn                   string
	CreationDate          float64
	CurrentKeyMaterialId  string `json:",omitempty"`
	CustomerMasterKeySpec string
	DeletionDate          float64 `json:",omitempty"`
	Description           string
	Enabled               bool
	EncryptionAlgorithms  []string `json:",omitempty"`
	KeyId                 string
	KeyManager            string
	KeySpec               string
	KeyState              string
	KeyUsage              string
	MacAlgorithms         []string `json:",omitempty"`
	MultiRegion           bool
	Origin                string
}

func (a *account) describe(k *key) *metadata {
	d := &metadata{
		AWSAccountId: a.id(), Arn: a.arn("key/" + k.ID), CreationDate: k.Created, CustomerMasterKeySpec: k.Spec,
		DeletionDate: k.Deletion,
		Description:  k.Description, Enabled: k.State == enabled, KeyId: k.ID, KeyManager: k.Manager, KeySpec: k.Spec,
		KeyState: k.State,
		KeyUsage: k.Usage, Origin: "AWS_KMS",
	}
	if k.Spec == symmetric {
		d.EncryptionAlgorithms, d.CurrentKeyMaterialId = []string{symmetric}, k.materialID(k.current())
	} else {
		d.MacAlgorithms = []string{macAlgorithm(k.Spec)}
	}
	return d
}

// seconds returns a time as in responses, to the millisecond.
func seconds(t time.Time) float64 { return math.Round(float64(t.UnixMilli())) / 1000 }

// timeOf is the inverse of seconds.
func timeOf(s float64) time.Time { return time.UnixMilli(int64(math.Round(s * 1000))) }

// addDays returns the time n days after s.
func addDays(s float64, n int) float64 { return s + float64(n)*24*60*60 }

// now returns the clock's time in seconds.
func (s *Service) now() float64 { return seconds(s.clock.Now()) }
