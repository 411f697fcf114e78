package backend

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/tink-crypto/tink-go/v2/tink"

	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
)

func identityVerification() System {
	return System{
		Name: "verification", Title: "Identity verification",
		Summary: "Clients open cases and upload documents; reviewers decide; every operation is in the audit trail.",
		Schema:  verification.Schema, Description: verification.Description, Region: verification.Region,
		Invariants: verification.Invariants, mount: mountVerification,
	}
}

// piiKey is the KMS key that the tables' description creates.
const piiKey = "alias/verification-pii"

func mountVerification(mux *http.ServeMux, cfg Config) (*worker, error) {
	service, err := NewVerification(cfg)
	if err != nil {
		return nil, err
	}
	return &worker{"verification case expiry", "hour", time.Hour, func(ctx context.Context) (bool, error) {
		return false, service.Expire(ctx)
	}}, service.Mount(mux)
}

// NewVerification returns the verification service by itself, for jobs. Its data is only in af-south-1: a cfg.AWS of
// another region is refused unless it has its own endpoint, which is then addressed with af-south-1.
func NewVerification(cfg Config) (*verification.Service, error) {
	cfg = cfg.withDefaults()
	var err error
	if cfg.AWS, err = (System{Name: "verification", Region: verification.Region}).RegionalConfig(cfg.AWS); err != nil {
		return nil, err
	}
	master, err := piiMasterKey(cfg)
	if err != nil {
		return nil, err
	}
	files, err := newUploads(cfg)
	if err != nil {
		return nil, err
	}
	return verification.New(verification.Config{
		Client: newClient(cfg), TablePrefix: cfg.TablePrefix, AdminToken: cfg.AdminToken, Pepper: cfg.Pepper,
		Tokens:    cfg.Tokens,
		MasterKey: master, Uploads: files, Now: cfg.Now, Logger: cfg.Logger, Wait: cfg.Wait,
	})
}

// piiMasterKey returns the master key: the local keyset if there is one, otherwise the KMS key.
func piiMasterKey(cfg Config) (tink.AEADWithContext, error) {
	if len(cfg.PIIKeyset) > 0 {
		return pii.Local(cfg.PIIKeyset)
	}
	client := kms.NewFromConfig(cfg.AWS, func(o *kms.Options) { o.HTTPClient = httpClient(cfg.AWS) })
	return pii.KMS(context.Background(), client, piiKey)
}

// newUploads returns the store of documents' files: a bucket s3://NAME, a folder, or memory.
func newUploads(cfg Config) (uploads.Uploads, error) {
	if bucket, ok := strings.CutPrefix(cfg.Uploads, "s3://"); ok {
		return uploads.NewS3(s3.NewFromConfig(cfg.AWS), bucket, cfg.Now), nil
	}
	return uploads.NewLocal(cfg.Uploads, verification.UploadPath, verification.UploadSecret(cfg.Pepper), cfg.Now)
}
