package verification

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/tink-crypto/tink-go/v2/tink"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/backend/verification/uploads"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Config configures the verification backend. Client, AdminToken, Pepper, MasterKey and Uploads are required.
type Config struct {
	Client          *dynamodb.Client // of Region; any other region is refused
	TablePrefix     string
	AdminToken      string               // admits to the admin endpoints
	Pepper          string               // hashed with the secrets of API keys and sessions; keep it out of the database
	Tokens          auth.Verifier        // verifies reviewers' bearer tokens; Mount requires it, jobs do not
	MasterKey       tink.AEADWithContext // wraps the keyset that seals contact data: pii.KMS or pii.Local
	Uploads         uploads.Uploads      // stores the files of documents
	SessionLifetime time.Duration        // default: one hour
	Now             func() time.Time
	Logger          *slog.Logger
	// Wait pauses between attempts and returns early, with an error, when the context ends; default: a timer.
	Wait func(context.Context, time.Duration) error
}

// Service implements the verification backend. It is safe for concurrent use.
type Service struct {
	cfg   Config
	store *store
	keys  *pii.Keyring
	stats counters
}

// New validates cfg, sets defaults and returns the service. It does not access the database.
func New(cfg Config) (*Service, error) {
	switch {
	case cfg.Client == nil:
		return nil, errors.New("verification: no DynamoDB client: set Config.Client")
	case cfg.Pepper == "":
		return nil, errors.New("verification: the pepper is empty: set it to a long random string and never change it")
	case cfg.AdminToken == "":
		return nil, errors.New("verification: the admin token is empty: set it, because creating API keys needs it")
	case cfg.MasterKey == nil || cfg.Uploads == nil:
		return nil, errors.New("verification: set Config.MasterKey and Config.Uploads")
	}
	options := cfg.Client.Options()
	if err := checkRegion(options.Region, aws.ToString(options.BaseEndpoint)); err != nil {
		return nil, err
	}
	if cfg.SessionLifetime == 0 {
		cfg.SessionLifetime = time.Hour
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Wait == nil {
		cfg.Wait = pause.For
	}
	s := &Service{cfg: cfg, store: &store{client: cfg.Client, table: aws.String(cfg.TablePrefix + Table)}}
	s.keys = pii.New(cfg.MasterKey, keysetStore{s.store}, Table+"|"+keysetKey, cfg.Now)
	return s, nil
}

// checkRegion refuses every region but af-south-1 (VR-R9), including one that an AWS endpoint names regardless of the
// configured region. It cannot be disabled.
func checkRegion(region, endpoint string) error {
	if region != Region {
		return fmt.Errorf("verification: the data must stay in %s, not %q: set AWS_REGION=%[1]s", Region, region)
	}
	at, err := url.Parse(endpoint)
	if err != nil {
		return fmt.Errorf("verification: the endpoint is not a valid URL: %w", err)
	}
	host := strings.ToLower(at.Hostname())
	for _, domain := range []string{".vpce.amazonaws.com", ".amazonaws.com", ".amazonaws.com.cn", ".api.aws"} {
		if before, ofAWS := strings.CutSuffix(host, domain); ofAWS {
			if strings.HasSuffix(before, "."+Region) {
				return nil
			}
			return fmt.Errorf("verification: the data must stay in %s, not at %s: remove the endpoint", Region, host)
		}
	}
	return nil
}

func (s *Service) now() Timestamp { return timestamp(s.cfg.Now()) }

// keyedHash returns the HMAC-SHA256 of a text under the pepper, in hex, for a purpose: what is hashed here could be
// guessed from a hash without a key.
func (s *Service) keyedHash(purpose, text string) string {
	mac := hmac.New(sha256.New, []byte(s.cfg.Pepper))
	fmt.Fprintf(mac, "%s|%s", purpose, text)
	return hex.EncodeToString(mac.Sum(nil))
}

// UploadSecret derives the key that signs the addresses of local uploads from the pepper.
func UploadSecret(pepper string) []byte {
	mac := hmac.New(sha256.New, []byte(pepper))
	mac.Write([]byte("verification uploads"))
	return mac.Sum(nil)
}
