package kms

// What DynamoDB asks to encrypt tables by customers' keys. It asks on behalf of the account, whoever made the request:
// the service itself works through a grant, which is not kept here.

// tablesAlias is the alias of the key that AWS manages for an account's tables.
const tablesAlias = "alias/aws/dynamodb"

// TableKeyARN finds the key that a table names by its id, ARN or alias, and gives its ARN. An empty reference is the
// key that AWS manages for the account, which is made when it is not there. A key that cannot encrypt is an [*Error].
func (s *Service) TableKeyARN(accountName, ref string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(accountName)
	if _, ok := a.aliases[tablesAlias]; !ok && (ref == "" || ref == tablesAlias) {
		if err := a.makeTablesKey(); err != nil {
			return "", err
		}
	}
	if ref == "" {
		ref = tablesAlias
	}
	k, err := a.findAny(ref)
	if err != nil {
		return "", err
	}
	if k.Usage != encryptDecrypt {
		return "", validationError("EncryptionContext is supported only when creating a grant for a symmetric encryption KMS key.")
	}
	return a.arn("key/" + k.ID), a.usable(k)
}

// makeTablesKey makes the key that AWS manages. s.mu must be held.
func (a *account) makeTablesKey() error {
	k := a.newKey(symmetric, aws)
	k.Description = "Default key that protects my DynamoDB data when no other key is defined"
	k.Rotates, k.Period, k.Next = true, usualPeriod, days(k.Created, usualPeriod)
	if err := a.saveKey(k); err != nil {
		return err
	}
	return a.saveAlias(&alias{tablesAlias, k.ID, k.Created, k.Created})
}

// CheckTableKey says whether the key of that ARN can be used; if not, the error is an [*Error].
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
	return k, a.usable(k)
}

// SealTableKey encrypts what a table is encrypted by, bound to the context.
func (s *Service) SealTableKey(accountName, arn string, plain []byte, context map[string]string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	k, err := s.tableKey(accountName, arn)
	if err != nil {
		return nil, err
	}
	return k.seal(plain, context)
}

// OpenTableKey is the way back, if the key of that ARN can be used.
func (s *Service) OpenTableKey(accountName, arn string, sealed []byte, context map[string]string) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, err := s.tableKey(accountName, arn); err != nil {
		return nil, err
	}
	_, _, open, err := s.account(accountName).openBlob(sealed, context)
	if err != nil {
		return nil, err
	}
	return open()
}
