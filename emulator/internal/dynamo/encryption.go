package dynamo

import (
	"errors"
	"net/http"
	"strings"
)

// Keys is the KMS by whose keys tables are encrypted. A key is named by the account whose it is, and its ARN. What is wrong
// with a key is told by errors that have a method Exception() (name, message string), as the service's own exceptions.
type Keys interface {
	// TableKeyARN resolves an id, an ARN or an alias; an empty one is the key that AWS manages for the account's tables.
	TableKeyARN(account, ref string) (string, error)
	// CheckTableKey is nil if the key can be used.
	CheckTableKey(account, arn string) error
	// SealTableKey encrypts by a key, bound to a context, and OpenTableKey is the way back.
	SealTableKey(account, arn string, plain []byte, context map[string]string) ([]byte, error)
	OpenTableKey(account, arn string, sealed []byte, context map[string]string) ([]byte, error)
	// Watch has fn called whenever a key may have become usable, or unusable.
	Watch(fn func())
}

// checkEncryption refuses members of a specification that do not go together. The texts are AWS's of 2026-10 (ack-api-quirks).
func checkEncryption(in *SSESpecificationInput) error {
	switch {
	case in == nil:
		return nil
	case !orZero(in.Enabled) && in.SSEType != nil:
		return parameterError("SSEType can not be specified if Enabled is false")
	case !orZero(in.Enabled) && in.KMSMasterKeyId != nil:
		return parameterError("KMSMasterKeyId can not be specified if Enabled is false")
	case in.KMSMasterKeyId != nil && orZero(in.SSEType) != "KMS":
		return parameterError("SSEType KMS is required if KMSMasterKeyId is specified")
	case orZero(in.SSEType) == "AES256":
		return parameterError("SSEType AES256 is not supported")
	}
	return nil
}

// encryption is what a request asks for; nil is the service's own key, which is not told.
func (a *account) encryption(in *SSESpecificationInput) (*sseDescription, error) {
	if in == nil || !orZero(in.Enabled) {
		return nil, nil
	}
	arn := a.madeUpKey(orZero(in.KMSMasterKeyId))
	if a.service.keys != nil {
		var err error
		if arn, err = a.service.keys.TableKeyARN(a.name, orZero(in.KMSMasterKeyId)); err != nil {
			return nil, a.service.keyError(err)
		}
	}
	return &sseDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: arn}, nil
}

// encryptionOf is that of a table restored from another one: what the request asks for, or else the source's, whose key has to
// be usable in either case.
func (a *account) encryptionOf(source *definition, in *SSESpecificationInput) (*sseDescription, error) {
	if err := a.readable(source); err != nil {
		return nil, err
	}
	if in != nil || source.SSE == nil {
		return a.encryption(in)
	}
	return &sseDescription{Status: source.SSE.Status, SSEType: source.SSE.SSEType, KMSMasterKeyArn: source.SSE.KMSMasterKeyArn}, nil
}

// readable refuses what was a table, or is a backup of one, whose key cannot be used.
func (a *account) readable(source *definition) error {
	arn := ""
	if source.SSE != nil {
		arn = source.SSE.KMSMasterKeyArn
	}
	if k := a.service.tableKeys.of(source.ID); k != nil { // the table may have got another one since
		arn = k.KeyARN
	}
	if arn == "" || a.service.keys == nil {
		return nil
	}
	if err := a.service.keys.CheckTableKey(a.name, arn); err != nil {
		return a.service.keyError(err)
	}
	return nil
}

// madeUpKey is the ARN of a key where there is no KMS.
func (a *account) madeUpKey(key string) string {
	switch {
	case strings.HasPrefix(key, "arn:"):
		return key
	case strings.HasPrefix(key, "alias/"):
		return a.arn("kms", key)
	case key == "":
		return a.arn("kms", "key/"+a.service.nextUUID())
	}
	return a.arn("kms", "key/"+key)
}

// keyError is what DynamoDB answers when KMS refuses it a key: the refusal is in the message, with a request id of its own. What
// KMS calls an exception of another kind is wrapped in other words.
func (s *Service) keyError(err error) error {
	var refused interface {
		Exception() (name, message string)
	}
	if !errors.As(err, &refused) {
		return err
	}
	name, message := refused.Exception()
	kind, class := "KMS validation error", name
	switch name {
	case "DisabledException":
		kind = "KMS key disabled error"
	case "AccessDeniedException":
		kind, class = "KMS key access denied error", "AWSKMSException"
	case "ValidationException":
		kind, class = "KMS internal error", "AWSKMSException"
	}
	e := validationError(kind + ": com.amazonaws.services.kms.model." + class + ": " + message +
		" (Service: AWSKMS; Status Code: 400; Error Code: " + name + "; Request ID: " + s.nextUUID() + "; Proxy: null)")
	switch name {
	case "AccessDeniedException":
		e.Type = coralService + name
	case "ValidationException":
		e.Status, e.Type = http.StatusInternalServerError, dynamodb2012+"InternalServerError"
	}
	return e
}

// updateEncryption has the table encrypted by another key, or by the service's own. Its table key has to be opened for that, by
// the key that it has now.
func (u *tableUpdate) updateEncryption() error {
	in := u.in.SSESpecification
	if in == nil {
		return nil
	}
	if u.old.SSE != nil && u.request.service.keys != nil {
		if given := orZero(in.KMSMasterKeyId); given != "" && (given == u.old.SSE.KMSMasterKeyArn || strings.HasSuffix(u.old.SSE.KMSMasterKeyArn, ":key/"+given)) {
			return validationError("Table is already encrypted with given KMSMasterKey")
		}
		if err := u.request.service.keys.CheckTableKey(u.request.account.name, u.old.SSE.KMSMasterKeyArn); err != nil {
			return u.request.service.keyError(err)
		}
	}
	var err error
	u.new.SSE, err = u.request.account.encryption(in)
	return err
}
