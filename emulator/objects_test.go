package emulator_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestObjectsAreFiles serves S3 on the port of DynamoDB, from a folder that outlives the emulator.
func TestObjectsAreFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "objects")
	c := s3.NewFromConfig(emulator.Run(t, emulator.WithS3Dir(dir)).AWSConfig())
	ctx := context.Background()
	if _, err := c.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("orders"), Key: aws.String("a b/c"),
		Body: strings.NewReader("hello")}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "orders", "a b", "c")); err != nil || string(text) != "hello" {
		t.Errorf("the file has %q, %v", text, err)
	}
	again := s3.NewFromConfig(emulator.Run(t, emulator.WithS3Dir(dir)).AWSConfig())
	got, err := again.GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("orders"), Key: aws.String("a b/c")})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(got.Body); err != nil || string(text) != "hello" {
		t.Errorf("another emulator reads %q, %v", text, err)
	}
}

// TestObjectsNeedPermissions verifies signatures of S3, which differ from those of the other services, and policies.
func TestObjectsNeedPermissions(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(`
policies:
  orders: {Version: "2012-10-17", Statement: [{Effect: Allow, Action: "s3:*",
    Resource: ["arn:aws:s3:::orders", "arn:aws:s3:::orders/*"]},
    {Effect: Deny, Action: "s3:DeleteObject", Resource: "arn:aws:s3:::orders/kept/*"}]}
users:
  ana:
    keys: [{id: AKIAANAANAANAANAANA1, secret: secret-of-ana}]
    policies: [orders]
`)))
	ctx, c := context.Background(), s3.NewFromConfig(e.AWSConfigFor("ana"))
	if _, err := c.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutObject(ctx, &s3.PutObjectInput{Bucket: aws.String("orders"), Key: aws.String("a b/ü+=&"),
		Body: strings.NewReader("hello")}); err != nil {
		t.Error(err)
	}
	if _, err := c.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: aws.String("orders"),
		Prefix: aws.String("a b/ü+")}); err != nil {
		t.Error(err)
	}
	if _, err := c.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String("other")}); err == nil ||
		!strings.Contains(err.Error(), "AccessDenied") {
		t.Errorf("a bucket without permission: %v", err)
	}
	checkDeletions(t, c)
	signed, err := s3.NewPresignClient(c).PresignGetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("orders"),
		Key: aws.String("a b/ü+=&")})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(signed.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "hello" {
		t.Errorf("the signed URL has %q, %v", text, err)
	}
}

// checkDeletions deletes several objects in one request; a policy denies the deletion of one.
func checkDeletions(t *testing.T, c *s3.Client) {
	t.Helper()
	var objects []types.ObjectIdentifier
	for _, key := range []string{"kept/one", "two"} {
		if _, err := c.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String("orders"), Key: aws.String(key),
			Body: strings.NewReader("hello")}); err != nil {
			t.Error(err)
		}
		objects = append(objects, types.ObjectIdentifier{Key: aws.String(key)})
	}
	out, err := c.DeleteObjects(t.Context(), &s3.DeleteObjectsInput{Bucket: aws.String("orders"),
		Delete: &types.Delete{Objects: objects}})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Deleted) != 1 || *out.Deleted[0].Key != "two" || len(out.Errors) != 1 ||
		*out.Errors[0].Key != "kept/one" || *out.Errors[0].Code != "AccessDenied" {
		t.Errorf("deleted %v, refused %v", out.Deleted, out.Errors)
	}
	if _, err := c.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: aws.String("orders"),
		Key: aws.String("kept/one")}); err != nil {
		t.Errorf("what a policy keeps: %v", err)
	}
}

// TestFileAsFolderOfObjectsIsRefused checks that Start reports a --s3-dir that is a file, which no bucket could be in.
func TestFileAsFolderOfObjectsIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "objects")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := emulator.Start(emulator.WithS3Dir(file))
	if err == nil || !strings.Contains(err.Error(), "is not a folder") {
		t.Errorf("started: %v", err)
	}
}
