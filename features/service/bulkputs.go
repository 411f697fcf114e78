package service

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/cucumber/godog"
)

// bulkPuts is the last bulk operation of a scenario. Its objects and its report are in the bucket of imports.
type bulkPuts struct {
	request     *dynamodb.StartBulkPutItemsInput
	first, last *string // the ARNs that the first and the last request returned
}

func (w *world) bulkPutting(sc *godog.ScenarioContext) {
	sc.Step(`^the (?:(GZIP|ZSTD) )?(\w+) objects "([^"]*)" are put into "([^"]*)" in bulk$`, w.putInBulk)
	sc.Step(`^the bulk operation is requested again$`, w.putInBulkAgain)
	sc.Step(`^it is the same bulk operation$`, w.isSameBulkOperation)
	sc.Step(`^the bulk operation is (\w+) with (\d+) items?, (\d+) of them failed$`, w.bulkOperationIs)
	sc.Step(`^the report has the record (\d+) of "([^"]*)" as (ERROR|CONDITION_CHECK_FAILURE)$`, w.reportHas)
}

func (w *world) putInBulk(ctx context.Context, compression, format, prefix, table string) error {
	w.bulk.request = &dynamodb.StartBulkPutItemsInput{
		ClientToken: aws.String("token of " + table), TableName: w.Table(table),
		InputS3Configuration: &types.InputS3Configuration{S3Bucket: aws.String(importBucket), S3KeyPrefix: &prefix,
			InputFormat:          types.BulkOperationInputFormat(format),
			InputCompressionType: types.InputCompressionType(compression)},
		OutputS3Configuration: &types.OutputS3Configuration{S3Bucket: aws.String(importBucket),
			S3KeyPrefix: aws.String("report/"), OutputType: types.OutputTypeEnumError.Values()},
	}
	if err := w.putInBulkAgain(ctx); err != nil {
		return err
	}
	w.bulk.first = w.bulk.last
	return nil
}

func (w *world) putInBulkAgain(ctx context.Context) error {
	out, err := w.Once.StartBulkPutItems(ctx, w.bulk.request)
	if err == nil {
		w.bulk.last = out.BulkOperationDescription.BulkOperationArn
	}
	return err
}

func (w *world) isSameBulkOperation() error {
	if *w.bulk.last != *w.bulk.first {
		return fmt.Errorf("it is %s instead of %s", *w.bulk.last, *w.bulk.first)
	}
	return nil
}

func (w *world) bulkOperationIs(ctx context.Context, status string, items, failures int64) error {
	out, err := w.Once.DescribeBulkOperation(ctx, &dynamodb.DescribeBulkOperationInput{BulkOperationArn: w.bulk.last})
	if err != nil {
		return err
	}
	d := out.BulkOperationDescription
	if string(d.BulkOperationStatus) != status || d.ProcessedItemCount != items || d.FailedItemCount != failures {
		return fmt.Errorf("it is %s with %d items, %d failed: %s", d.BulkOperationStatus, d.ProcessedItemCount,
			d.FailedItemCount, aws.ToString(d.FailureMessage))
	}
	return nil
}

// reportFolders are the folders of a report's files.
var reportFolders = map[types.OutputTypeEnum]string{types.OutputTypeEnumError: "/error/",
	types.OutputTypeEnumConditionCheckFailure: "/condition-check-failure/"}

func (w *world) reportHas(ctx context.Context, index int, key, kind string) error {
	list, err := w.objects().ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: aws.String(importBucket),
		Prefix: aws.String("report/")})
	if err != nil {
		return err
	}
	want := fmt.Sprintf(`{"S3Key":%q,"ItemIndex":%d,`, key, index)
	var found []string
	for _, o := range list.Contents {
		if !strings.Contains(*o.Key, reportFolders[types.OutputTypeEnum(kind)]) {
			continue
		}
		text, err := w.unpacked(ctx, o.Key)
		if err != nil {
			return err
		}
		found = append(found, text)
	}
	if all := strings.Join(found, ""); !strings.HasPrefix(all, want) || strings.Count(all, "\n") != 1 {
		return fmt.Errorf("the report has %q", all)
	}
	return nil
}

// unpacked returns the content of a GZIP object.
func (w *world) unpacked(ctx context.Context, key *string) (string, error) {
	object, err := w.objects().GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(importBucket), Key: key})
	if err != nil {
		return "", err
	}
	defer object.Body.Close()
	content, err := gzip.NewReader(object.Body)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(content)
	return string(text), err
}
