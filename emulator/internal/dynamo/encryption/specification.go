package encryption

import (
	"errors"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// KMS is the key management service whose keys encrypt table keys. A KMS key is identified by its account and its ARN.
// Errors of KMS have a method Exception() (name, message string), like the exceptions of the service.
type KMS interface {
	// TableKeyARN resolves an id, an ARN or an alias to an ARN. An empty ref means the AWS managed key for the
	// account's tables.
	TableKeyARN(account, ref string) (string, error)
	// CheckTableKey returns nil if the key can be used.
	CheckTableKey(account, arn string) error
	// EncryptTableKey encrypts by a key with an encryption context, and DecryptTableKey decrypts.
	EncryptTableKey(account, arn string, plain []byte, context map[string]string) ([]byte, error)
	DecryptTableKey(account, arn string, sealed []byte, context map[string]string) ([]byte, error)
	// Watch makes fn be called whenever a key may have become usable or unusable.
	Watch(fn func())
}

// CheckEncryption returns an error for members of a specification that contradict each other. The messages are AWS's of
// 2026-10 (ack-api-quirks).
func CheckEncryption(in *SSESpecificationInput) error {
	switch {
	case in == nil:
		return nil
	case !in.Enables() && in.SSEType != nil:
		return wire.ParameterError("SSEType can not be specified if Enabled is false")
	case in.Enabled != nil && !*in.Enabled && in.KMSMasterKeyId != nil:
		return wire.ParameterError("KMSMasterKeyId can not be specified if Enabled is false")
	case in.KMSMasterKeyId != nil && wire.OrZero(in.SSEType) != "KMS":
		return wire.ParameterError("SSEType KMS is required if KMSMasterKeyId is specified")
	case wire.OrZero(in.SSEType) == "AES256":
		return wire.ParameterError("SSEType AES256 is not supported")
	}
	return nil
}

// ResolveSSE returns the requested encryption; nil means an AWS owned key, which is not described.
func (p *Extension) ResolveSSE(a *engine.Account, in *SSESpecificationInput) (*engine.SSEDescription, error) {
	if in == nil || !in.Enables() {
		return nil, nil
	}
	arn := syntheticKeyARN(a, wire.OrZero(in.KMSMasterKeyId))
	if p.KMS != nil {
		var err error
		if arn, err = p.KMS.TableKeyARN(a.Name, wire.OrZero(in.KMSMasterKeyId)); err != nil {
			return nil, KeyError(a.Engine, err)
		}
	}
	return &engine.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: arn}, nil
}

// ResolveRestoredSSE returns the encryption of a table that is restored in a: the requested one, or else the source's.
// The source's key, in the account from, must be usable in either case.
func (p *Extension) ResolveRestoredSSE(a, from *engine.Account, source *engine.Definition,
	in *SSESpecificationInput) (*engine.SSEDescription, error) {
	if err := p.checkSourceKey(from, source); err != nil {
		return nil, err
	}
	if in != nil || source.SSE == nil {
		return p.ResolveSSE(a, in)
	}
	return &engine.SSEDescription{Status: source.SSE.Status, SSEType: source.SSE.SSEType,
		KMSMasterKeyArn: source.SSE.KMSMasterKeyArn}, nil
}

// checkSourceKey returns an error if the key of source, a table or the definition in a backup, cannot be used.
func (p *Extension) checkSourceKey(a *engine.Account, source *engine.Definition) error {
	arn := ""
	if source.SSE != nil {
		arn = source.SSE.KMSMasterKeyArn
	}
	if k := p.TableKeys.get(source.ID); k != nil { // the table may have changed its KMS key since
		arn = k.KeyARN
	}
	if arn == "" || p.KMS == nil {
		return nil
	}
	if err := p.KMS.CheckTableKey(a.Name, arn); err != nil {
		return KeyError(a.Engine, err)
	}
	return nil
}

// syntheticKeyARN returns the ARN of a key when there is no KMS.
func syntheticKeyARN(a *engine.Account, key string) string {
	switch {
	case strings.HasPrefix(key, "arn:"):
		return key
	case strings.HasPrefix(key, "alias/"):
		return a.ARN("kms", key)
	case key == "":
		return a.ARN("kms", "key/"+a.Engine.NextUUID())
	}
	return a.ARN("kms", "key/"+key)
}

// KeyError converts an error of KMS into DynamoDB's. The message contains the KMS exception, with a request id of its
// own. DynamoDB words some exceptions differently.
func KeyError(s *engine.Engine, err error) error {
	var kmsErr interface {
		Exception() (name, message string)
	}
	if !errors.As(err, &kmsErr) {
		return err
	}
	name, message := kmsErr.Exception()
	kind, class := "KMS validation error", name
	switch name {
	case "DisabledException":
		kind = "KMS key disabled error"
	case "AccessDeniedException":
		kind, class = "KMS key access denied error", "AWSKMSException"
	case "ValidationException":
		kind, class = "KMS internal error", "AWSKMSException"
	}
	e := wire.ValidationError(kind + ": com.amazonaws.services.kms.model." + class + ": " + message +
		" (Service: AWSKMS; Status Code: 400; Error Code: " + name + "; Request ID: " + s.NextUUID() + "; Proxy: null)")
	switch name {
	case "AccessDeniedException":
		e.Type = wire.CoralNamespace + name
	case "ValidationException":
		e.Status, e.Type = http.StatusInternalServerError, wire.DynamoNamespace+"InternalServerError"
	}
	return e
}

// SSESpecificationInput is the encryption setting of a table: an AWS owned key, or a KMS key.
type SSESpecificationInput struct {
	Enabled        *bool
	SSEType        *string `check:"enum=AES256|KMS"`
	KMSMasterKeyId *string `check:"minlen=1"`
}

// Enables reports whether a KMS key is requested: SSEType alone enables it (ack-api-quirks DDB-TABLE-031 and
// DDB-TABLE-036, 2026-10-08).
func (in *SSESpecificationInput) Enables() bool {
	if in.Enabled == nil {
		return in.SSEType != nil
	}
	return *in.Enabled
}
