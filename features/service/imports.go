package service

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/cucumber/godog"
	"github.com/klauspost/compress/zstd"
)

// imports are the imports of a scenario, from its only bucket.
type imports struct {
	request *dynamodb.ImportTableInput    // the last one
	first   *string                       // the ARN that it returned
	last    *types.ImportTableDescription // what the last request returned
	export  *types.ExportDescription      // the last export
}

// importBucket is the bucket of a scenario's objects and exports.
const importBucket = "uploads"

func (w *world) importing(sc *godog.ScenarioContext) {
	sc.Step(`^the (?:(GZIP|ZSTD) )?object "([^"]*)"$`, w.upload)
	sc.Step(`^the (?:(GZIP|ZSTD) )?(\w+) objects "([^"]*)" are imported into "([^"]*)" with the key "([^"]*)"$`,
		w.importObjects)
	sc.Step(`^the import is requested again$`, w.importAgain)
	sc.Step(`^it is the same import$`, w.isSameImport)
	sc.Step(`^the import is (\w+) with (\d+) items? and (\d+) errors?(?:, because of (\w+))?$`, w.importIs)
	sc.Step(`^"([^"]*)" is exported in the format (\w+)$`, w.exportTable)
	sc.Step(`^the export is imported into "([^"]*)" with the key "([^"]*)"$`, w.importExport)
	sc.Step(`^the item "([^"]*)" of "([^"]*)" has a set of strings "([^"]*)" and the number ([\d.]+) as "([^"]*)"$`,
		w.hasSetAndNumber)
}

func (w *world) objects() *s3.Client { return s3.NewFromConfig(w.Target.Config) }

// ensureBucket creates the bucket unless it exists.
func (w *world) ensureBucket(ctx context.Context) error {
	_, err := w.objects().CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(importBucket)})
	var own *s3types.BucketAlreadyOwnedByYou
	if errors.As(err, &own) {
		return nil
	}
	return err
}

func (w *world) upload(ctx context.Context, compression, key string, content *godog.DocString) error {
	if err := w.ensureBucket(ctx); err != nil {
		return err
	}
	packed, err := compressed(compression, content.Content)
	if err != nil {
		return err
	}
	_, err = w.objects().PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String(importBucket), Key: &key,
		Body: bytes.NewReader(packed)})
	return err
}

// compressed returns a text as the service expects it with a compression; none if it is empty.
func compressed(compression, text string) ([]byte, error) {
	switch types.InputCompressionType(compression) {
	case types.InputCompressionTypeGzip:
		var out bytes.Buffer
		packer := gzip.NewWriter(&out)
		_, err := packer.Write([]byte(text))
		err = errors.Join(err, packer.Close())
		return out.Bytes(), err
	case types.InputCompressionTypeZstd:
		packer, err := zstd.NewWriter(nil)
		if err != nil {
			return nil, err
		}
		defer packer.Close()
		return packer.EncodeAll([]byte(text), nil), nil
	}
	return []byte(text), nil
}

func (w *world) importObjects(ctx context.Context, compression, format, prefix, table, key string) error {
	w.imports.request = &dynamodb.ImportTableInput{
		ClientToken: aws.String("token of " + table), InputFormat: types.InputFormat(format),
		InputCompressionType: types.InputCompressionType(compression),
		S3BucketSource:       &types.S3BucketSource{S3Bucket: aws.String(importBucket), S3KeyPrefix: &prefix},
		TableCreationParameters: &types.TableCreationParameters{
			TableName: w.Table(table), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{{AttributeName: &key,
				AttributeType: types.ScalarAttributeTypeS}},
			KeySchema: []types.KeySchemaElement{{AttributeName: &key, KeyType: types.KeyTypeHash}},
		},
	}
	if err := w.importAgain(ctx); err != nil {
		return err
	}
	w.imports.first = w.imports.last.ImportArn
	return nil
}

func (w *world) importAgain(ctx context.Context) error {
	out, err := w.Once.ImportTable(ctx, w.imports.request)
	if err == nil {
		w.imports.last = out.ImportTableDescription
	}
	return err
}

func (w *world) isSameImport() error {
	if *w.imports.last.ImportArn != *w.imports.first {
		return fmt.Errorf("it is %s instead of %s", *w.imports.last.ImportArn, *w.imports.first)
	}
	return nil
}

func (w *world) importIs(ctx context.Context, status string, items, failures int64, code string) error {
	out, err := w.Once.DescribeImport(ctx, &dynamodb.DescribeImportInput{ImportArn: w.imports.last.ImportArn})
	if err != nil {
		return err
	}
	d := out.ImportTableDescription
	if string(d.ImportStatus) != status || d.ImportedItemCount != items || d.ErrorCount != failures ||
		aws.ToString(d.FailureCode) != code {
		return fmt.Errorf("it is %s with %d items and %d errors, because of %q: %s", d.ImportStatus, d.ImportedItemCount,
			d.ErrorCount, aws.ToString(d.FailureCode), aws.ToString(d.FailureMessage))
	}
	return nil
}

func (w *world) exportTable(ctx context.Context, table, format string) error {
	if err := w.ensureBucket(ctx); err != nil {
		return err
	}
	source, err := w.Once.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	started, err := w.Once.ExportTableToPointInTime(ctx, &dynamodb.ExportTableToPointInTimeInput{
		TableArn: source.Table.TableArn, S3Bucket: aws.String(importBucket), ExportFormat: types.ExportFormat(format)})
	if err != nil {
		return err
	}
	out, err := w.Once.DescribeExport(ctx, &dynamodb.DescribeExportInput{
		ExportArn: started.ExportDescription.ExportArn})
	if err != nil {
		return err
	}
	w.imports.export = out.ExportDescription
	return nil
}

func (w *world) importExport(ctx context.Context, table, key string) error {
	data := path.Dir(aws.ToString(w.imports.export.ExportManifest)) + "/data/"
	return w.importObjects(ctx, "GZIP", string(w.imports.export.ExportFormat), data, table, key)
}

func (w *world) hasSetAndNumber(ctx context.Context, id, table, set, number, attribute string) error {
	out, err := w.Once.GetItem(ctx, &dynamodb.GetItemInput{TableName: w.Table(table),
		Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}})
	if err != nil {
		return err
	}
	_, isSet := out.Item[set].(*types.AttributeValueMemberSS)
	if n, ok := out.Item[attribute].(*types.AttributeValueMemberN); !ok || n.Value != number || !isSet {
		return fmt.Errorf("it is %v", out.Item)
	}
	return nil
}
