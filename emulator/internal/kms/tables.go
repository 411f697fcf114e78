package kms

import "strings"

// The functions that DynamoDB calls to encrypt tables with KMS keys. They act for the account, regardless of the
// caller: in the service, DynamoDB works through a grant, which the emulator does not store.

// The aliases of the AWS managed keys that exist once they are used: the key for an account's tables, and that of S3,
// which does not encrypt tables.
const (
	tablesAlias  = "alias/aws/dynamodb"
	objectsAlias = "alias/aws/s3"
)

// TableKeyARN returns the ARN of the key that a table names by id, ARN or alias. An empty reference means the account's
// AWS managed key, which is created if it does not exist. Errors: an [*Error] for a key that cannot encrypt.
func (s *Service) TableKeyARN(accountName, ref string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(accountName)
	if ref == "" {
		ref = tablesAlias
	}
	if a.ofOther(ref) { // (ack-api-quirks DDB-TABLE-139, 2026-10-08)
		return "", a.notAuthorized("kms:DescribeKey on this resource because the resource does not exist in this Region, " +
			"no resource-based policies allow access, or a resource-based policy explicitly denies access")
	}
	if err := a.createManagedKey(ref); err != nil {
		return "", err
	}
	k, err := a.findAny(ref)
	if err != nil {
		return "", err
	}
	if a.isOfOtherService(k) { // (ack-api-quirks DDB-TABLE-461, 2026-10-09)
		return "", a.notAuthorized("kms:CreateGrant on resource: " + a.arn("key/"+k.ID) +
			" because no resource-based policy allows the kms:CreateGrant action")
	}
	if k.Usage != encryptDecrypt {
		return "", validationError(
			"EncryptionContext is supported only when creating a grant for a symmetric encryption KMS key.")
	}
	return a.arn("key/" + k.ID), a.checkUsable(k)
}

// ofOther reports whether ref is the ARN of a key of another account in this region.
func (a *account) ofOther(ref string) bool {
	parts := strings.SplitN(ref, ":", 6)
	return len(parts) == 6 && parts[2] == "kms" && parts[3] == a.region() && parts[4] != a.id()
}

// isOfOtherService reports whether AWS manages the key for another service than DynamoDB.
func (a *account) isOfOtherService(k *key) bool {
	tables, ok := a.aliases[tablesAlias]
	return k.Manager == aws && !(ok && tables.Target == k.ID)
}

// notAuthorized returns KMS's error for an action that DynamoDB may not perform for the account.
func (a *account) notAuthorized(action string) error {
	return kmsError("AccessDeniedException", "User: "+a.rootARN()+" is not authorized to perform: "+action)
}

// createManagedKey creates the AWS managed key whose alias ref is, by its name or ARN, unless it exists. s.mu must be
// held.
func (a *account) createManagedKey(ref string) error {
	name, err := a.resourceOf(ref)
	_, exists := a.aliases[name]
	if err != nil || exists || name != tablesAlias && name != objectsAlias {
		return err
	}
	k := a.newKey(symmetric, aws)
	k.Description = "Default key that protects my DynamoDB data when no other key is defined"
	if name == objectsAlias {
		k.Description = "Default key that protects my S3 objects when no other key is defined"
	}
	k.Rotates, k.Period, k.Next = true, defaultRotationPeriod, addDays(k.Created, defaultRotationPeriod)
	if err := a.saveKey(k); err != nil {
		return err
	}
	return a.saveAlias(&alias{name, k.ID, k.Created, k.Created})
}

// CheckTableKey returns nil if the key of that ARN can be used, or an [*Error].
func (s *Service) CheckTableKey(accountName, arn string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, err := s.tableKey(accountName, arn)
	return err
}

func (s *Service) tableKey(accountName, arn string) (*key, error) {
	a := s.account(accountName)
	k, err := a.find(arn)
	if err != nil {
		return nil, err
	}
	return k, a.checkUsable(k)
}

// EncryptTableKey encrypts a table's data key, bound to the encryption context.
func (s *Service) EncryptTableKey(accountName, arn string, plain []byte, context map[string]string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	k, err := s.tableKey(accountName, arn)
	if err != nil {
		return nil, err
	}
	return k.seal(plain, context)
}

// DecryptTableKey decrypts what EncryptTableKey returned, if the key of that ARN can be used.
func (s *Service) DecryptTableKey(accountName, arn string, sealed []byte, context map[string]string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, err := s.tableKey(accountName, arn); err != nil {
		return nil, err
	}
	_, _, open, err := s.account(accountName).decryptBlob(sealed, context)
	if err != nil {
		return nil, err
	}
	return open()
}
