package tablefile

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// Target is where tables are created. It is not safe for concurrent use.
type Target struct {
	db     *dynamodb.Client
	keys   *kms.Client        // nil: the target has no KMS
	alarms *cloudwatch.Client // nil: the target has no CloudWatch
	// Wait pauses between two polls of a table that is changing; nil means a timer.
	Wait func(ctx context.Context, d time.Duration) error
	// Notes list what the target does not support, one line each.
	Notes []string

	aliases map[string]string // of KMS, by key id; nil until they are read
}

// NewTarget returns a target, and finds out whether it has KMS and CloudWatch: a custom endpoint, such as DynamoDB
// Local, may have neither.
func NewTarget(ctx context.Context, config aws.Config) (*Target, error) {
	t := &Target{db: dynamodb.NewFromConfig(config)}
	own := aws.ToString(config.BaseEndpoint) != ""
	keys := kms.NewFromConfig(config)
	_, err := keys.ListAliases(ctx, &kms.ListAliasesInput{Limit: aws.Int32(1)},
		func(o *kms.Options) { o.Retryer = probeRetryer(own, o.Retryer) })
	switch {
	case err == nil || isDenied(err):
		t.keys = keys
	case own && ctx.Err() == nil:
		t.addNote("the target has no KMS: customer managed keys, and encryption with them, are omitted")
	default:
		return nil, err
	}
	alarms := cloudwatch.NewFromConfig(config)
	_, err = alarms.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{MaxRecords: aws.Int32(1)},
		func(o *cloudwatch.Options) { o.Retryer = probeRetryer(own, o.Retryer) })
	switch {
	case err == nil || isDenied(err):
		t.alarms = alarms
	case own && ctx.Err() == nil:
		t.addNote("the target has no CloudWatch: alarms are omitted")
	default:
		return nil, err
	}
	return t, nil
}

// probeRetryer returns the retryer of a request that finds out whether a target has a service. A custom endpoint may
// not have it, so that only a connection that was lost is tried again there.
func probeRetryer(own bool, usual aws.Retryer) aws.Retryer {
	if !own {
		return usual
	}
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.Retryables = []retry.IsErrorRetryable{retry.RetryableConnectionError{}}
		o.MaxBackoff = 100 * time.Millisecond
	})
}

// addNote adds a note, unless it is there already.
func (t *Target) addNote(text string) {
	for _, known := range t.Notes {
		if known == text {
			return
		}
	}
	t.Notes = append(t.Notes, text)
}

func code(err error) string {
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		return api.ErrorCode()
	}
	return ""
}

func isDenied(err error) bool { return strings.HasPrefix(code(err), "AccessDenied") }

// ignoreDenied returns err, or nil if the caller was denied the request.
func ignoreDenied(err error) error {
	if isDenied(err) {
		return nil
	}
	return err
}

// isUnsupported reports whether a target does not support an operation.
func isUnsupported(err error) bool { return strings.HasPrefix(code(err), "UnknownOperation") }

// noteUnsupported reports whether a target does not support an operation, and adds a note about the omission.
func (t *Target) noteUnsupported(err error, what string) bool {
	if !isUnsupported(err) {
		return false
	}
	t.addNote("the target does not support " + what + ": omitted")
	return true
}

// A table becomes ACTIVE in milliseconds on the emulator and in minutes on AWS: poll often at first, then less often.
const (
	minPollInterval = 10 * time.Millisecond
	maxPollInterval = 5 * time.Second
	waitTimeout     = 30 * time.Minute
)

func (t *Target) wait(ctx context.Context, d time.Duration) error {
	if t.Wait != nil {
		return t.Wait(ctx, d)
	}
	return pause.For(ctx, d)
}

var errWaitTimeout = errors.New("the table did not become ACTIVE within 30 minutes: run the command again once it is")

// active waits until a table and its indexes are ACTIVE.
func (t *Target) active(ctx context.Context, name string) error {
	pause, waited := minPollInterval, time.Duration(0)
	for waited < waitTimeout {
		out, err := t.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			return err
		}
		if isActive(out.Table) {
			return nil
		}
		if err := t.wait(ctx, pause); err != nil {
			return err
		}
		waited, pause = waited+pause, min(pause*2, maxPollInterval)
	}
	return errWaitTimeout
}

func isActive(d *types.TableDescription) bool {
	if d.TableStatus != types.TableStatusActive {
		return false
	}
	for _, x := range d.GlobalSecondaryIndexes {
		if x.IndexStatus != types.IndexStatusActive {
			return false
		}
	}
	return true
}
