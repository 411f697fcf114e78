package emulator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// tryOnce returns a user's configuration without retries.
func tryOnce(e *emulator.Emulator, user string) aws.Config {
	c := e.AWSConfigFor(user)
	c.RetryMaxAttempts = 1
	return c
}

// Each request to KMS, STS and CloudWatch has a budget; exceeding it is an error in the service's own form.
func TestRequestsOfEveryServiceHaveABudget(t *testing.T) {
	t.Parallel()
	const work = "the amount of work that the emulator allows for one request"
	encrypt := func(e *emulator.Emulator) error {
		c := kms.NewFromConfig(tryOnce(e, "ana"))
		made, err := c.CreateKey(t.Context(), nil)
		if err != nil {
			return err
		}
		policy := `{"Version": "2012-10-17", "Statement": {"Sid": "` + strings.Repeat("x", 8<<10) +
			`", "Effect": "Allow", "Principal": "*", "Action": "kms:*", "Resource": "*"}}`
		if _, err := c.PutKeyPolicy(t.Context(), &kms.PutKeyPolicyInput{KeyId: made.KeyMetadata.Arn,
			Policy: &policy}); err != nil {
			return err
		}
		_, err = c.Encrypt(t.Context(), &kms.EncryptInput{KeyId: made.KeyMetadata.Arn, Plaintext: []byte("x")})
		return err
	}
	assume := func(e *emulator.Emulator) error {
		role := "arn:aws:iam::123456789012:role/reader"
		_, err := sts.NewFromConfig(tryOnce(e, "bob")).AssumeRole(t.Context(), &sts.AssumeRoleInput{RoleArn: &role,
			RoleSessionName: aws.String("s1"), ExternalId: aws.String("desk")})
		return err
	}
	graph := func(e *emulator.Emulator) error {
		_, err := cloudwatch.NewFromConfig(tryOnce(e, "ana")).GetMetricData(t.Context(), &cloudwatch.GetMetricDataInput{
			StartTime: aws.Time(e.Now().Add(-24 * time.Hour)), EndTime: aws.Time(e.Now()),
			MetricDataQueries: []cwtypes.MetricDataQuery{
				{Id: aws.String("m"), MetricStat: &cwtypes.MetricStat{Metric: &cwtypes.Metric{Namespace: aws.String("n"),
					MetricName: aws.String("m")}, Period: aws.Int32(1), Stat: aws.String("Sum")}},
				{Id: aws.String("e"), Expression: aws.String("TIME_SERIES(1)")},
			}})
		return err
	}
	for name, c := range map[string]struct {
		limits      budget.Limits
		ask         func(*emulator.Emulator) error
		code, words string
	}{
		"KMS, steps": {budget.Limits{Steps: 4 << 10}, encrypt, "ValidationException", work},
		"KMS, time": {budget.Limits{Time: time.Nanosecond}, encrypt, "DependencyTimeoutException",
			"The system timed out"},
		"STS, steps":        {budget.Limits{Steps: 1}, assume, "ValidationError", work},
		"CloudWatch, steps": {budget.Limits{Steps: 1000}, graph, "ValidationError", "more data points than one request may"},
		"CloudWatch, time": {budget.Limits{Time: time.Nanosecond}, graph, "ValidationError",
			"more data points than one request may"},
		"CloudWatch, memory": {budget.Limits{Pool: budget.NewPool(1)}, graph, "Throttling", "Rate exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(people)), emulator.WithBudget(c.limits))
			denied(t, c.ask(e), c.code, c.words)
		})
	}
}
